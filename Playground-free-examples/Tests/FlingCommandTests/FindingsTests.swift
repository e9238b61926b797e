import Foundation
import Testing

@testable import fling

@Suite("What fling finds on screen")
struct FindingsTests {
  private func document(_ json: String, row: Int = 0) throws -> RowDocument {
    try RowDocument(json: Data(json.utf8), row: row)
  }

  @Test("counts a row as checked if its document says its row, or if its bytes are known")
  func checked() throws {
    var findings = Findings()
    findings.saw(try document(#"{"row": 1}"#), in: 1, wasSent: nil)
    findings.saw(try document("{}"), in: 2, wasSent: nil)
    findings.saw(RowDocument(file: Data([3]), row: 3), in: 3, wasSent: true)
    findings.saw(RowDocument(file: Data([4]), row: 4), in: 4, wasSent: false)
    findings.saw(RowDocument(file: Data([5]), row: 4), in: 4, wasSent: true)
    #expect(findings.shown.count == 4)
    #expect(findings.checkedRows == [1, 3, 4])
    #expect(findings.wrongRows == [4])
  }

  @Test("has no time to loaded for a rest with failed rows")
  func rests() {
    var findings = Findings()
    findings.restEnded(after: .seconds(9), notLoaded: 3)
    #expect(findings.longestRest == nil)
    findings.restEnded(after: .zero, notLoaded: 0)
    findings.restEnded(after: .seconds(2), notLoaded: 0)
    findings.restEnded(after: .seconds(1), notLoaded: 0)
    #expect(findings.longestRest == .seconds(2))
    #expect(findings.notLoadedAfterwards == 3)
  }

  @Test("reads any JSON object, and the row only if it is a whole number")
  func documents() throws {
    let named = try document(#"{"row": 17, "title": 5, "text": [1]}"#)
    #expect(named.row == 17 && named.namesRow)
    for json in [#"{"row": "17"}"#, #"{"row": 1.5}"#, #"{"row": null}"#, "{}"] {
      let document = try document(json, row: 3)
      #expect(document.row == 3 && !document.namesRow)
    }
  }

  @Test("says why bytes are no document")
  func faults() {
    for (json, fault) in [
      ("", DocumentFault.empty), ("<html>", .notJSON), ("{\"row\": ", .notJSON),
      ("[1, 2]", .noObject), ("17", .noObject), ("null", .noObject),
    ] {
      #expect(throws: fault) { try document(json) }
    }
  }

  @Test("reads its own documents")
  func wire() throws {
    let document = try RowDocument(json: WireDocument.madeUp(for: 23).data, row: 99)
    #expect(document.row == 23 && document.namesRow)
  }
}
