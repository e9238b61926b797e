import Foundation
import Testing

@testable import fling

@Suite("The verdict of fling about a server")
struct ServerVerdictTests {
  private func verdict(_ figures: Figures...) -> Verdict {
    let runs = zip(["A", "B"], figures).map { (name: $0, figures: $1) }
    return Verdict(runs, nil) { "Row \($0) was requested at http://a/\($0)." }
  }

  private func misnamed(
    _ count: Int, _ numbers: RowNumbers, _ reply: MisnamedReply = .sample()
  ) -> Figures {
    .sample { figures in
      (figures.rowNumbers, figures.repliesNamingAnotherRow) = (numbers, count)
      figures.misnamedReply = reply
      (figures.rowsChecked, figures.wrongRows) = numbers == .rows ? (40, 2) : (0, nil)
    }
  }

  @Test("blames the server for a few documents of other rows, and not the list")
  func fewOthers() {
    let verdict = verdict(misnamed(2, .rows))
    #expect(
      verdict.remarks == [
        """
        The server answered 2 requests with another row's document: row 33 was answered with \
        row 34's document. Row 33 was requested at http://a/33. Each row showed what its own \
        request returned.
        """
      ])
    #expect(verdict.exitStatus == 1 && verdict.summary == nil)
    let one = self.verdict(.sample(), misnamed(1, .rows))
    #expect(one.remarks.first?.hasPrefix("B: The server answered 1 request with") == true)
  }

  @Test("blames the list for the reply to another row's request, beside the server")
  func mixedUp() {
    var figures = misnamed(2, .rows)
    figures.mixedUpRows = 1
    let verdict = verdict(figures)
    #expect(verdict.remarks.count == 2 && verdict.remarks.first == "WRONG ROWS: 1.")
    #expect(verdict.remarks.last?.contains("Each row showed") == false)
  }

  @Test("names the redirect that led to another row's document", arguments: RowNumbers.fromReplies)
  func redirect(numbers: RowNumbers) {
    let figures = misnamed(2, numbers, .sample(redirectedTo: "http://b/34"))
    #expect(
      verdict(figures).remarks.first?.contains(
        "34\(numbers == .rows ? "'s document" : ""), after a redirect to http://b/34. Row 33 was ")
        == true)
  }

  @Test("blames neither the server nor the list if most documents name other rows")
  func mostOthers() {
    let verdict = verdict(.sample(), misnamed(237, .unclear))
    #expect(
      verdict.remarks == [
        """
        B: 237 requests were answered with another row's document, by the server or by the \
        system's HTTP client, if the number "row" in it means the row: the document for row 33 \
        has the number 34. Row 33 was requested at http://a/33.
        """
      ])
    #expect(verdict.exitStatus == 0)
    #expect(
      verdict.summary?.contains(
        " Whether any of the 80 shown rows is wrong cannot be told: replies name other rows. ")
        == true)
    #expect(verdict.summary?.contains("No") == false)
    #expect(
      self.verdict(misnamed(1, .unclear)).remarks.first?.hasPrefix("1 request was answered with")
        == true)
  }

  @Test("calls no row right if no document names its row")
  func nothingChecked() {
    let verdict = verdict(
      .sample { ($0.rowNumbers, $0.rowsChecked, $0.wrongRows) = (.absent, 0, nil) })
    #expect(
      verdict.remarks == [
        """
        NO ROW WAS CHECKED against its document: none names its row in a number "row". \
        Each row showed what its own request returned.
        """
      ])
    #expect(
      verdict.summary?.contains(
        " Whether any of the 40 shown rows is wrong cannot be told: no document names its row. ")
        == true)
    #expect(verdict.exitStatus == 0)
  }

  @Test("fails a server that redirects all rows to one document, and says nothing else of it")
  func oneDocument() {
    var figures = misnamed(39, .unclear)
    figures.sharedTarget = "http://a/login"
    let verdict = verdict(figures)
    #expect(verdict.remarks == ["ALL ROWS WERE REDIRECTED to one document: http://a/login."])
    #expect(verdict.exitStatus == 1)
  }
}

extension RowNumbers {
  /// Those that documents with the number of another row may have.
  fileprivate static let fromReplies = [RowNumbers.rows, .unclear]
}

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
  }

  /// Adds the row's document, with a number in it that differs from reply to reply, or not.
  private func shared(
    _ targets: [String?], _ json: (Int) -> String = { _ in "{}" }
  ) throws -> String? {
    var tally = ReplyTally()
    for (row, target) in targets.enumerated() {
      let document = try RowDocument(json: Data(json(row).utf8), row: row)
      tally.add(document, requestedAt: "http://a/list?row=\(row)", redirectedTo: target)
    }
    return tally.sharedTarget
  }

  @Test("finds the one document that all rows were redirected to")
  func redirects() throws {
    let one = "http://a/login"
    let asked = (0..<4).map { "\(one)?next=\($0)" }
    #expect(try shared([one, one, one]) == one)
    #expect(try shared([one, one, one]) { "{\"time\": \($0)}" } == one)
    #expect(try shared(asked) == one)
    #expect(try shared(asked) { "{\"time\": \($0)}" } == nil, "Each row has a document of its own.")
    #expect(try shared([nil, "http://a/list?row=0", "http://a/list?row=0"]) == "http://a/list")
    #expect(try shared([one, one]) == nil, "Two rows may have one document.")
    #expect(try shared([one, one, one, nil]) == nil)
    #expect(try shared(["http://a/0", "http://a/1", "http://a/2"]) == nil)
    #expect(try shared([nil, nil, nil]) == nil, "Nothing was redirected.")
  }
}
