// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The order of admissions while a list moves")
@MainActor
struct AdmissionTests {
  /// A moving list with six rows on screen, of which row 3 has the slot.
  ///
  /// The last three rows appeared in two passes, so that a row stays for 255 ms at this pace.
  private func moving(
    loads milliseconds: Int, policy: ScrollPolicy = .immediate
  ) async throws -> TrackerRig {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(1)
      $0.scrollPolicy = policy
    }
    let load = "+\(milliseconds)ms"
    try await rig.playToTheEnd("cW[0…2] | \(load) F0 | \(load) F1 | \(load) F2 |")
    try await rig.playToTheEnd("B M c3(d) W3(d) | c4(e) W4(e) c5(f) W5(f) |")
    #expect(rig.rows(in: .loading) == [3])
    return rig
  }

  @Test("Rows that come on screen after two loads do not count in the wait of a row that leaves")
  func due() async throws {
    let rig = try await moving(loads: 100)
    try await rig.playToTheEnd("P[10…12] | +10ms F3 |")
    #expect(rig.rows(in: .loading) == [4] && rig.violations == [])
  }

  @Test("A row is held back once it leaves before half a load could end", arguments: [54, 56])
  func age(milliseconds: Int) async throws {
    let rig = try await moving(loads: 400, policy: .adaptive)
    try await rig.playToTheEnd("+\(milliseconds)ms M F3 |")
    #expect(rig.rows(in: .loading) == (milliseconds < 55 ? [4] : []))
    #expect(rig.violations == [])
  }

  @Test("A row that loses its claim after its turn gets no slot, and counts as cancelled")
  func unclaimed() {
    var engine = TrackerEngine()
    let (row, cell) = (engine.addRow(), engine.addCell())
    engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: 0)
    engine.take(.willDisplay(cell), at: 0)
    engine.endTurn(at: 0)
    engine.take(.didEndDisplaying(cell), at: 0)
    engine.admitWinner(row, at: 0)
    #expect(engine.runningLoads == 0 && engine.waitingLoads == 0)
    engine.endTurn(at: 0)
    #expect(engine.counts(at: 0).cancelledWaiting == 1)
  }

  @Test("A load has started once its operation is made, and not before")
  func started() {
    var tracked: DisplayTracker<Int, Int>?
    var before: [Int?] = []
    let tracker = DisplayTracker<Int, Int>(operation: { token in
      before.append(tracked?.startedRuns.count)
      return UpdateOperation(token: token) { _ in 1 }
    })
    tracked = tracker
    tracker.holdOperations()
    tracker.prefetch([1])
    tracker.endPass()
    #expect(before == [0] && tracker.startedRuns.count == 1)
    tracker.core.queue.isSuspended = false
  }

  @Test("After a jump the rows on screen load before prefetched ones")
  func jump() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try rig.play("cW[0…4] | M E[0…4] cW[90…94] P[84…89] |")
    #expect(rig.rows(in: .loading) == [90, 91] && rig.violations == [])
    #expect(rig.waitingByPriority == [92, 93, 94, 84, 85, 86, 87, 88, 89])
  }

  @Test("A row at two positions of a list is as urgent as at the nearer one")
  func repeated() async throws {
    let rig = try await moving(loads: 10)
    try rig.play("Q1@0[0…5,20,21,22,20] V1@0…9[0…5] |")
    #expect(rig.waitingByPriority == [4, 5, 20, 21, 22] && rig.violations == [])
  }

  @Test("Of rows that a list announces without an order, the earlier ones come on screen first")
  func announced() async throws {
    let rig = try await moving(loads: 10)
    try rig.play("P[10] | M c6(u) W6(u) c7(v) W7(v) | P[11] |")
    #expect(rig.waitingByPriority.suffix(2) == [10, 11] && rig.violations == [])
  }
}
