import Foundation

/// Fails if the standard output is closed.
///
/// Otherwise the next file that is opened would take its place, and receive the output.
public func checkOutput() throws {
  if fcntl(STDOUT_FILENO, F_GETFD) < 0 { throw Complaint("The standard output is closed.") }
}

/// Prints a text and the end of its line, and fails if that is not possible.
public func printOrFail(_ text: String, to file: Int32 = STDOUT_FILENO) throws {
  try write(text + "\n", to: file, name: "The standard output")
}

/// Fails if a file cannot be written, before a long run is in vain.
///
/// A file that is there stays as it is, and no other one is left behind.
public func checkFile(_ path: String) throws {
  let isNew = access(path, F_OK) != 0
  close(try openFile(path, O_CREAT))
  if isNew { unlink(path) }
}

/// Writes a file, in place of what it had before.
public func writeFile(_ text: String, to path: String) throws {
  let file = try openFile(path, O_CREAT | O_TRUNC)
  defer { close(file) }
  try write(text, to: file, name: path)
}

private func openFile(_ path: String, _ flags: Int32) throws -> Int32 {
  let file = open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
  guard file >= 0 else { throw Complaint.cannotWrite(path) }
  return file
}

private func write(_ text: String, to file: Int32, name: String) throws {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw Complaint.cannotWrite(name) }
    rest = rest.dropFirst(count)
  }
}
