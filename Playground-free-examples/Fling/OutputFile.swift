import Foundation

/// A file for the command's output, opened before the run, so that a run is not in vain.
///
/// Until it is written, it keeps the bytes that it had before.
final class OutputFile {
  private let path: String
  let isNew: Bool
  private var descriptor: Int32

  /// Opens the file, and makes it if it is not there.
  init(_ path: String) throws {
    self.path = path
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC
    let new = open(path, flags | O_EXCL, 0o666)
    isNew = new >= 0
    descriptor = isNew ? new : open(path, flags, 0o666)
    guard descriptor >= 0 else { throw Complaint.cannotWrite(path, SystemError.last) }
  }

  /// Removes a file that was made here, unless it has been written.
  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    if isNew { unlink(path) }
  }

  /// Writes all of the file, once.
  func write(_ data: Data) throws {
    do {
      // Only a file can be cut; a pipe or a device has nothing in it before.
      if ftruncate(descriptor, 0) != 0, errno != EINVAL { throw SystemError.last }
      try writeAll(data, to: descriptor)
      // Some disks say here that they are full.
      let status = close(descriptor)
      descriptor = -1
      if status != 0 { throw SystemError.last }
    } catch {
      throw Complaint.cannotWrite(path, error)
    }
  }
}

/// The files that the options name.
final class Outputs {
  /// Those that were there before, by their paths.
  private var files: [String: OutputFile] = [:]

  /// Opens the files; new ones only to see whether they can be made.
  ///
  /// A process that ends before it writes leaves no empty file behind.
  init(_ paths: [String]) throws {
    for path in paths {
      let file = try OutputFile(path)
      if !file.isNew { files[path] = file }
    }
  }

  func write(_ text: String, to path: String) throws {
    let file = try files.removeValue(forKey: path) ?? OutputFile(path)
    try file.write(Data(text.utf8))
  }
}

/// An error of the system's functions.
struct SystemError: Error {
  let number: Int32

  /// That of the last function that failed on this thread.
  static var last: SystemError { SystemError(number: errno) }

  init(number: Int32) { self.number = number }

  /// - Returns: `nil` if no error of a system's function is behind an error.
  init?(_ error: any Error) {
    if let error = error as? SystemError {
      self = error
      return
    }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    guard let cause = (error as? POSIXError) ?? (underlying as? POSIXError) else { return nil }
    number = cause.code.rawValue
  }
}

extension SystemError: CustomStringConvertible {
  var description: String { String(cString: strerror(number)) }
}

extension Complaint {
  static func cannotWrite(_ name: String, _ error: any Error) -> Complaint {
    // On Linux, Foundation does not pass the system's error on.
    let isUnknown = (error as? CocoaError)?.code == .fileWriteUnknown
    let reason =
      SystemError(error).map(\.description)
      ?? (isUnknown ? "its reader may have ended" : error.localizedDescription.asClause)
    return Complaint("\(name) cannot be written: \(reason).")
  }
}

/// Fails if the standard output is closed.
///
/// Otherwise the next file that is opened would take its place, and receive the output.
func checkOutput() throws {
  if fcntl(STDOUT_FILENO, F_GETFD) < 0 { throw Complaint("The standard output is closed.") }
}

/// Prints to the standard output, and fails if that is not possible.
func printOrFail(_ text: String) throws {
  do {
    try writeAll(Data((text + "\n").utf8), to: STDOUT_FILENO)
  } catch {
    throw Complaint.cannotWrite("The standard output", error)
  }
}

private func writeAll(_ data: Data, to descriptor: Int32) throws {
  try data.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError.last }
      rest = rest.dropFirst(count)
    }
  }
}
