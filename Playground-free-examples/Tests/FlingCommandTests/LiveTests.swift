import Foundation
import Testing

@testable import fling

@Suite("The live rows of fling")
struct LiveTests {
  @Test("have documents that change, each with the number of its row")
  func documents() throws {
    let options = try Options.parse(["--latency", "0", "--live", "10"])
    let content = OriginContent(count: 10, files: nil, options: options)
    let fingerprints = try ["/rows/3.json", "/rows/3.json", "/next/3.json", "/next/3.json"].map {
      path in
      guard case .document(let data) = content.answer(path) else { throw DocumentFault.empty }
      let document = try RowDocument(json: data, row: 3)
      #expect(!document.namesAnotherRow)
      return document.fingerprint
    }
    #expect(fingerprints[0] == fingerprints[1], "the document of a load")
    #expect(Set(fingerprints).count == 3)
  }

  @Test("have no changes without --live")
  func withoutLive() throws {
    let content = OriginContent(count: 10, files: nil, options: try Options.parse([]))
    guard case .failure(status: 404) = content.answer("/next/3.json") else {
      Issue.record("The path has a reply.")
      return
    }
  }

  @Test("have their streams in the report, and the plain recipe has none")
  func report() {
    var figures = Figures.sample()
    (figures.streams, figures.streamsAtOnce, figures.changes) = (42, 14, 250)
    let runs = [(name: "A", figures: figures), (name: "B", figures: Figures.sample())]
    let lines = Report(runs: runs, end: nil).table.components(separatedBy: "\n")
    for (name, value) in [
      ("streams of live rows", 42), ("  at once", 14), ("changes that came", 250),
    ] {
      let line = lines.first { $0.hasPrefix(name) }
      #expect(line?.split(separator: " ").suffix(2) == ["\(value)", "0"])
    }
    let plain = Report(runs: [runs[1]], end: nil).table
    #expect(!plain.contains("streams"))
  }
}
