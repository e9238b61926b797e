import RowOperations
import Testing

@testable import fling

@Suite("What fling finds")
struct FindingsTests {
  @Test("A row is wrong if it shows another row's document, or lies in another row's place")
  func wrong() {
    var findings = Findings()
    for row in 1...3 { findings.saw(.madeUp(for: row), in: row) }
    #expect(findings.wrong == [])
    findings.saw(.madeUp(for: 9), in: 2)
    findings.saw(.madeUp(for: 3), in: 3, isInPlace: false)
    #expect(findings.wrong == [2, 3] && findings.shown == [1, 2, 3])
  }

  @Test("A row is lost if it was blank at a rest and never showed a value")
  func neverLoaded() {
    var findings = Findings()
    findings.stayedBlank([1, 2])
    findings.stayedBlank([2, 3])
    findings.saw(.madeUp(for: 3), in: 3)
    #expect(findings.neverLoaded == 2)
  }

  @Test("A rest with failed rows has no time to loaded")
  func rests() {
    var findings = Findings()
    #expect(findings.longestRest == nil)
    for seconds in [0, 2, 1] { findings.restEnded(after: .seconds(seconds), notLoaded: 0) }
    #expect(findings.longestRest == .seconds(2))
    findings.restEnded(after: .seconds(9), notLoaded: 3)
    #expect(findings.longestRest == nil && findings.notLoadedAfterwards == 3)
  }

  @Test("A load is timed from its start to its value, and a failure is counted by its reason")
  func tally() {
    var tally = LoadTally()
    #expect(tally.percentile(50) == nil)
    let error = HTTPStatusError(status: 404)
    for (kind, milliseconds) in [
      (.started(1), 100), (.started(2), 110), (.started(3), 120), (.started(4), 130),
      (.failed(3, error), 500), (.finished(2), 140), (.cancelled(4), 900), (.finished(1), 180),
      (.finished(3), 999), (.finished(4), 999), (.failed(5, error), 999),
    ] as [(TrackerEvent<Int>.Kind, Int)] {
      tally.record(TrackerEvent(row: 0, kind: kind, time: .milliseconds(milliseconds)))
    }
    #expect(
      [0, 50, 51, 100].map { tally.percentile($0) } == [30, 30, 80, 80].map { .milliseconds($0) })
    #expect(tally.failures == ["HTTP 404": 2])
  }

  @Test("A row is followed from waiting over loading to its end")
  func loads() {
    var loads = RowLoads()
    for (kind, look) in [
      (.displayed, .notWanted), (.waiting, .waiting), (.leftWaiting, .notWanted),
      (.waiting, .waiting), (.started(1), .loading), (.cancelled(1), .notWanted),
      (.started(2), .loading), (.finished(1), .loading), (.finished(2), .notWanted),
    ] as [(TrackerEvent<Int>.Kind, RowLook)] {
      loads.record(TrackerEvent(row: 7, kind: kind, time: .zero))
      #expect(loads.look(of: 7) == look && loads.look(of: 8) == .notWanted)
    }
  }
}
