import Foundation
import Testing

/// What the documentation says about files and tests of this package.
@Suite("References in the documentation")
struct ReferenceTests {
  @Test(
    "What the README and the changelog link to is there", arguments: ["README.md", "CHANGELOG.md"])
  func links(path: String) {
    for line in Document.lines(of: path) where line.contains("](") {
      for match in line.matches(of: /\]\(([^)]+)\)/) where !match.1.hasPrefix("http") {
        // Badges: GitHub has the pages of workflows above the files.
        let file = match.1.replacing(
          /^\.\.\/\.\.\/actions\/(workflows\/\w+\.yml)(\/badge\.svg)?$/, with: { ".github/\($0.1)" }
        )
        #expect(exists(file), "\(path) links to \(match.1)")
      }
    }
  }

  @Test("Paths of this package that texts name are there", arguments: Document.texts)
  func paths(document: Document) {
    for line in document.paths.flatMap(Document.lines) {
      for word in line.split(separator: "`") where Self.folders.contains(where: word.hasPrefix) {
        #expect(word.contains(" ") || exists(word), "\(document.name) names \(word)")
      }
    }
  }

  @Test("Suites that commands single out are there", arguments: Document.texts)
  func filters(document: Document) {
    for line in document.paths.flatMap(Document.lines) where line.contains("--filter ") {
      for match in line.matches(of: /--filter ([A-Za-z]+)/) {
        let isThere = Self.suites.contains { $0.contains(match.1) }
        #expect(isThere, "\(document.name) singles out \(match.1)")
      }
    }
  }

  private static let folders = ["Sources/", "Tests/", "Playground-free-examples/", ".ci/"]

  /// The names of all test files and targets.
  private static let suites: [Substring] = Document.files(below: "Tests").flatMap {
    $0.split(separator: "/").map { $0.prefix { $0 != "." } }
  }

  private func exists(_ path: some StringProtocol) -> Bool {
    FileManager.default.fileExists(atPath: Document.root.appendingPathComponent(String(path)).path)
  }
}
