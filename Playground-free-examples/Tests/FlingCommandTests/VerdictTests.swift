import Testing

@testable import fling

@Suite("The verdict of fling")
struct VerdictTests {
  private func verdict(
    _ figures: Figures..., end: EarlyEnd? = nil, expectsFailures: Bool = false
  ) -> Verdict {
    let runs = zip(["A", "B"], figures).map { (name: $0, figures: $1) }
    return Verdict(runs, end, expectsFailures: expectsFailures)
  }

  @Test("says nothing about a good run")
  func good() {
    let verdict = verdict(.sample())
    #expect(verdict.remarks.isEmpty)
    #expect(verdict.exitStatus == 0)
  }

  @Test("sums up good runs in a sentence, also when the plain recipe wins")
  func summary() {
    func sample(_ blank: Double) -> Figures {
      .sample {
        ($0.rows, $0.rowsChecked) = (10_000, 94)
        $0.blankRowSeconds = blank
      }
    }
    #expect(
      verdict(sample(2.9), sample(3.1)).summary
        == """
        Rows came on screen 90 times in a list of 10,000. No wrong row in 188 checked in both lists. \
        2.9 s of blank rows in all; the plain recipe 3.1 s.
        """)
    #expect(
      verdict(sample(3.1), sample(2.9)).summary?.hasSuffix("the plain recipe 2.9 s, which is less.")
        == true)
    for (first, second) in [(3.34, 3.26), (3.26, 3.34), (3.3, 3.3)] {
      #expect(
        verdict(sample(first), sample(second)).summary?
          .hasSuffix("3.3 s of blank rows in all; the plain recipe as much.") == true)
    }
    #expect(
      verdict(sample(3.1)).summary
        == """
        Rows came on screen 90 times in a list of 10,000. No wrong row in 94 checked. \
        3.1 s of blank rows in all.
        """)
    let half = Figures.sample { ($0.rowsShown, $0.rowsChecked) = (188, 94) }
    #expect(verdict(half).summary?.contains("No wrong row in 94 checked, of 188 shown.") == true)
    #expect(verdict(sample(1), .sample { $0.mixedUpRows = 1 }).summary == nil)
    #expect(verdict(sample(1), end: .interrupted).summary == nil)
  }

  @Test("fails a run in which nothing loaded, and names the reasons")
  func nothingLoaded() {
    var figures = Figures.nothing
    figures.failures["timed out"] = 50
    let verdict = verdict(figures)
    #expect(verdict.remarks == ["NOTHING LOADED: 50 × timed out, 40 × HTTP 404."])
    #expect(verdict.exitStatus == 1)
  }

  @Test("names the address of the first row if nothing on a foreign server loaded")
  func firstAddress() {
    func origin(_ row: Int) -> String { "Row \(row) was requested at http://a/rows/\(row).json." }
    let verdict = Verdict([("A", .nothing)], nil, origin: origin)
    #expect(
      verdict.remarks
        == ["NOTHING LOADED: 40 × HTTP 404. Row 0 was requested at http://a/rows/0.json."])
    let good = Verdict([("A", .sample())], nil, origin: origin)
    #expect(good.remarks.isEmpty)
    let some = Figures.sample { ($0.neverLoaded, $0.firstNeverLoaded) = (3, 7) }
    #expect(
      Verdict([("A", some)], nil, origin: origin).remarks
        == ["3 ROWS ON SCREEN NEVER LOADED. Row 7 was requested at http://a/rows/7.json."])
  }

  @Test("fails a run in which nothing was even tried")
  func nothingTried() {
    var figures = Figures.nothing
    figures.failures = [:]
    #expect(verdict(figures).remarks == ["NOTHING LOADED."])
    #expect(verdict(figures).exitStatus == 1)
  }

  @Test("does not fail a run whose rows all loaded in the end")
  func someFailures() {
    let figures = Figures.sample { ($0.failed, $0.failures) = (9, ["HTTP 500": 9]) }
    #expect(verdict(figures).exitStatus == 0)
  }

  @Test("fails wrong rows in either run, and names the run")
  func wrongRows() {
    let wrong = Figures.sample { $0.mixedUpRows = 3 }
    #expect(verdict(wrong).remarks == ["WRONG ROWS: 3."])
    #expect(verdict(.sample(), wrong).remarks == ["B: WRONG ROWS: 3."])
    #expect(verdict(.sample(), wrong).exitStatus == 1)
  }

  @Test("fails a run in which rows on screen never loaded, unless loads are expected to fail")
  func neverLoaded() {
    let some = Figures.sample { figures in
      (figures.failed, figures.failures, figures.neverLoaded) = (9, ["header too large": 9], 3)
    }
    #expect(
      verdict(some).remarks
        == ["3 ROWS ON SCREEN NEVER LOADED: 9 × header too large."])
    #expect(verdict(some).exitStatus == 1 && verdict(some).summary == nil)
    #expect(verdict(some, expectsFailures: true).remarks.isEmpty)
    #expect(verdict(some, expectsFailures: true).exitStatus == 0)
    #expect(verdict(some, end: .interrupted).remarks == ["interrupted"])
    let changed = Figures.sample { ($0.neverLoaded, $0.neverLoadedChanged) = (3, 3) }
    #expect(verdict(changed).remarks.isEmpty && verdict(changed).exitStatus == 0)
    let one = Figures.sample { $0.neverLoaded = 1 }
    #expect(verdict(one).remarks == ["1 ROW ON SCREEN NEVER LOADED."])
  }

  @Test("does not blame files that changed")
  func changedFiles() {
    let verdict = verdict(.sample { $0.changedMeanwhile = 7 })
    #expect(
      verdict.remarks
        == ["Files changed or deleted meanwhile: 7. Their rows show what was sent before."])
    #expect(verdict.exitStatus == 0)
    #expect(self.verdict(.sample { $0.changedMeanwhile = 0 }).remarks.isEmpty)
  }

  @Test("of an interrupted run is just that")
  func interrupted() {
    let early = verdict(.nothing, end: .interrupted)
    #expect(early.remarks == ["interrupted"])
    #expect(early.exitStatus == 130)
    let wrong = verdict(.sample { $0.mixedUpRows = 1 }, end: .interrupted)
    #expect(wrong.remarks == ["WRONG ROWS: 1.", "interrupted"])
    #expect(wrong.exitStatus == 130)
  }

  @Test("of a run that fills the memory says so")
  func outOfMemory() {
    let verdict = verdict(.nothing, end: .outOfMemory)
    #expect(verdict.remarks == ["The run ended early, as the replies fill the memory."])
    #expect(verdict.exitStatus == 2)
  }
}
