import Foundation
import Testing

@testable import fling

@Suite("The field of a row's number")
struct NumberFieldTests {
  @Test("is a name, or names with dots between them")
  func names() throws {
    #expect(try NumberField("id").names == ["id"])
    #expect(try NumberField("data.id").names == ["data", "id"])
    #expect(try NumberField("data.id").description == "data.id")
    for text in ["", ".", "id.", ".id", "a..b"] {
      let complaint = #expect(throws: Complaint.self) { try NumberField(text) }
      #expect(complaint?.description.hasSuffix("not '\(text)'.") == true)
    }
  }

  @Test("has a whole number in it, or none")
  func numbers() throws {
    func number(_ field: String, _ json: String) throws -> Int? {
      try NumberField(field).number(in: Data(json.utf8))
    }
    #expect(try number("id", #"{"id": 7, "row": 9}"#) == 7)
    #expect(try number("a.b.c", #"{"a": {"b": {"c": -7}}}"#) == -7)
    #expect(try number("id", #"{"id": "7"}"#) == 7)
    for json in [
      #"{"row": 7}"#, #"{"id": "u7"}"#, #"{"id": 7.5}"#, #"{"id": true}"#, #"{"id": {"id": 7}}"#,
      "{}",
    ] {
      #expect(try number("id", json) == nil)
    }
    #expect(try number("a.b", #"{"a": 7}"#) == nil)
    #expect(try number("a.b", #"{"a": [{"b": 7}]}"#) == nil)
    #expect(throws: (any Error).self) { try number("id", "[7]") }
  }

  @Test("is compared with the row that asked")
  func comparison() throws {
    func document(_ row: Int, _ json: String) throws -> RowDocument {
      try RowDocument(
        json: Data(json.utf8), row: row, first: 1, number: try NumberField("data.id"))
    }
    #expect(try document(6, #"{"data": {"id": 7}, "row": 1}"#).namedRow == 6)
    #expect(try document(6, #"{"data": {"id": 6}}"#).namesAnotherRow)
    #expect(try document(6, #"{"row": 7}"#).namedRow == nil)
    #expect(throws: DocumentFault.noObject) { try document(6, "[7]") }
  }
}

@Suite("The likely numbers of rows")
struct LikelyNumbersTests {
  private func likeliest(_ count: Int, _ json: (Int) -> String) -> String? {
    var numbers = LikelyNumbers()
    for row in 0..<count { numbers.see(Data(json(row).utf8), number: row + 3) }
    return numbers.likeliest?.description
  }

  @Test("are those that equal the number of the row in all documents")
  func all() {
    #expect(likeliest(5) { #"{"id": \#($0 + 3), "likes": \#($0 * 2 + 3)}"# } == "id")
    #expect(likeliest(5) { #"{"a": {"b": {"id": \#($0 + 3)}, "n": 1}}"# } == "a.b.id")
    #expect(likeliest(5) { #"{"index": \#($0 + 3), "id": \#($0 + 3)}"# } == "id")
    #expect(likeliest(5) { #"{"id": \#($0 + 4)}"# } == nil)
    #expect(likeliest(5) { #"{"id": \#($0 < 4 ? $0 + 3 : 9)}"# } == nil)
    #expect(likeliest(5) { #"{"id": "\#($0 + 3)"}"# } == "id")
    #expect(likeliest(5) { #"{"id": "u\#($0 + 3)"}"# } == nil)
    for character in ["\\u001b", "\\u009b", "\\u202e", "\\u2028"] {
      #expect(likeliest(5) { "{\"i\(character)d\": \($0 + 3)}" } == nil)
    }
    #expect(likeliest(5) { #"{"a.b": \#($0 + 3), "": \#($0 + 3)}"# } == nil)
  }

  @Test("need five documents of different rows")
  func few() {
    #expect(likeliest(4) { #"{"id": \#($0 + 3)}"# } == nil)
    var numbers = LikelyNumbers()
    for _ in 0..<9 { numbers.see(Data(#"{"id": 3}"#.utf8), number: 3) }
    #expect(numbers.likeliest == nil)
  }
}
