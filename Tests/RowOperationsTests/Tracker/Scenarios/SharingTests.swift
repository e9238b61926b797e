// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Rows that share a resource", .timeLimit(.minutes(10)))
@MainActor
struct SharingTests {
  private func rig(_ configure: (inout ListScript.Configuration) -> Void = { _ in }) -> TrackerRig {
    TrackerRig {
      $0.resource = { $0 / 10 }
      configure(&$0)
    }
  }

  /// Ends the one load for a resource, under any of its rows.
  private func finish(_ rig: TrackerRig) async {
    let before = rig.recorder.finished.count
    rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    await rig.recorder.wait { $0.finished.count > before }
  }

  @Test("Two rows with one resource load once, and both are rendered")
  func loadedOnce() async throws {
    let rig = rig()
    try rig.play("c1(a) W1(a) c2(b) W2(b) |")
    await rig.gate.wait { $0.waiting.count == 1 }
    await finish(rig)
    #expect(rig.tracker.metrics.started == 1)
    #expect(rig.tracker.metrics.shared == 1)
    #expect(rig.phase(of: 1) == .loaded)
    #expect(rig.phase(of: 2) == .loaded)
  }

  @Test("A shared load continues when one of its two rows leaves")
  func oneLeaves() async throws {
    let rig = rig()
    try rig.play("c1(a) W1(a) c2(b) W2(b) | E1(a) | +150ms | -[1] |")
    #expect(rig.recorder.cancelled.isEmpty)
    await rig.gate.wait { $0.waiting.count == 1 }
    await finish(rig)
    #expect(rig.phase(of: 2) == .loaded)
  }

  @Test("A shared load is cancelled and frees its slot when its last row leaves")
  func lastLeaves() async throws {
    let rig = rig { $0.slots = UpdateSlots(1) }
    try rig.play("c1(a) W1(a) c2(b) W2(b) c30(c) W30(c) | E1(a) E2(b) |")
    #expect(rig.recorder.cancelled.count == 1)
    #expect(rig.recorder.started.last == 30)
  }

  @Test("A row that leaves does not lower the claim of another row")
  func neverLowered() throws {
    let rig = rig { $0.slots = UpdateSlots(1) }
    // 90 takes the slot; 1 is displayed, 2 only prefetched; 50 is displayed later than 1.
    try rig.play("c90(z) W90(z) | c1(a) W1(a) P[2] | c50(b) W50(b) | X[2] |")
    #expect(rig.waitingByPriority == [1, 50])
    try rig.play("P[2] | E1(a) |")
    #expect(
      rig.waitingByPriority.map { $0 / 10 } == [5, 0], "a prefetch claim is weaker than a display")
  }

  @Test("A row that comes later shows the kept value at once")
  func keptValue() async throws {
    let rig = rig()
    try rig.play("c1(a) W1(a) |")
    await rig.gate.wait { $0.waiting.count == 1 }
    await finish(rig)
    try rig.play("E1(a) | c2(b) |")
    guard case .loaded = rig.tracker.phase(of: 2) else {
      Issue.record("row 2 is \(rig.phase(of: 2))")
      return
    }
    #expect(rig.tracker.metrics.started == 1)
  }

  @Test("A row that comes back to its own value does not count as shared")
  func ownReturn() async throws {
    let rig = rig()
    try rig.play("c1(a) W1(a) |")
    await rig.gate.wait { $0.waiting.count == 1 }
    await finish(rig)
    try rig.play("E1(a) U(a) | c1(a) W1(a) | E1(a) U(a) | c1(a) W1(a) |")
    #expect(rig.tracker.metrics.shared == 0)
  }

  @Test("A failed shared load runs again when another of its rows is displayed")
  func failedForAnother() async throws {
    let rig = rig()
    try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
    #expect(rig.phase(of: 1) == .failed)
    try rig.play("c2(b) W2(b) |")
    #expect(rig.tracker.metrics.started == 2)
    #expect(rig.phase(of: 1) == .loading)
  }

  @Test("invalidate of one row invalidates the resource, and remove only detaches the row")
  func invalidateAndRemove() async throws {
    let rig = rig()
    try rig.play("c1(a) W1(a) c2(b) W2(b) |")
    await rig.gate.wait { $0.waiting.count == 1 }
    await finish(rig)
    try rig.play("-[1] |")
    #expect(rig.phase(of: 2) == .loaded)
    try rig.play("![2] |")
    #expect(rig.phase(of: 2) == .loading)
    #expect(rig.tracker.metrics.started == 2)
    try rig.play("-[2] |")
    #expect(rig.phase(of: 2) == .waiting && !rig.isWaiting(2))
    #expect(rig.violations == [])
  }
}
