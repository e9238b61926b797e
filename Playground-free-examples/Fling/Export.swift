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
    try? FileManager.default.createDirectory(at: rows, withIntermediateDirectories: true)
    // If there is no folder yet, this has the reason.
    if mkdir(rows.path, 0o777) != 0, errno != EEXIST {
      throw Complaint("The folder \(rows.path) cannot be made: \(SystemError.last).")
    }
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

  /// What was written, and how to serve it.
  var report: String {
    let names = count == 1 ? "rows/0.json" : "rows/0.json to rows/\(count - 1).json"
    let size = bytes < 100_000 ? "\(bytes) bytes" : String(format: "%.1f MB", Double(bytes) / 1e6)
    let rows = count == 10_000 ? "" : " --rows \(count)"
    return """
      Wrote \(names) into \(folder): \(size).
      To serve them: python3 -m http.server 8000 --bind 127.0.0.1 --directory \(quotedFolder)
      To fling them: swift run fling --origin http://127.0.0.1:8000\(rows)
      """
  }

  /// The folder as a word of a shell.
  private var quotedFolder: String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")
    if folder.allSatisfy(plain.contains), !folder.hasPrefix("-") { return folder }
    return "'" + folder.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
  }
}
