import Foundation

/// Why `disk-usage` cannot do its work, in a sentence.
struct Complaint: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension Complaint {
  /// - Parameter code: Why the system finds no folder by the path that a person gave.
  static func cannotFind(_ folder: Path, _ code: Int32) -> Complaint {
    let path = folder.withoutSlashesAtEnd
    let status = try? FileStatus(of: path)
    return switch (code, status?.isLink) {
    case (ENOENT, true):
      Complaint("\(path.quoted) is a symbolic link to something that is missing.")
    case (ELOOP, true): Complaint("\(path.quoted) is a symbolic link that leads back to itself.")
    case (ENOTDIR, false): Complaint("\(path.quoted) is a file, not a folder.")
    case (ENOTDIR, _): Complaint("\(folder.quoted) leads through a file.")
    default: cannotRead(folder, FileError(code))
    }
  }

  static func cannotRead(_ folder: Path, _ error: FileError) -> Complaint {
    switch error {
    case .gone: Complaint("There is no folder \(folder.quoted).")
    case .refused: Complaint("\(folder.quoted) cannot be read: \(error).")
    }
  }
}

extension Path {
  /// The path as a part of a sentence.
  var quoted: String { "'\(VisibleText(bytes).text)'" }
}

/// Fails if the standard output is closed.
///
/// Otherwise the next file that is opened would take its place, and receive the output.
func checkOutput() throws {
  if fcntl(STDOUT_FILENO, F_GETFD) < 0 { throw Complaint("The standard output is closed.") }
}

/// Prints to the standard output, and fails if that is not possible.
func printOrFail(_ text: String, to file: Int32 = STDOUT_FILENO) throws {
  var rest = Array((text + "\n").utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else {
      throw Complaint("The standard output cannot be written: \(String(cString: strerror(errno))).")
    }
    rest = rest.dropFirst(count)
  }
}
