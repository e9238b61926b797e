import Testing

@testable import fling

@Suite("The verdict of fling")
struct VerdictTests {
  private func verdict(_ figures: Figures..., end: EarlyEnd? = nil) -> Verdict {
    let runs = zip(["A", "B"], figures).map { (name: $0, figures: $1) }
    return Verdict(runs, end)
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
        $0.rowsChecked = 94
        $0.blankRowSeconds = blank
      }
    }
    #expect(
      verdict(sample(2.9), sample(3.1)).summary
        == "No wrong row in 188 checked. Blank for 2.9 row-seconds; the plain recipe 3.1.")
    #expect(
      verdict(sample(3.1), sample(2.9)).summary?.hasSuffix("the plain recipe 2.9, which is less.")
        == true)
    #expect(
      verdict(sample(3.1)).summary
        == "No wrong row in 94 checked. Blank for 3.1 row-seconds.")
    #expect(verdict(sample(1), .sample { $0.wrongRows = 1 }).summary == nil)
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

  @Test("fails a run in which nothing was even tried")
  func nothingTried() {
    var figures = Figures.nothing
    figures.failures = [:]
    #expect(verdict(figures).remarks == ["NOTHING LOADED."])
    #expect(verdict(figures).exitStatus == 1)
  }

  @Test("fails a run with failures only if all failed")
  func someFailures() {
    let figures = Figures.sample { ($0.failed, $0.failures) = (9, ["HTTP 500": 9]) }
    #expect(verdict(figures).exitStatus == 0)
  }

  @Test("fails wrong rows in either run, and names the run")
  func wrongRows() {
    let wrong = Figures.sample { $0.wrongRows = 3 }
    #expect(verdict(wrong).remarks == ["WRONG ROWS: 3."])
    #expect(verdict(.sample(), wrong).remarks == ["B: WRONG ROWS: 3."])
    #expect(verdict(.sample(), wrong).exitStatus == 1)
  }

  @Test("is loud if no row could be checked")
  func nothingChecked() {
    let verdict = verdict(.sample { $0.rowsChecked = 0 })
    #expect(verdict.remarks.count == 1)
    #expect(verdict.remarks.first?.hasPrefix("NO ROW WAS CHECKED.") == true)
    #expect(verdict.exitStatus == 0)
  }

  @Test("does not blame files that changed")
  func changedFiles() {
    let verdict = verdict(.sample { $0.changedMeanwhile = 7 })
    #expect(
      verdict.remarks
        == ["Files changed meanwhile: 7. Their rows show what was sent before."])
    #expect(verdict.exitStatus == 0)
    #expect(self.verdict(.sample { $0.changedMeanwhile = 0 }).remarks.isEmpty)
  }

  @Test("of an interrupted run is just that")
  func interrupted() {
    let early = verdict(.nothing, end: .interrupted)
    #expect(early.remarks == ["interrupted"])
    #expect(early.exitStatus == 130)
    let wrong = verdict(.sample { $0.wrongRows = 1 }, end: .interrupted)
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
