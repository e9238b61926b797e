import Foundation

/// The declarations that a document's blocks need around them, with a place for each block.
///
/// A place is a comment, `//@` and the first line of the block. The block replaces it, without its
/// imports, which the frame must have. Errors name the lines of the document. Within an expression,
/// where Swift allows no `#sourceLocation`, the place is `//=`.
struct Frame {
  struct Misfit: Error, CustomStringConvertible {
    let description: String
  }

  let path: String
  private let document: Document
  private let lines: [String]

  init(_ document: Document) {
    self.document = document
    path = "Tests/SnippetTests/Frames/\(document.name).swift"
    lines = Document.lines(of: path)
  }

  /// - Parameter change: A mistake to plant in a line of the document.
  /// - Returns: The frame with each block in its place.
  func filled(change: (String) -> String = { $0 }) throws -> String {
    var blocks = document.blocks("swift")
    var filled: [String] = []
    for line in lines {
      let indent = line.prefix { $0 == " " }
      let text = line.dropFirst(indent.count)
      guard text.hasPrefix("//@ ") || text.hasPrefix("//= ") else {
        filled.append(line)
        continue
      }
      let first = text.dropFirst(4)
      guard let index = blocks.firstIndex(where: { $0.lines.first.map { $0 == first } ?? false })
      else {
        throw Misfit(description: "\(path): there is no such block (any more): \(first)")
      }
      let block = blocks.remove(at: index)
      let code = try block.lines.map { try self.line($0, after: indent, change) }
      // Swift accepts no two files of one name in a module, and there are several READMEs.
      let file =
        block.path.hasSuffix("/README.md") ? block.path.replacing("/", with: "-") : block.path
      let location = "#sourceLocation(file: \"\(file)\", line: \(block.firstLine))"
      filled += text.hasPrefix("//@") ? [location] + code + ["#sourceLocation()"] : code
    }
    if let block = blocks.first {
      throw Misfit(description: "\(path) has no place for \(block.path):\(block.firstLine)")
    }
    return filled.joined(separator: "\n")
  }

  private func line(
    _ line: String, after indent: Substring, _ change: (String) -> String
  ) throws -> String {
    guard line.hasPrefix("import ") else { return line.isEmpty ? "" : indent + change(line) }
    guard lines.contains(where: { $0.hasSuffix(line) }) else {
      throw Misfit(description: "\(path) lacks “\(line)”")
    }
    return ""
  }
}
