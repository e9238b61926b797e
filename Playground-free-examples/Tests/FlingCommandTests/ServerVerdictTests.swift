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
    _ count: Int, _ numbers: RowNumbers, _ reply: MisnamedReply = .sample(),
    _ change: (inout Figures) -> Void = { _ in }
  ) -> Figures {
    .sample { figures in
      defer { change(&figures) }
      (figures.rowNumbers, figures.repliesNamingAnotherRow) = (numbers, count)
      figures.repliesNamingARow = count + 3
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
        B: If the number "row" means the row, 237 of 240 replies were another row's document: \
        the one for row 33 has the number 34. Row 33 was requested at http://a/33.
        """
      ])
    #expect(verdict.exitStatus == 0)
    #expect(
      verdict.summary?.contains(
        """
         It is unknown whether any of the 80 rows shown is wrong, because the number "row" in a \
        document need not mean its row. \

        """) == true)
    #expect(verdict.summary?.contains("No") == false)
    let one = misnamed(1, .unclear) { $0.repliesNamingARow = 1 }
    #expect(
      self.verdict(one).remarks.first?.contains(" row, 1 of 1 reply was another row's ") == true)
  }

  @Test(
    "says by how much all numbers differ, if by the same",
    arguments: [(1, "higher"), (-3, "lower")])
  func differences(difference: Int, relation: String) {
    func remark(_ named: Int) -> String? {
      verdict(
        misnamed(9, .unclear) { figures in
          (figures.numberDifference, figures.repliesNamingARow) = (difference, named)
        }
      ).remarks.first
    }
    let words = " Each of them has a number \(abs(difference)) \(relation) than its row's"
    #expect(remark(10)?.hasSuffix(words + ".") == true)
    #expect(
      remark(9)?.hasSuffix(
        words + ": perhaps the documents count from another number than the addresses.") == true)
  }

  @Test("calls no row right if no document names its row")
  func nothingChecked() {
    let verdict = verdict(
      .sample { ($0.rowNumbers, $0.rowsChecked, $0.wrongRows) = (.absent, 0, nil) })
    #expect(
      verdict.remarks == [
        """
        NO ROW WAS CHECKED against its document: none has a whole number in its field "row". \
        Each row showed what its own request returned.
        """
      ])
    #expect(
      verdict.summary?.contains(
        """
         It is unknown whether any of the 40 rows shown is wrong, because no document has a number \
        "row". \

        """) == true)
    #expect(verdict.exitStatus == 0)
  }

  @Test("names the field that is compared, and the one that would do")
  func fields() {
    let nothing = Figures.sample { figures in
      (figures.rowNumbers, figures.rowsChecked, figures.wrongRows) = (.absent, 0, nil)
      (figures.numberField, figures.likelyNumberField) = ("data.nr", "data.id")
    }
    #expect(
      verdict(nothing).remarks == [
        """
        NO ROW WAS CHECKED against its document: none has a whole number in its field "data.nr". \
        --number data.id checks them: in each of these documents it is the row's number. \
        Each row showed what its own request returned.
        """
      ])
    #expect(verdict(nothing).summary?.contains("no document has a number \"data.nr\"") == true)
    let others = verdict(misnamed(237, .unclear) { $0.numberField = "id" })
    #expect(others.remarks.first?.hasPrefix("If the number \"id\" means the row") == true)
    #expect(others.summary?.contains("the number \"id\" in a document need not") == true)
  }

  @Test("points out redirects to one path, unless the documents name their rows")
  func onePath() {
    let path = Figures.sample { figures in
      (figures.sharedPath, figures.rowNumbers) = ("http://a/login", .absent)
    }
    #expect(
      verdict(path).remarks == [
        """
        All rows were redirected to http://a/login, each with a query of its own. If that is \
        a page such as a login, no row was loaded.
        """
      ])
    #expect(verdict(.sample { $0.sharedPath = "http://a/rows" }).remarks.isEmpty)
  }

  @Test("says what may help if the server has no such rows, or wants a login")
  func remedies() {
    func remark(_ figures: Figures) -> String { verdict(figures).remarks.first ?? "" }
    let login = """
      The server wants a login, or refuses the one it got: --header 'Authorization: …', or \
      https://user:password@host, sends one.
      """
    for status in [401, 403] {
      var nothing = Figures.nothing
      nothing.failures = ["HTTP \(status)": 40]
      #expect(
        remark(nothing).hasSuffix(
          ": 40 × HTTP \(status). Row 0 was requested at http://a/0. \(login)"))
    }
    var elsewhere = Figures.nothing
    elsewhere.failures = ["HTTP 403 after a redirect to http://b/{row}": 40]
    #expect(remark(elsewhere).hasSuffix("give that one as --origin."))
    elsewhere.failures = ["HTTP 403 after a redirect to /login": 40]
    #expect(remark(elsewhere).hasSuffix(login))
    var nowhere = Figures.nothing
    #expect(remark(nowhere).hasSuffix("http://a/0."), "Files that vanish are no server's rows.")
    nowhere.lowestMissingRow = 0
    #expect(remark(nowhere).hasSuffix(" --path and --first say where the rows are."))
    nowhere.failures["timed out"] = 1
    #expect(remark(nowhere).hasSuffix("http://a/0."))
    func some(_ missing: Int, _ loaded: Int) -> Figures {
      .sample { figures in
        (figures.neverLoaded, figures.firstNeverLoaded) = (3, 17)
        (figures.lowestMissingRow, figures.highestLoadedRow) = (missing, loaded)
        figures.lowestLoadedRow = 1
      }
    }
    #expect(
      remark(some(17, 16)).hasSuffix(
        "http://a/17. If the server has fewer rows, --rows says how many."))
    #expect(remark(some(17, 18)).hasSuffix("http://a/17."))
    #expect(
      remark(some(0, 18)).hasSuffix(
        "The list's first row is missing. The lowest row that loaded is 1: try --first 1."))
    var later = some(0, 18)
    later.firstNumber = 2
    later.lowestLoadedRow = 1
    #expect(remark(later).hasSuffix("The lowest row that loaded is 3: try --first 3."))
    var refused = some(17, 16)
    refused.failures = ["HTTP 404": 500, "HTTP 403": 1]
    #expect(remark(refused).hasSuffix("--rows says how many."), "one 403 is no missing login")
    refused.failures = ["HTTP 403": 500, "HTTP 404": 1]
    #expect(
      remark(refused).hasSuffix(
        "Other rows loaded, so the login may have ended, or these rows need another one, which "
          + "--header 'Authorization: …' sends."))
    later.lowestLoadedRow = 0
    #expect(remark(later).hasSuffix("http://a/17."), "Row 0 loaded later.")
  }

  @Test("says what may help if the server limits requests or connections")
  func limits() {
    func remark(_ figures: Figures) -> String { verdict(figures).remarks.first ?? "" }
    let some = Figures.sample { figures in
      (figures.neverLoaded, figures.firstNeverLoaded, figures.lowestLoadedRow) = (3, 17, 1)
    }
    for reason in ["timed out", "connection cut"] {
      var cut = some
      cut.failures = [reason: 3, "HTTP 500": 2]
      #expect(remark(cut).hasSuffix("few connections at once, --slots 1 opens the fewest."))
      cut.slots = 1
      #expect(remark(cut).hasSuffix("http://a/17."))
      (cut.slots, cut.lowestLoadedRow) = (4, nil)
      #expect(remark(cut).hasSuffix("http://a/17."), "The command's own server takes all.")
      (cut.lowestLoadedRow, cut.failures["HTTP 500"]) = (1, 3)
      #expect(remark(cut).hasSuffix("http://a/17."))
    }
    for reason in ["HTTP 429", "HTTP 503 with Retry-After, which fling does not obey"] {
      var busy = some
      busy.failures = [reason: 9, "timed out": 8]
      #expect(remark(busy).hasSuffix("If that is still too fast, raise the limit for the test."))
      busy.slots = 1
      #expect(remark(busy).hasSuffix("for the test, or try a lower --velocity."))
      busy.longestRetryAfter = 3600
      #expect(remark(busy).hasSuffix("--velocity. Its longest Retry-After is 3600 s."))
      busy.finished = 0
      #expect(remark(busy).contains("refuses requests at present. Its longest"))
      busy.finished = 40
      busy.failures["timed out"] = 9
      #expect(remark(busy).hasSuffix("http://a/17."))
    }
  }

  @Test("fails a server that answers all rows with one document, whatever number is in it")
  func sameDocument() {
    for figures in [misnamed(39, .unclear), .sample { $0.rowNumbers = .absent }] {
      var figures = figures
      figures.sharedDocument = SharedDocument(
        rows: 40, firstRow: 0, isOnlyOne: true, isForMost: true)
      let verdict = verdict(figures)
      #expect(
        verdict.remarks == [
          """
          ALL ROWS THAT LOADED HAVE ONE DOCUMENT, byte for byte. Row 0 was requested at \
          http://a/0. The document may be an error. --path and --first say where the rows are.
          """
        ])
      #expect(verdict.exitStatus == 1)
    }
  }

  @Test("fails a server that gives most rows one document, and names fewer such rows")
  func mostRows() {
    for isForMost in [true, false] {
      let verdict = verdict(
        .sample { figures in
          (figures.rowsWithoutNumber, figures.firstWithoutNumber) = (12, 28)
          figures.sharedDocument = SharedDocument(
            rows: 9, firstRow: 31, isOnlyOne: false, isForMost: isForMost)
        })
      #expect(
        verdict.remarks == [
          """
          9 rows have one document, byte for byte, which may be an error. Row 31 was requested at \
          http://a/31.
          """,
          """
          12 rows were not checked, as no whole number is in the field "row". Row 28 was requested \
          at http://a/28.
          """,
        ])
      #expect(verdict.exitStatus == (isForMost ? 1 : 0))
    }
  }

  @Test("fails a server that redirects all rows to one document, and says nothing else of it")
  func oneDocument() {
    var figures = misnamed(39, .unclear)
    figures.sharedTarget = "http://a/login"
    figures.sharedDocument = SharedDocument(
      rows: 9, firstRow: 0, isOnlyOne: false, isForMost: true)
    let verdict = verdict(figures)
    #expect(verdict.remarks == ["ALL ROWS WERE REDIRECTED to one address: http://a/login."])
    #expect(verdict.exitStatus == 1)
  }

  @Test("trusts the numbers of documents that come from one address")
  func oneAddress() {
    #expect(verdict(.sample { $0.sharedTarget = "http://a/show" }).exitStatus == 0)
  }
}

extension RowNumbers {
  /// Those that documents with the number of another row may have.
  fileprivate static let fromReplies = [RowNumbers.rows, .unclear]
}
