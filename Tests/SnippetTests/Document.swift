import Foundation
import Testing

/// A text with code in it: the README, an article, or the comments of a module.
struct Document: Sendable, CustomTestStringConvertible {
  /// A stretch of code between two fences.
  struct Block: Sendable {
    let language: String
    /// The file, below the package's folder.
    let path: String
    /// The number of the first line, counted from 1.
    let firstLine: Int
    let lines: [String]

    var text: String { lines.joined(separator: "\n") }
    var imports: [String] { lines.filter { $0.hasPrefix("import ") } }
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The README and all articles.
  static let texts: [Document] =
    (["README.md"] + files(below: "Sources").filter { $0.hasSuffix(".md") }).map(Document.init)

  /// All texts with links, by path.
  static let linked =
    texts.map(\.path)
    + ["CHANGELOG.md", ".github/CONTRIBUTING.md", "Playground-free-examples/README.md"]
    + files(below: "Tests").filter { $0.hasSuffix(".md") }

  /// All texts in which there is Swift code, and all sources with such comments.
  static let all: [Document] =
    (texts + files(below: "Sources").filter { $0.hasSuffix(".swift") }.map(Document.init))
    .filter { !$0.blocks("swift").isEmpty }

  /// The path with dashes, which names a file.
  let name: String
  let path: String
  private let blocks: [Block]

  var testDescription: String { path }

  private init(path: String) {
    self.path = path
    name = path.replacing("/", with: "-")
    let lines = Document.lines(of: path)
    let code = path.hasSuffix(".swift") ? lines.map(Document.comment) : lines
    blocks = Document.blocks(in: code, at: path)
  }

  func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }

  static func lines(of path: String) -> [String] {
    let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    return (text ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// A text without its blocks of code and its code font.
  static func prose(of path: String) -> String {
    var isCode = false
    let prose = lines(of: path).filter { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isCode && !isFence
    }
    return prose.joined(separator: "\n").replacing(/``?[^`]+``?/, with: "")
  }

  /// The files below a folder of the package, in order.
  static func files(below folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (all?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
  }

  /// The text of a line in a documentation comment; empty for any other line.
  private static func comment(_ line: String) -> String {
    let text = line.drop { $0 == " " }
    guard text.hasPrefix("///") else { return "" }
    return String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
  }

  private static func blocks(in lines: [String], at path: String) -> [Block] {
    var blocks: [Block] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      guard let opening = start else {
        start = index
        continue
      }
      blocks.append(
        Block(
          language: String(lines[opening].dropFirst(3)), path: path, firstLine: opening + 2,
          lines: Array(lines[opening + 1..<index])))
      start = nil
    }
    return blocks
  }
}
