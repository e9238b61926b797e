import Foundation

/// Reads the text of a file, or of a pipe up to its end.
func readText(_ path: String) throws -> String {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else {
    guard errno != ENOENT else { throw Complaint("There is no file '\(path)'.") }
    throw Complaint("'\(path)' cannot be read: \(lastError).")
  }
  defer { close(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(file, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    if count < 0, errno == EISDIR { throw Complaint("'\(path)' is a folder, not a recording.") }
    guard count >= 0 else { throw Complaint("'\(path)' cannot be read: \(lastError).") }
    if count == 0 { break }
    bytes += buffer[..<count]
    // A file without an end would fill the memory.
    if buffer[..<count].contains(0) { throw Complaint.noText(path) }
    if bytes.count > 1 << 28 {
      throw Complaint("'\(path)' is not a recording: it has over 256 MB.")
    }
  }
  guard let text = String(data: Data(bytes), encoding: .utf8) else {
    throw Complaint.noText(path)
  }
  return text
}

extension Complaint {
  fileprivate static func noText(_ path: String) -> Complaint {
    Complaint("'\(path)' is not a recording: it is not text.")
  }
}

/// Writes a file in place of one that may be there.
func writeFile(_ text: String, _ path: String) throws {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard file >= 0 else { throw Complaint("'\(path)' cannot be written: \(lastError).") }
  defer { close(file) }
  try write(text, to: file, name: "'\(path)'")
}

/// Fails if the standard output is closed.
///
/// Otherwise the next file that is opened would take its place, and receive the output.
func checkOutput() throws {
  if fcntl(STDOUT_FILENO, F_GETFD) < 0 { throw Complaint("The standard output is closed.") }
}

/// Prints to the standard output, and fails if that is not possible.
func printOrFail(_ text: String, to file: Int32 = STDOUT_FILENO) throws {
  try write(text + "\n", to: file, name: "The standard output")
}

private func write(_ text: String, to file: Int32, name: String) throws {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw Complaint("\(name) cannot be written: \(lastError).") }
    rest = rest.dropFirst(count)
  }
}

/// The words for the last error of the system on this thread.
private var lastError: String { String(cString: strerror(errno)) }
