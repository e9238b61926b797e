import Foundation
import Testing

@testable import fling

@Suite("The report of fling")
struct ReportTests {
  /// The words of the line that begins with a name.
  private func line(
    _ name: String, _ figures: Figures..., isInterrupted: Bool = false
  ) -> String? {
    Report(runs: samples(figures), isInterrupted: isInterrupted).table
      .components(separatedBy: "\n").first { $0.hasPrefix(name) }?
      .split(separator: " ").joined(separator: " ")
  }

  @Test("has no time for rows that never loaded, and none that an early end has not seen")
  func times() {
    #expect(line("seconds from", .nothing, .sample())?.hasSuffix("loaded never 0.250") == true)
    #expect(line("  99 %", .nothing, .sample()) == "99 % within never 0.099")
    #expect(line("  99 %", .nothing, isInterrupted: true) == "99 % within unknown")
  }

  @Test("names each reason of either run")
  func reasons() {
    let other = Figures.sample { $0.failures = ["timed out": 2] }
    #expect(line("    timed out", .nothing, other) == "timed out 0 2")
    #expect(line("    HTTP 404", .nothing, other) == "HTTP 404 40 0")
  }

  @Test("ends with the wrong rows, below the checked ones, in columns of one width")
  func columns() {
    let long = Figures.sample {
      $0.failures = [String(repeating: "long ", count: 12): 1]
      $0.wrongRows = 2
    }
    let lines = Report(runs: samples([long, .sample()]), isInterrupted: false).table
      .components(separatedBy: "\n")
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(
      lines.suffix(2).map { $0.split(separator: " ").joined(separator: " ") }
        == ["rows checked 40 40", "wrong rows 2 0"])
  }

  @Test("names the run if an interrupt has left one of two")
  func heading() {
    for isInterrupted in [true, false] {
      let report = Report(runs: samples([.sample()]), isInterrupted: isInterrupted)
      #expect(
        report.table.components(separatedBy: "\n")[0].hasSuffix(" A") == isInterrupted)
    }
  }

  @Test("is one JSON object")
  func json() throws {
    let json = try Report(runs: samples([.sample(), .nothing]), isInterrupted: true).json
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["interrupted"] as? Bool == true)
    #expect((object["secondsToLoad"] as? [String: Double])?["p90"] == 0.09)
    let plain = try #require(object["plainRecipe"] as? [String: Any])
    #expect((plain["failures"] as? [String: Int]) == ["HTTP 404": 40])
    #expect(plain["secondsToSettle"] == nil)
  }
}

@Suite("The verdict of fling")
struct VerdictTests {
  private func verdict(
    _ figures: Figures..., isInterrupted: Bool = false, expectsFailures: Bool = false
  ) -> Verdict {
    Verdict(samples(figures), isInterrupted, expectsFailures: expectsFailures)
  }

  @Test("sums up good runs in a sentence, also when the plain recipe wins")
  func summary() {
    func sample(_ blank: Double) -> Figures {
      .sample { ($0.rows, $0.rowsChecked, $0.blankRowSeconds) = (10_000, 94, blank) }
    }
    let start = "Rows came on screen 90 times in a list of 10,000. No wrong row in"
    for (runs, end) in [
      ([sample(3.1)], "94 checked. 3.1 s of blank rows in all."),
      (
        [sample(2.9), sample(3.1)],
        "188 checked in both lists. 2.9 s of blank rows in all; the plain recipe 3.1 s."
      ),
      (
        [sample(3.1), sample(2.9)],
        "188 checked in both lists. 3.1 s of blank rows in all; the plain recipe 2.9 s, which is "
          + "less."
      ),
      (
        [sample(3.34), sample(3.26)],
        "188 checked in both lists. 3.3 s of blank rows in all; the plain recipe as much."
      ),
    ] {
      let verdict = Verdict(samples(runs), false)
      #expect(verdict.summary == "\(start) \(end)")
      #expect(verdict.remarks.isEmpty && verdict.exitStatus == 0)
    }
  }

  @Test("fails runs with wrong rows, with lost rows, and without any load")
  func faults() {
    let wrong = Figures.sample { $0.wrongRows = 3 }
    let lost = Figures.sample { ($0.failed, $0.failures, $0.neverLoaded) = (9, ["HTTP 500": 9], 3) }
    var nothing = Figures.nothing
    nothing.failures["timed out"] = 50
    for (verdict, remarks) in [
      (verdict(wrong), ["WRONG ROWS: 3."]), (verdict(.sample(), wrong), ["B: WRONG ROWS: 3."]),
      (verdict(lost), ["3 ROWS ON SCREEN NEVER LOADED: 9 × HTTP 500."]),
      (verdict(.sample { $0.neverLoaded = 1 }), ["1 ROW ON SCREEN NEVER LOADED."]),
      (verdict(nothing), ["NOTHING LOADED: 50 × timed out, 40 × HTTP 404."]),
    ] {
      #expect(verdict.remarks == remarks)
      #expect(verdict.exitStatus == 1 && verdict.summary == nil)
    }
    #expect(verdict(lost, expectsFailures: true).exitStatus == 0)
    #expect(verdict(.sample { $0.failures = ["HTTP 500": 9] }).exitStatus == 0)
  }

  @Test("of an interrupted run is just that, and what is wrong stays wrong")
  func interrupted() {
    let early = verdict(.nothing, isInterrupted: true)
    #expect(early.remarks == ["interrupted"] && early.exitStatus == 130)
    let wrong = verdict(.sample { $0.wrongRows = 1 }, isInterrupted: true)
    #expect(wrong.remarks == ["WRONG ROWS: 1.", "interrupted"] && wrong.exitStatus == 130)
  }
}
