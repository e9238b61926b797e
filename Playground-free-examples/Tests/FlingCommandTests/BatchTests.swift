import Foundation
import Testing

@testable import fling

@Suite("The batches of fling")
struct BatchTests {
  /// The reply of the command's own server.
  private func reply(_ path: String) throws -> Data? {
    let options = try Options.parse(["--latency", "0", "--batch", "50"])
    let content = OriginContent(count: 10, files: nil, options: options)
    guard case .document(let data) = content.answer(path) else { return nil }
    return data
  }

  @Test("have a document for each row of the request")
  func documents() throws {
    let data = try #require(try reply("/rows-of/3,7.json"))
    let documents = try RowDocument.documents(json: data, rows: [3, 7, 8])
    #expect(documents.keys.sorted() == [3, 7], "row 8 is not in the reply")
    let single = try #require(try reply("/rows/7.json"))
    #expect(documents[7] == (try RowDocument(json: single, row: 7)))
    #expect(documents.values.allSatisfy { !$0.namesAnotherRow })
  }

  @Test(
    "are refused if they are malformed or have a row that the list lacks",
    arguments: ["/rows-of/.json", "/rows-of/3,x.json", "/rows-of/3,10.json", "/rows/3,7.json"])
  func malformed(path: String) throws {
    #expect(try reply(path) == nil)
  }

  @Test(
    "fail as a whole if the reply is not an object of texts", arguments: ["", "[1]", "{\"3\": 4}"])
  func replies(text: String) {
    #expect(throws: DocumentFault.self) {
      try RowDocument.documents(json: Data(text.utf8), rows: [3])
    }
  }

  @Test("have their requests in the report, beside the loads of the plain recipe")
  func report() {
    var figures = Figures.sample()
    figures.batches = 12
    let runs = [(name: "A", figures: figures), (name: "B", figures: Figures.sample())]
    let table = Report(runs: runs, end: nil).table
    let line = table.components(separatedBy: "\n").first { $0.hasPrefix("requests for them") }
    #expect(line?.contains(" 12 ") == true)
    let single = Report(runs: [runs[1]], end: nil).table
    #expect(!single.contains("requests"))
  }
}
