import Foundation
import Testing

@testable import fling

@Suite("The tally of replies")
struct ReplyTallyTests {
  private func tally(_ replies: [(row: Int, json: String)], first: Int = 0) throws -> ReplyTally {
    var tally = ReplyTally()
    for (row, json) in replies {
      let document = try RowDocument(json: Data(json.utf8), row: row, first: first)
      tally.add(document, first: first, requestedAt: "http://a/\(row)")
    }
    return tally
  }

  /// What the numbers mean if so many documents have that of their row, and so many another one.
  private func numbers(_ own: Int, _ other: Int) throws -> RowNumbers {
    let replies = (0..<own).map { (row: $0, json: "{\"row\": \($0)}") }
    let others = (0..<other).map { (row: $0, json: "{\"row\": \($0 + 1)}") }
    return try RowNumbers([tally(replies), tally(others)])
  }

  @Test("takes a number for that of the row if nine of ten documents agree, and five at least")
  func meaning() throws {
    for (own, other, expected) in [
      (0, 0, RowNumbers.absent), (1, 0, .rows), (185, 2, .rows), (49, 1, .rows), (9, 1, .rows),
      (90, 10, .rows), (89, 10, .unclear), (4, 1, .unclear), (8, 1, .unclear), (0, 1, .unclear),
      (7, 180, .unclear),
    ] {
      #expect(try numbers(own, other) == expected)
    }
  }

  @Test("keeps the first document of another row, by the numbers of the server")
  func example() throws {
    let tally = try tally(
      [
        (4, #"{"row": 5}"#), (5, #"{"row": 7}"#), (6, #"{"row": 8}"#), (7, "{}"),
        (8, #"{"row": "x"}"#),
      ], first: 1)
    #expect(tally.namingOwnRow == 1 && tally.namingAnotherRow == 2)
    #expect(
      tally.misnamed == MisnamedReply(row: 5, number: 6, namedNumber: 7, redirectedTo: nil))
    #expect(tally.difference == 1)
  }

  @Test("has a difference only if it is the same in several documents")
  func difference() throws {
    for (numbers, expected) in [
      ([0, 1], nil), ([1], nil), ([1, 2], 1), ([1, 1, 3], 1), ([1, 1, 1], nil), ([1, 1, 4], nil),
    ] as [([Int], Int?)] {
      let replies = numbers.enumerated().map { (row: $0, json: "{\"row\": \($1)}") }
      #expect(try tally(replies).difference == expected)
    }
  }

  /// Adds the row's document, with a number in it that differs from reply to reply, or not.
  private func shared(
    _ targets: [String?], _ part: (ReplyTally) -> String? = { $0.sharedTarget },
    json: (Int) -> String = { _ in "{}" }
  ) throws -> String? {
    var tally = ReplyTally()
    for (row, target) in targets.enumerated() {
      let document = try RowDocument(json: Data(json(row).utf8), row: row)
      tally.add(document, requestedAt: "http://a/list?row=\(row)", redirectedTo: target)
    }
    return part(tally)
  }

  @Test("finds the one document that all rows were redirected to")
  func redirects() throws {
    let one = "http://a/login"
    let asked = (0..<4).map { "\(one)?next=\($0)" }
    #expect(try shared([one, one, one]) == one)
    #expect(try shared([one, one, one], json: { "{\"time\": \($0)}" }) == one)
    #expect(try shared(asked) == one)
    #expect(
      try shared(asked, json: { "{\"time\": \($0)}" }) == nil,
      "Each row has a document of its own.")
    #expect(try shared([nil, "http://a/list?row=0", "http://a/list?row=0"]) == "http://a/list")
    #expect(try shared([one, one]) == nil, "Two rows may have one document.")
    #expect(try shared([one, one, one, nil]) == nil)
    #expect(try shared(["http://a/0", "http://a/1", "http://a/2"]) == nil)
    #expect(try shared([nil, nil, nil]) == nil, "Nothing was redirected.")
  }

  @Test("finds the document that answers most rows, three at least")
  func sharedDocument() throws {
    func shared(_ documents: [(row: Int, json: String)]) throws -> SharedDocument? {
      try tally(documents).sharedDocument
    }
    let same = (4..<7).map { (row: $0, json: "{}") }
    #expect(
      try shared(same)
        == SharedDocument(rows: 3, firstRow: 4, isOnlyOne: true, isForMost: false))
    #expect(try shared(Array(same.prefix(2))) == nil)
    #expect(try shared(Array(repeating: same[0], count: 3)) == nil, "One row loads three times.")
    let more = (4..<9).map { (row: $0, json: "{}") }
    let others = (9..<14).map { (row: $0, json: "{\"row\": \($0)}") }
    #expect(
      try shared(others.prefix(4) + more)
        == SharedDocument(rows: 5, firstRow: 4, isOnlyOne: false, isForMost: true))
    #expect(try shared(others + more)?.isForMost == false, "It is one half.")
    #expect(try shared(others.prefix(1) + same)?.isForMost == false, "They are too few.")
    #expect(try shared(same + [(4, "{ }")]) == nil, "The last document of a row counts.")
  }

  @Test("counts the rows whose last document has no number")
  func withoutNumber() throws {
    let own = #"{"row": 1}"#
    let tally = try tally([(3, "{}"), (2, "{}"), (1, "{}"), (1, own)])
    #expect(tally.withoutNumber?.count == 2 && tally.withoutNumber?.first == 2)
    #expect(ReplyTally().withoutNumber == nil)
  }

  @Test("has a number of other rows only if it is the same in several documents")
  func onlyNumber() throws {
    for (numbers, expected) in [([5], nil), ([5, 5], 5), ([5, 6], nil), ([0, 5, 5], 5)] {
      let replies = numbers.enumerated().map { (row: $0, json: "{\"row\": \($1)}") }
      #expect(try tally(replies).onlyNumber == expected)
    }
  }

  @Test("finds the one path that all rows were redirected to, with documents of their own")
  func redirectsToPath() throws {
    func path(_ targets: [String?], time: (Int) -> Int = { $0 }) throws -> String? {
      try shared(targets, { $0.sharedPath }, json: { "{\"time\": \(time($0))}" })
    }
    let asked = (0..<3).map { "http://a/login?next=\($0)" }
    #expect(try path(asked) == "http://a/login")
    #expect(try path(asked) { _ in 0 } == nil, "They have one document.")
    #expect(try path(Array(asked.prefix(2))) == nil)
    #expect(try path(asked + [nil]) == nil)
    #expect(try path(asked + ["http://a/3"]) == nil)
  }
}
