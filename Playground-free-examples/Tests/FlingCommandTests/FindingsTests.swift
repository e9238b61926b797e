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
    findings.saw(try document(#"{"row": 1}"#, row: 1), in: 1, wasSent: nil)
    findings.saw(try document("{}", row: 2), in: 2, wasSent: nil)
    findings.saw(RowDocument(file: Data([3]), row: 3), in: 3, wasSent: true)
    findings.saw(RowDocument(file: Data([4]), row: 4), in: 4, wasSent: false)
    findings.saw(RowDocument(file: Data([5]), row: 4), in: 4, wasSent: true)
    #expect(findings.shown.count == 4)
    #expect(findings.checkedRows(.rows) == [1, 3, 4])
    #expect(
      findings.checkedRows(.unclear) == [3, 4], "the number of row 1 may mean something else")
    #expect(findings.mixedUpRows == [4])
  }

  @Test("judges a row by the request whose reply it shows, not by the words of the server")
  func asked() throws {
    var findings = Findings()
    let seat = try document(#"{"row": 5}"#, row: 17)
    #expect(seat.row == 17 && seat.namesAnotherRow)
    findings.saw(seat, in: 17, wasSent: nil)
    #expect(findings.mixedUpRows == [] && findings.misnamedRows == [17])
    findings.saw(seat, in: 5, wasSent: nil)
    #expect(findings.mixedUpRows == [5] && findings.misnamedRows == [17])
  }

  @Test("counts rows that were blank at a rest and never showed a value")
  func neverLoaded() throws {
    var findings = Findings()
    findings.stayedBlank([1, 2])
    findings.stayedBlank([2, 3])
    findings.saw(try document("{}", row: 3), in: 3, wasSent: nil)
    #expect(findings.neverLoaded == [1, 2])
  }

  @Test("has no time to loaded for a rest with failed rows")
  func rests() {
    var findings = Findings()
    #expect(findings.longestRest == nil)
    findings.restEnded(after: .zero, notLoaded: 0)
    findings.restEnded(after: .seconds(2), notLoaded: 0)
    findings.restEnded(after: .seconds(1), notLoaded: 0)
    #expect(findings.longestRest == .seconds(2))
    findings.restEnded(after: .seconds(9), notLoaded: 3)
    #expect(findings.longestRest == nil)
    #expect(findings.notLoadedAfterwards == 3)
  }

  @Test("reads any JSON object, and the row only if it is a whole number")
  func documents() throws {
    let named = try document(#"{"row": 17, "title": 5, "text": [1]}"#)
    #expect(named.row == 0 && named.namedRow == 17)
    let huge = #"{"row": 123456789012345678901234567890}"#
    for json in [#"{"row": "r17"}"#, #"{"row": 1.5}"#, #"{"row": null}"#, "{}", huge] {
      let document = try document(json, row: 3)
      #expect(document.row == 3 && document.namedRow == nil && !document.namesAnotherRow)
    }
  }

  @Test("says why bytes are no document")
  func faults() {
    for (json, fault) in [
      ("", DocumentFault.empty), ("<html>", .html), (" <!DOCTYPE html>", .html), ("<a>", .notJSON),
      ("{\"row\": ", .notJSON),
      ("[1, 2]", .noObject), ("17", .noObject), ("null", .noObject),
    ] {
      #expect(throws: fault) { try document(json) }
    }
  }

  @Test("says that more is nested than the decoder reads, and not that it is no JSON")
  func nesting() throws {
    func nested(_ depth: Int) -> String {
      #"{"row": 1, "text": "\"[[[", "a": "# + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}"
    }
    // The object is a level too.
    #expect(try document(nested(RowDocument.depthLimit - 1)).namedRow == 1)
    #expect(throws: DocumentFault.tooDeep) { try document(nested(RowDocument.depthLimit)) }
    let text = "\"" + String(repeating: "[", count: 1_000)
    #expect(throws: DocumentFault.notJSON) { try document(text) }
  }

  @Test("counts the rows of a server from its first number on")
  func first() throws {
    let json = Data(#"{"row": 8}"#.utf8)
    #expect(try !RowDocument(json: json, row: 7, first: 1).namesAnotherRow)
    #expect(try RowDocument(json: json, row: 8, first: 1).namesAnotherRow)
    let source = RowSource(
      count: 9, base: try #require(URL(string: "http://u:p@a/")), path: "/items/{row}",
      content: .foreign, slots: 1, first: 1)
    #expect(source.sentence(about: 7) == "Row 8 was requested at http://a/items/8.")
  }

  @Test("reads its own documents")
  func wire() throws {
    let document = try RowDocument(json: WireDocument.madeUp(for: 23).data, row: 99)
    #expect(document.row == 99 && document.namedRow == 23)
  }
}
