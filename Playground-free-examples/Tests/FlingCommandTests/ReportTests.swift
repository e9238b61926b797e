import Foundation
import Testing

@testable import fling

@Suite("The report of fling")
struct ReportTests {
  private func lines(_ figures: Figures...) -> [String] {
    let runs = zip(["A", "the plain recipe"], figures).map { (name: $0, figures: $1) }
    return Report(runs: runs, end: nil).table.components(separatedBy: "\n")
  }

  /// The words of the line that begins with a name.
  private func line(_ name: String, _ figures: Figures...) -> String? {
    let runs = zip(["A", "B"], figures).map { (name: $0, figures: $1) }
    let table = Report(runs: runs, end: nil).table
    return table.components(separatedBy: "\n").first { $0.hasPrefix(name) }?
      .split(separator: " ").joined(separator: " ")
  }

  @Test("has no time for rows that never loaded")
  func neverLoaded() {
    #expect(
      line("seconds from standstill", .nothing, .sample())
        == "seconds from standstill to loaded never 0.250")
    #expect(line("  99 %", .nothing, .sample()) == "99 % within never 0.099")
  }

  @Test("names each reason of either run below the failures")
  func reasons() throws {
    let other = Figures.sample { ($0.failed, $0.failures) = (2, ["timed out": 2]) }
    let lines = lines(.nothing, other)
    let failed = try #require(lines.firstIndex { $0.hasPrefix("  failed") })
    let words = lines[failed...].prefix(3).map { $0.split(separator: " ").joined(separator: " ") }
    #expect(words == ["failed 40 2", "HTTP 404 40 0", "timed out 0 2"])
  }

  @Test("sums up rare reasons")
  func rareReasons() {
    let figures = Figures.sample { figures in
      for status in 400..<410 { figures.failures["HTTP \(status)"] = status - 399 }
    }
    let frequent = figures.frequentFailures(3)
    #expect(frequent.map(\.reason) == ["HTTP 409", "HTTP 408", "HTTP 407", "other reasons"])
    #expect(frequent.map(\.count) == [10, 9, 8, 28])
  }

  @Test("ends with the wrong rows, below the checked ones")
  func lastLines() {
    let words = lines(.sample { ($0.rowsChecked, $0.wrongRows) = (30, 2) }).suffix(2).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(words == ["rows checked 30 of 40", "wrong rows 2"])
  }

  @Test("counts as wrong what a server answered wrongly, if the numbers mean rows")
  func wrongRows() {
    func wrong(_ mixedUp: Int, _ misnamed: Int, _ checked: Int, _ numbers: RowNumbers) -> Int? {
      Figures.wrongRows(mixedUp: mixedUp, misnamed: misnamed, checked: checked, numbers)
    }
    #expect(wrong(0, 0, 9, .rows) == 0)
    #expect(wrong(1, 2, 9, .rows) == 3)
    #expect(wrong(0, 9, 0, .unclear) == nil)
    #expect(wrong(1, 9, 0, .unclear) == 1)
    #expect(wrong(0, 0, 0, .absent) == nil, "No row was checked.")
    #expect(wrong(0, 0, 9, .absent) == 0, "Files are compared with what was sent.")
  }

  @Test("does not call a row right if replies name other rows")
  func unknownRows() throws {
    let figures = Figures.sample { ($0.wrongRows, $0.repliesNamingAnotherRow) = (nil, 9) }
    #expect(line("wrong rows", figures) == "wrong rows unknown")
    let json = try Report(runs: [("A", figures)], end: nil).json
    #expect(!json.contains("wrongRows"))
  }

  @Test("does not count the bytes of incomplete replies as received")
  func bytes() {
    #expect(line("bytes", .sample()) == "bytes of complete replies 4000")
  }

  @Test("speaks of changed files only for a folder")
  func changedFiles() {
    #expect(line("changed", .sample()) == nil)
    #expect(
      line("changed", .sample { $0.changedMeanwhile = 0 }) == "changed or deleted meanwhile 0")
  }

  @Test("keeps its columns with a long reason")
  func columns() {
    let reason = String(repeating: "long ", count: 12) + "reason"
    let lines = lines(.sample { $0.failures = [reason: 1] }, .sample())
    #expect(Set(lines.map(\.count)).count == 1)
  }

  @Test("names the run if an interrupt has left one of two")
  func heading() {
    for isInterrupted in [true, false] {
      let report = Report(runs: [("A", .sample())], end: isInterrupted ? .interrupted : nil)
      let first = report.table.components(separatedBy: "\n")[0]
      #expect(first.hasSuffix(" A") == isInterrupted)
    }
  }

  @Test("knows no time that a run did not see as it ended early")
  func interruptedTimes() {
    for (end, word) in [(.interrupted, "unknown"), (.outOfMemory, "unknown"), (nil, "never")]
      as [(EarlyEnd?, String)]
    {
      let report = Report(runs: [("A", .nothing)], end: end)
      let line = report.table.components(separatedBy: "\n").first { $0.contains("standstill to") }
      #expect(line?.hasSuffix(" \(word)") == true)
    }
  }

  @Test("is one JSON object")
  func json() throws {
    let runs = [(name: "A", figures: Figures.sample()), (name: "B", figures: Figures.nothing)]
    let json = try Report(runs: runs, end: .interrupted).json
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["interrupted"] as? Bool == true)
    #expect((object["secondsToLoad"] as? [String: Double])?["p90"] == 0.09)
    let plain = try #require(object["plainRecipe"] as? [String: Any])
    #expect((plain["failures"] as? [String: Int]) == ["HTTP 404": 40])
    #expect(plain["secondsToSettle"] == nil)
  }
}
