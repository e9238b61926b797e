import Foundation
import Testing

/// The files and tests of this package that the documentation names.
@Suite("References in the documentation")
struct ReferenceTests {
  @Test("Links and pictures lead to files", arguments: Document.linked)
  func links(path: String) {
    let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    let links = Links(in: Document.prose(of: path), isInCatalogue: path.contains(".docc/"))
    for link in links.paths {
      #expect(exists(folder + link), "\(path) links to \(link)")
    }
    #expect(links.faults.isEmpty, "\(path)")
  }

  @Test("The check finds links that their reader cannot follow")
  func brokenLinks() {
    let text = "<doc:A>, [b](doc:B#Part), [c](C.md), [d](https://d.org), ![E](E.svg)"
    let article = Links(in: text, isInCatalogue: true)
    #expect(article.faults == ["[c](C.md)"])
    #expect(article.paths.sorted() == ["A.md", "B.md", "C.md", "E.svg"])
    let readme = Links(in: text, isInCatalogue: false)
    #expect(readme.faults == ["[b](doc:B#Part)", "<doc:A>"])
  }

  @Test("Paths of this package that texts name are there", arguments: Document.texts)
  func paths(document: Document) {
    for line in Document.lines(of: document.path) {
      for word in line.split(separator: "`") where Self.folders.contains(where: word.hasPrefix) {
        #expect(word.contains(" ") || exists(word), "\(document.path) names \(word)")
      }
    }
  }

  @Test("Suites that commands single out are there", arguments: Document.texts)
  func filters(document: Document) {
    for line in Document.lines(of: document.path) where line.contains("--filter ") {
      for match in line.matches(of: /--filter ([A-Za-z]+)/) {
        let isThere = Self.suites.contains { $0.contains(match.1) }
        #expect(isThere, "\(document.path) singles out \(match.1)")
      }
    }
  }

  @Test("The suites that “Bugs that it prevents” names are there")
  func bugs() throws {
    let page = try #require(Document.texts.first { $0.path.hasSuffix("BugsItPrevents.md") })
    let named = Document.lines(of: page.path).compactMap { $0.firstMatch(of: /`(\w+Tests)`/)?.1 }
    #expect(named.count == 18)
    for suite in named { #expect(Self.suites.contains(suite)) }
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
