// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Slots and their order of admission", .timeLimit(.minutes(10)))
@MainActor
struct SlotTests {
  @Test("A load without a claim gives way at once to a waiting row")
  func graceYields() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try rig.play("c1(a) W1(a) c2(b) W2(b) | E1(a) E2(b) | c3(c) W3(c) |")
    #expect(rig.recorder.cancelled == [1])
    #expect(rig.rows(in: .loading) == [2, 3])
  }

  @Test("A load without a claim keeps its slot while only prefetched rows wait")
  func graceAgainstPrefetches() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try rig.play("cW[1,2] | E1(a) E2(b) P[3] |")
    #expect(rig.recorder.cancelled == [] && rig.rows(in: .loading) == [1, 2])
    try rig.play("W2(b) | +150ms |")
    #expect(rig.recorder.cancelled == [1] && rig.rows(in: .loading) == [2, 3])
    #expect(rig.violations == [])
  }

  @Test("Running prefetches give their slots to rows on screen, and load again after them")
  func prefetchesYieldAtRest() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[20…23] | +60ms | cW[0…3] |")
    #expect(rig.recorder.cancelled.sorted() == [20, 21, 22, 23])
    #expect(rig.rows(in: .loading) == [0, 1, 2, 3])
    try await rig.playToTheEnd("F0 F1 F2 F3 |")
    #expect(rig.rows(in: .loading) == [20, 21, 22, 23])
    #expect(rig.tracker.metrics.prefetchedInVain == 4 && rig.violations == [])
  }

  @Test("A row on screen takes one slot, that of the prefetch that comes on screen last")
  func farthestPrefetch() throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try rig.play("P[1…9] |")
    #expect(rig.rows(in: .loading) == [1, 2])
    try rig.play("+24ms c50(a) W50(a) |")
    #expect(rig.rows(in: .loading) == [1, 50] && rig.waitingByPriority.first == 2)
    try rig.play("+1ms c51(b) W51(b) |")
    #expect(rig.rows(in: .loading) == [50, 51] && rig.violations == [])
  }

  @Test("Lingering bodies hold no slot up to the number of slots; further bodies hold one each")
  func lingeringBodies() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false) {
      $0.slots = UpdateSlots(2)
      $0.grace = .zero
    }
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | c3(a) c4(b) | c5(a) c6(b) |")
    // The bodies of 1 to 4 are cancelled and linger; two of them hold the slots.
    #expect(rig.recorder.started == [1, 2, 3, 4])
    #expect(rig.rows(in: .waiting) == [5, 6])
    try await rig.playToTheEnd("F1")
    #expect(rig.rows(in: .loading) == [5])
    try await rig.playToTheEnd("F3 F2 F4 F5 F6")
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.finished == 2)
    #expect(rig.violations == [])
  }

  @Test("Two trackers with shared slots load stronger claims first and take turns otherwise")
  func sharedSlots() async throws {
    let slots = UpdateSlots(2)
    let first = TrackerRig { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    try first.play("cW[0…5] |")
    try second.play("P[7] cW[0…5] |")
    #expect(first.rows(in: .loading).count + second.rows(in: .loading).count == 2)
    for count in 1...4 {
      for rig in [first, second] {
        guard let row = rig.rows(in: .loading).min() else { continue }
        await rig.end(row, with: .success(.init(row: row, generation: 0)))
      }
      let difference = first.tracker.metrics.started - second.tracker.metrics.started
      #expect(abs(difference) <= 2, "after \(count) rounds")
    }
    #expect(!second.recorder.started.contains(7))
  }

  @Test(
    "A deallocated tracker releases its slots, even if its loads still run",
    arguments: [true, false])
  func slotsOfTheGone(stopsWhenCancelled: Bool) async throws {
    let slots = UpdateSlots(1)
    var first: TrackerRig? = TrackerRig(stopsWhenCancelled: stopsWhenCancelled) { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    try first?.play("c1(a) W1(a) |")
    try second.play("c2(a) W2(a) |")
    #expect(second.rows(in: .waiting) == [2])
    let gate = first?.gate
    first = nil
    await second.recorder.wait { $0.started == [2] }
    try await second.playToTheEnd("F2")
    gate?.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
  }

  @Test("Bodies of a deallocated tracker that hold all slots return them when they end")
  func bodiesOfTheGone() async throws {
    let slots = UpdateSlots(1)
    var first: TrackerRig? = TrackerRig(stopsWhenCancelled: false) { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    let gate = try #require(first).gate
    try first?.play("c1(a) W1(a) |")
    await gate.waitForLoads([1])
    // The body of row 1 goes on beside the one slot.
    try first?.play("v1 c2(b) W2(b) |")
    await gate.waitForLoads([1, 2])
    first = nil
    try second.play("c3(a) W3(a) |")
    #expect(second.rows(in: .waiting) == [3] && slots.orphans == 2)
    gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    await second.recorder.wait { $0.started == [3] }
    try await second.playToTheEnd("F3")
  }

  @Test(
    "Loads of rows that are now only prefetched release a slot",
    arguments: [
      "B L[1,2] | P[1,2] | B c20(a) W20(a) |",
      "cW[1,2] | E[1,2] P[1,2] | cW[20] |",
    ])
  func prefetchesYield(script: String) async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(2) }
    try rig.play(script)
    // The last prefetched row gives way, and loads once a slot is free.
    #expect(rig.recorder.cancelled == [2])
    #expect(rig.rows(in: .loading) == [1, 20] && rig.isWaiting(2))
    #expect(rig.violations == [])
    try await rig.playToTheEnd("F20 |")
    #expect(rig.rows(in: .loading) == [1, 2])
  }

  @Test("Prefetches of one tracker give way to another's displayed row, with an event")
  func prefetchesYieldToAnother() throws {
    let slots = UpdateSlots(2)
    let first = TrackerRig { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    try first.play("cW[1,2] | E[1,2] P[1,2] |")
    try second.play("cW[1] |")
    #expect(second.rows(in: .loading) == [1])
    #expect(first.recorder.cancelled == [2] && first.isWaiting(2))
  }

  @Test("A load that starts in another tracker's turn is rendered and reported")
  func startedByAnother() async throws {
    let slots = UpdateSlots(1)
    let first = TrackerRig { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    try first.play("cW[1] |")
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    second.tracker.bind(cell, to: 2) { _, phase in shown.append(phase.kind) }
    second.tracker.willDisplay(cell)
    second.tracker.endPass()
    await first.end(1, with: .success(.init(row: 1, generation: 0)))
    await second.recorder.wait { $0.started == [2] }
    await second.tracker.waitUntil { _ in shown.count == 2 }
    #expect(shown == [.waiting, .loading])
    await second.end(2, with: .success(.init(row: 2, generation: 0)))
  }

  @Test(
    "A row with nothing to load in another tracker's turn is rendered, and its calls take effect")
  func nothingFoundByAnother() async throws {
    let slots = UpdateSlots(1)
    let first = TrackerRig { $0.slots = slots }
    try first.play("cW[1] |")
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = slots
    weak var known: DisplayTracker<Int, Int>?
    let second = DisplayTracker<Int, Int>(configuration: configuration) { _ in
      known?.setValue(7, for: 9)
      return nil
    }
    known = second
    let cell = SimulatedCell(number: 0)
    var shown: [LoadPhase] = []
    second.bind(cell, to: 2) { _, phase in shown.append(phase.kind) }
    second.willDisplay(cell)
    second.endPass()
    await first.end(1, with: .success(.init(row: 1, generation: 0)))
    await second.waitUntil { _ in shown.count == 2 }
    #expect(shown == [.waiting, .idle])
    #expect(second.phase(of: 9).value == 7)
  }
}
