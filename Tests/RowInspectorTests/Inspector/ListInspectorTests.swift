import Foundation
import RowOperationsTesting
import Testing

@testable import RowInspector
@testable import RowOperations

@Suite("The inspector", .timeLimit(.minutes(10)))
@MainActor
struct ListInspectorTests {
  @Test("A report has the rows on screen, the loads, the figures and the findings")
  func report() throws {
    let rig = InspectedList { $0.slots = UpdateSlots(2) }
    try rig.play("O[2,1,0] c0(a) W0(a) c1(b) W1(b) c2(c) W2(c) | F0 | f1 |")
    rig.clock.advance(by: .milliseconds(40))
    let report = rig.inspector.report()
    #expect(report.rows.map(\.name) == ["2", "1", "0"], "in the order of the list")
    #expect(report.rows.map(\.state) == [.loading, .failed, .loaded])
    #expect(report.rows.map { $0.reason == nil } == [false, false, true])
    #expect(report.bodies.map(\.description) == ["row 2 · 40 ms"])
    #expect(report.summary == "1 of 2 slots · 1 blank · 1 failed")
    #expect(report.figures.first?.value == "3")
  }

  @Test("Without a report nothing is said, and one finding is one")
  func summary() {
    var report = InspectorReport()
    #expect(report.summary == "0 of 0 slots")
    report.findings = [ListFinding(kind: .tooFewSlots, sentence: "A.", advice: "B.")]
    #expect(report.summary == "0 of 0 slots · 1 finding")
  }

  @Test("Reports come soon after something has happened, and not too often")
  func plan() {
    var plan = RefreshPlan()
    #expect(plan.changed(at: .seconds(1)) == .zero)
    #expect(plan.changed(at: .seconds(1)) == nil, "one is planned")
    #expect(plan.isDue(at: .seconds(1)) == true)
    #expect(plan.isDue(at: .seconds(1)) == false, "it was made")
    #expect(plan.made(withLoads: false, at: .seconds(1)) == nil, "nothing runs, nothing is planned")
    #expect(plan.changed(at: .milliseconds(1_030)) == .milliseconds(70))
    #expect(plan.isDue(at: .milliseconds(1_100)) == true)
    #expect(plan.made(withLoads: true, at: .milliseconds(1_100)) == .seconds(1))
    #expect(plan.changed(at: .milliseconds(1_150)) == .milliseconds(50), "sooner than planned")
    #expect(plan.isDue(at: .milliseconds(1_190)) == false)
    #expect(plan.isDue(at: .milliseconds(1_200)) == true)
    #expect(plan.isDue(at: .milliseconds(2_100)) == false, "the later one fell away")
  }

  @Test("A change reports by itself, and a stopped inspector is silent")
  func changes() async throws {
    let rig = InspectedList()
    let summaries = Lines()
    await withCheckedContinuation { continuation in
      rig.inspector.onChange = { report in
        guard summaries.all.isEmpty else { return }
        summaries.all.append(report.summary)
        continuation.resume()
      }
      rig.tracker.prefetch([1])
      rig.tracker.endPass()
    }
    #expect(summaries.all == ["1 of 6 slots"])
    rig.inspector.stop()
    try rig.play("c[0…11] | +1500ms |")
    #expect(rig.findings == [])
    #expect(!rig.tracker.core.engine.settings.reportsEvents)
  }

  @Test("A recording goes on while an inspector comes and goes")
  func recordingBeside() throws {
    let rig = InspectedList()
    let lines = Lines()
    rig.inspector.stop()
    rig.tracker.recordEvents { lines.all.append($0) }
    try rig.play("c0(a) W0(a) |")
    let inspector = ListInspector(rig.tracker)
    try rig.play("c1(b) W1(b) |")
    inspector.stop()
    try rig.play("E0(a) |")
    #expect(lines.all == ["c0(a) W0(a) |", "c1(b) W1(b) |", "E0(a) |"])
    rig.tracker.recordEvents(nil)
    try rig.play("W0(a) |")
    #expect(lines.all.count == 3)
  }

  @Test("An inspector goes on when a recording ends, and both hear of one tracker")
  func inspectorBeside() throws {
    let rig = InspectedList()
    let lines = Lines()
    rig.tracker.recordEvents { lines.all.append($0) }
    try rig.play("c[0…5] |")
    rig.tracker.recordEvents(nil)
    try rig.play("c[6…11] | +1500ms |")
    #expect(lines.all == ["c0(a) c1(b) c2(c) c3(d) c4(e) c5(f) |"])
    let sentence = "6 cells were bound, and none was displayed in 1.5 s."
    #expect(rig.findings.map(\.sentence) == [sentence])
  }
}
