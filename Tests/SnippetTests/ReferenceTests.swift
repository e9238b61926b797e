import Foundation
import Testing

/// The files and tests of this package that the documentation names.
@Suite("References in the documentation")
struct ReferenceTests {
  @Test("Links and pictures lead to files, on GitHub and in DocC", arguments: Document.linked)
  func links(path: String) {
    let folder = path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    let links = Links(in: Document.prose(of: path))
    for link in links.paths {
      #expect(exists(folder + link), "\(path) links to \(link)")
    }
    #expect(links.faults.isEmpty, "\(path)")
  }

  @Test("No article has a link that DocC takes for a web page")
  func plainLinks() {
    for path in Document.linked where path.contains(".docc/") {
      let text = Document.prose(of: path)
      for match in text.matches(of: /\]\(([^):]+\.md[^)]*)\)/) {
        Issue.record("\(path): DocC does not find \(match.1)")
      }
    }
  }

  @Test("The check finds links that only one reader can follow")
  func brokenLinks() {
    #expect(Links(in: "See <doc:GettingStarted>.").faults.count == 1)
    #expect(Links(in: "See [it](doc:GettingStarted).").faults.count == 1)
    #expect(Links(in: #"[<a href="A.md">A</a>](doc:B)"#).faults.count == 1)
    let good = Links(
      in: #"[<a href="A.md#Part">A</a>](doc:A#Part), ![B](B.svg), <img src="C.svg">"#)
    #expect(good.faults.isEmpty)
    #expect(good.paths.sorted() == ["A.md", "B.svg", "C.svg"])
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
