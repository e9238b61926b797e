import Foundation

/// The Swift blocks of a text as files that compile, among the names of `Prelude`.
///
/// A file is a class of its own. Declarations are members of it, so that later blocks know them.
/// Statements are the body of a method. A block with imports is a whole file, and has no others.
/// Errors name the lines of the text.
struct Listing {
  private let document: Document
  private let page: String

  init(_ document: Document) {
    self.document = document
    page = "Page_" + String(document.name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// - Parameter change: A mistake to plant in a line of the document.
  /// - Returns: The sources of files, by name.
  func sources(change: (String) -> String = { $0 }) -> [String: String] {
    let blocks = Array(document.blocks("swift").enumerated())
    let parts = Dictionary(grouping: blocks) { $0.element.imports.isEmpty ? -1 : $0.offset }
    return Dictionary(
      uniqueKeysWithValues: parts.map { number, part in
        let blocks = part.map(\.element)
        let page = number < 0 ? page : "\(page)_\(number)"
        let placed = part.flatMap { place($0.element, in: "\(page)", $0.offset, change) }
        return ("\(page).swift", (header(of: blocks, page) + placed).joined(separator: "\n") + "\n")
      })
  }

  private func header(of blocks: [Document.Block], _ page: String) -> [String] {
    let named = blocks.flatMap(\.imports)
    let frameworks = Self.frameworks.filter { framework in
      blocks.contains { framework.isUsed(in: $0.text) } || named.contains(framework.line)
    }
    let plain = Set(named.isEmpty ? Self.modules.map { "import \($0)" } : named)
      .subtracting(Self.frameworks.map(\.line) + ["import FoundationNetworking"])
    return plain.sorted() + frameworks.flatMap { ["#if \($0.available)", $0.line, "#endif"] } + [
      "#if canImport(FoundationNetworking)", "import FoundationNetworking", "#endif",
      "@MainActor private final class \(page): Article {}",
    ]
  }

  private func place(
    _ block: Document.Block, in page: String, _ index: Int, _ change: (String) -> String
  ) -> [String] {
    let lines = block.lines.map { $0.hasPrefix("import ") ? "" : change($0) }
    // Swift accepts no two files of one name in a module.
    let file = block.path.hasSuffix("README.md") ? document.name : block.path
    let located =
      ["#sourceLocation(file: \"\(file)\", line: \(block.firstLine))"] + lines
      + ["#sourceLocation()"]
    let body = wrap(block, in: page, lines, located, index)
    let conditions = Set(Self.frameworks.filter { $0.isUsed(in: block.text) }.map(\.condition))
    guard !conditions.isEmpty else { return body }
    let condition = conditions.sorted().map { "(\($0))" }.joined(separator: " && ")
    return ["#if \(condition)"] + body + ["#endif"]
  }

  private func wrap(
    _ block: Document.Block, in page: String, _ lines: [String], _ located: [String], _ index: Int
  ) -> [String] {
    let text = block.text
    // No `#sourceLocation` may stand inside an expression.
    if let list = Self.lists.first(where: { text.hasPrefix($0.key) })?.value {
      let name = "\(page)_\(index)"
      return ["@MainActor private let \(name): [\(list)] = ["] + lines + ["]"]
    }
    if text.matches("(?m)^extension ") { return located }
    let member = ["extension \(page) {"]
    if text.matches("(?m)^(@Suite|@Test|nonisolated static)") {
      return member + ["@MainActor struct Tests\(index) {"] + located + ["}", "}"]
    }
    if text.hasPrefix("@State") {
      return member + ["@MainActor struct View\(index): View {"] + located
        + ["var body: some View { EmptyView() }", "}", "}"]
    }
    if block.lines.allSatisfy({ $0.matches(Self.declaration) }) {
      return member + located + ["}"]
    }
    if text.matches("^(List|ScrollView|TrackedRow|list\\.pagination)\\b") {
      return member + [
        "@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)",
        "@ViewBuilder func block\(index)() -> some View {",
      ] + located + ["}", "}"]
    }
    return member + ["func block\(index)() async throws {"] + located
      + Self.constants(in: text).map { "_ = \($0)" } + ["}", "}"]
  }

  /// What a block makes, perhaps for its readers alone; nothing may follow a call without an end.
  private static func constants(in text: String) -> [String] {
    if text.contains("dispatchMain()") { return [] }
    return text.matches(of: /(?m)^(?:let|var) (\w+)/).map { String($0.1) }
  }

  /// A line that a type may have among its members.
  private static let declaration =
    "^$|^[ })\\]/#@]|^import |^((public|private|final|nonisolated|indirect) )*"
    + "(struct|class|enum|actor|protocol|func|typealias|init|var \\w+: [^=]*\\{)"

  private static let modules = [
    "AsyncOperations", "Foundation", "RowInspector", "RowOperations", "RowOperationsTesting",
  ]

  private static let lists = [
    ".package(": "Package.Dependency", ".product(": "Target.Dependency", ".testTarget(": "Target",
  ]

  /// A module that not all systems have.
  private struct Framework: Sendable {
    let line: String
    let condition: String
    let pattern: String

    /// Where the module is; the prelude may have its names elsewhere too.
    var available: String { condition.components(separatedBy: " || ")[0] }

    func isUsed(in text: String) -> Bool { text.matches(pattern) }
  }

  private static let frameworks = [
    // Older Apple systems lack a part of a program for a terminal.
    Framework(line: "import Glibc", condition: "os(Linux)", pattern: "dispatchMain\\(\\)"),
    Framework(
      line: "import PackageDescription", condition: "canImport(PackageDescription)",
      pattern: "^\\.(package|product|testTarget)\\(|import PackageDescription"),
    Framework(
      line: "import Testing", condition: "canImport(Testing)", pattern: "@Test|@Suite|#expect"),
    Framework(
      line: "import SwiftUI", condition: "canImport(SwiftUI)",
      pattern: "SwiftUI|TrackedRow|: View\\b|ScrollView|EnvironmentKey|ObservableObject"
        + "|DecodedPicture\\(|InspectorOverlay|trackedRows|\\.pagination\\("),
    Framework(
      line: "import UIKit", condition: "canImport(UIKit) && !os(watchOS)",
      pattern: "\\bUI(?!Image\\b)[A-Z]|ListTracking|tracking\\.[^p]|CATransition"),
    Framework(
      line: "import AppKit",
      condition: "canImport(AppKit) && !targetEnvironment(macCatalyst) || !canImport(UIKit)",
      pattern: "NS(Table|View|Collection|Outline|Hosting)|noteHeightOfRows"),
  ]
}

extension String {
  fileprivate func matches(_ pattern: String) -> Bool {
    range(of: pattern, options: .regularExpression) != nil
  }
}
