import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("The bids of trackers that share slots", .timeLimit(.minutes(10)))
@MainActor
struct SharedSlotsTests {
  /// A manual clock that counts its readings on the main thread.
  ///
  /// Timers read it on others, at any time.
  private struct CountingClock: Clock {
    let base = ManualClock()
    let readings = Box()

    var now: ManualClock.Instant {
      if Thread.isMainThread { readings.add() }
      return base.now
    }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// Lets each of some trackers wait for the one slot, then lets them start one after another.
  ///
  /// - Returns: The readings of the clock meanwhile: the evaluation of a bid takes one.
  private func readings(trackers count: Int) -> Int {
    let clock = CountingClock()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    configuration.slots = UpdateSlots(1)
    let holder = DisplayTracker<Int, Int>(configuration: configuration) { _ in
      try await Task.sleep(for: .seconds(1_000))
      return 0
    }
    let cells = (0...count).map { SimulatedCell(number: $0) }
    holder.bind(cells[count], to: 0) { _, _ in }
    holder.willDisplay(cells[count])
    holder.endPass()
    var made = 0
    let trackers = (0..<count).map { number in
      let tracker = DisplayTracker<Int, Int>(configuration: configuration) { _ in
        made += 1
        return nil
      }
      tracker.bind(cells[number], to: number) { _, _ in }
      tracker.willDisplay(cells[number])
      tracker.endPass()
      return tracker
    }
    #expect(made == 0)
    holder.remove([0])
    holder.endPass()
    #expect(made == count)
    withExtendedLifetime(trackers) {}
    return clock.readings.value
  }

  @Test("Twice as many trackers that wait for a slot evaluate twice as many bids")
  func costOfAdmissions() {
    let (few, many) = (readings(trackers: 20), readings(trackers: 40))
    #expect(many <= 2 * few, "\(few), \(many)")
  }

  @Test("The end of a tracker gives its slots to the others, without a turn of theirs")
  func freedAtEnd() async throws {
    let slots = UpdateSlots(1)
    let rig = TrackerRig { $0.slots = slots }
    var other: TrackerRig? = TrackerRig(stopsWhenCancelled: false) { $0.slots = slots }
    let gate = try #require(other?.gate)
    try other?.play("cW[2] |")
    await gate.waitForLoads([2])
    try rig.play("cW[1] |")
    await rig.tracker.pendingTurns()
    #expect(rig.isWaiting(1))
    other = nil
    await until { !rig.isWaiting(1) }
    gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
  }

  @Test("A load whose row has just come back on screen gives its slot to no other tracker")
  func staleGrace() throws {
    let slots = UpdateSlots(1)
    let (first, second) = (TrackerRig { $0.slots = slots }, TrackerRig { $0.slots = slots })
    try first.play("c1(a) W1(a) | E1(a) |")
    // The tracker's next turn evaluates the display.
    try first.play("W1(a)")
    try second.play("c2(a) W2(a) |")
    #expect(first.recorder.cancelled == [] && second.rows(in: .loading) == [])
    try first.play("|")
    #expect(first.rows(in: .loading) == [1] && first.violations == [])
  }

  @Test("The end of a tracker takes its waiting rows out of the slots")
  func endOfTracker() async throws {
    let slots = UpdateSlots(1)
    let first = TrackerRig { $0.slots = slots }
    try first.play("cW[1] |")
    weak var gone: TrackerCore?
    do {
      let second = TrackerRig { $0.slots = slots }
      try second.play("cW[2] |")
      gone = second.tracker.core
    }
    let third = TrackerRig { $0.slots = slots }
    try third.play("cW[3] |")
    #expect(gone == nil)
    try first.play("-[1] |")
    #expect(third.rows(in: .loading) == [3])
    await third.tracker.pendingTurns()
    #expect(slots.table.trackers == 2)
  }

  @Test(
    "A row that a lost end of a scroll holds back in another tracker's turn loads by itself",
    arguments: ["B", "M", "L[]", "B1", "M1", "L1@[]"])
  func lostEndOfScroll(report: String) async throws {
    let slots = UpdateSlots(1)
    let other = TrackerRig { $0.slots = slots }
    let rig = TrackerRig {
      $0.slots = slots
      $0.scrollPolicy = .whenSettled
    }
    try other.play("c9(a) W9(a) |")
    try rig.play("c1(a) W1(a) |")
    await rig.tracker.pendingTurns()
    // No row comes on screen, so the report needs no turn.
    try rig.play(report)
    #expect(!rig.tracker.core.engine.turns.isRequested)
    other.arrive(9)
    other.tracker.endPass()
    #expect(rig.isWaiting(1))
    let hasTimer = rig.tracker.core.timer != nil
    try #require(hasTimer)
    await until { rig.clock.sleepers > 0 }
    rig.clock.advance(by: .milliseconds(150))
    await rig.tracker.waitUntil { _ in rig.rows(in: .loading) == [1] }
  }
}
