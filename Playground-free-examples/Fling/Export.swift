import Foundation

/// The documents of a list, written where another server can serve them from.
struct Export {
  let folder: String
  let count: Int
  let bytes: Int

  /// Writes the documents into `rows` inside a folder.
  ///
  /// - Parameters:
  ///   - isInterrupted: Read before each file.
  ///   - onProgress: Called before each file, with the number of those that are written.
  /// - Throws: A ``Complaint`` if a file cannot be written, or if the export is interrupted.
  static func write(
    _ count: Int, to folder: String, isInterrupted: () -> Bool = { false },
    onProgress: (Int) -> Void = { _ in }
  ) throws -> Export {
    let rows = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("rows")
    try makeFolder(rows.path)
    var bytes = 0
    for row in 0..<count {
      if isInterrupted() {
        throw Complaint(
          "interrupted; \(row) of \(count) documents are in \(rows.path)", exitStatus: 130)
      }
      onProgress(row)
      let file = try OutputFile(rows.appendingPathComponent("\(row).json").path)
      let document = try WireDocument.madeUp(for: row).data
      try file.write(document)
      bytes += document.count
    }
    return Export(folder: folder, count: count, bytes: bytes)
  }

  /// Makes a folder, and those that lead to it.
  private static func makeFolder(_ path: String, withParents: Bool = true) throws {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    let error = SystemError.last
    let parent = (path as NSString).deletingLastPathComponent
    guard withParents, error.number == ENOENT, !parent.isEmpty, parent != path else {
      throw Complaint("The folder \(path) cannot be made: \(error).")
    }
    try makeFolder(parent)
    try makeFolder(path, withParents: false)
  }

  /// What was written, and how to serve it.
  var report: String {
    let names = count == 1 ? "rows/0.json" : "rows/0.json to rows/\(count - 1).json"
    let size = bytes < 100_000 ? "\(bytes) bytes" : String(format: "%.1f MB", Double(bytes) / 1e6)
    let rows = count == 10_000 ? "" : " --rows \(count)"
    return """
      Wrote \(names) into \(folder): \(size).
      To serve them: python3 -m http.server 8000 --bind 127.0.0.1 --directory \(quotedFolder)
      To fling them, run fling again with --origin http://127.0.0.1:8000\(rows)
      """
  }

  /// The folder as a word of a shell.
  private var quotedFolder: String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")
    if folder.allSatisfy(plain.contains), !folder.hasPrefix("-") { return folder }
    return "'" + folder.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
