import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Lanes", .timeLimit(.minutes(10)))
@MainActor
struct LaneTests {
  /// Even rows have a lane of their own, odd rows another one, and rows from 20 on none.
  private func rows(
    _ slots: UpdateSlots, clock: ManualClock = ManualClock(), batchesOf size: Int = 0,
    configure: (inout TrackerConfiguration<Int, Int>) -> Void = { _ in }
  ) -> VirtualRows {
    VirtualRows(slots, clock: clock, batchesOf: size) {
      $0.lane = { row in row < 20 ? ["even", "odd"][row % 2] : nil }
      configure(&$0)
    }
  }

  @Test("The rows of a fast host load beside those of a host that hangs")
  func hangingHost() throws {
    let rows = rows(UpdateSlots(8, laneLimit: 4))
    try rows.play("cW[0…13]")
    #expect(rows.loading == [0, 1, 2, 3, 4, 5, 6, 7])
    // Even rows hang. Seven odd ones come within two load times.
    for _ in 0..<2 {
      for row in rows.loading where row % 2 == 1 {
        _ = rows.tracker.endLoad(of: row) { _ in .success(row) }
      }
      rows.tracker.endPass()
      #expect(rows.tracker.audit() == [])
    }
    #expect(rows.loaded == [1, 3, 5, 7, 9, 11, 13] && rows.loading == [0, 2, 4, 6])
    #expect(
      rows.tracker.explain(8) == "Row 8 waits: 4 loads of its lane run, which is the limit.")
    try rows.play("cW[20…25]")
    #expect(rows.loading == [0, 2, 4, 6, 20, 21, 22, 23])
  }

  @Test("The limit of a lane is four by default, and at least one")
  func limits() throws {
    for (slots, count) in [(UpdateSlots(8), 4), (UpdateSlots(8, laneLimit: 0), 1)] {
      let rows = rows(slots)
      try rows.play("cW[0] cW[2] cW[4] cW[6] cW[8]")
      #expect(rows.loading.count == count)
    }
    let standard = VirtualRows(TrackerConfiguration<Int, Int>().slots) { $0.lane = { _ in 1 } }
    try standard.play("cW[0…9]")
    #expect(standard.loading.count == 4)
    let without = VirtualRows(UpdateSlots(8, laneLimit: 1)) { $0.lane = { _ in nil } }
    try without.play("cW[0…9]")
    #expect(without.loading.count == 8)
  }

  @Test("In a full lane, a row gets the place of a load of the lane, and of no other")
  func yields() throws {
    let rows = rows(UpdateSlots(4, laneLimit: 2)) { $0.grace = .seconds(10) }
    try rows.play("P[1,3,0]")
    try rows.play("c2(a) W2(a)")
    #expect(rows.loading == [0, 1, 2, 3])
    try rows.play("c4(b) W4(b)")
    #expect(rows.loading == [1, 2, 3, 4], "a prefetch of the lane yields")
    try rows.play("c6(c) W6(c)")
    #expect(rows.loading == [1, 2, 3, 4], "the prefetches of the other lane go on")
    try rows.play("E2(a)")
    #expect(rows.loading == [1, 3, 4, 6], "a load without a claim yields")
    #expect(rows.tracker.audit() == [])
  }

  @Test("Trackers share the limit of a lane, and its places")
  func shared() throws {
    let slots = UpdateSlots(8, laneLimit: 2)
    let first = rows(slots)
    let second = rows(slots, clock: first.clock)
    try first.play("P[0,2] cW[1]")
    try second.play("cW[3] P[4]")
    #expect(first.loading == [0, 1, 2] && second.loading == [3])
    try second.play("cW[6]")
    #expect(second.loading == [3, 6] && first.loading.count == 2, "a prefetch of the other yields")
    try second.play("cW[5]")
    first.finish(1)
    #expect(second.loading == [3, 5, 6])
    let third = rows(slots, clock: first.clock)
    try third.play("cW[7]")
    #expect(!third.tracker.core.isIdle)
    #expect(
      third.tracker.explain(7) == "Row 7 waits: 2 loads of its lane run, which is the limit.")
  }

  /// The trackers of slots bid in the order of a dictionary.
  @Test("A full lane of one tracker holds back no other lane of a second one", arguments: 0..<8)
  func joining(before: Int) throws {
    let slots = UpdateSlots(8, laneLimit: 2)
    for _ in 0..<before { _ = rows(slots) }
    let first = rows(slots)
    try first.play("cW[0] cW[2]")
    let second = rows(slots, clock: first.clock)
    try second.play("cW[4] cW[1]")
    #expect(first.loading == [0, 2] && second.loading == [1])
  }

  @Test("A pause of a row with a lane holds its lane, and one of a row without holds all")
  func pauses() throws {
    let rows = rows(UpdateSlots(8, laneLimit: 1))
    try rows.play("cW[0…3] cW[20]")
    #expect(rows.loading == [0, 1, 20])
    rows.fail(0)
    #expect(rows.loading == [1, 20])
    rows.finish(1)
    #expect(rows.loading == [3, 20])
    rows.fail(20, with: VirtualRows.refusal(2))
    rows.finish(3)
    try rows.play("cW[5] cW[21] +1000ms")
    #expect(rows.loading == [] && rows.deadline == 1000)
    try rows.play("+1000ms")
    #expect(rows.loading == [0], "one load shows for its lane and for all")
    rows.finish(0)
    #expect(rows.loading == [2, 5, 20, 21])
  }

  @Test("A batch has one lane")
  func batches() throws {
    let rows = rows(UpdateSlots(8, laneLimit: 1), batchesOf: 3)
    try rows.play("cW[0…7]")
    #expect(rows.loading == [0, 1, 2, 3, 4, 5])
    #expect(rows.tracker.metrics.batches == 2)
    #expect(rows.tracker.audit() == [])
  }

  // MARK: Reading

  private struct Photo: Hashable, Sendable {
    let id: Int
    let host: String

    static func == (a: Photo, b: Photo) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  @Test("The lane is read once for each instance of a row, before its first load")
  func instances() throws {
    var read: [String] = []
    var configuration = TrackerConfiguration<Photo, Int>()
    configuration.slots = UpdateSlots(1)
    configuration.lane = { photo in
      read.append(photo.host)
      return photo.host
    }
    let tracker = DisplayTracker(configuration: configuration) { $0.row.id }
    tracker.holdOperations()
    let cells = (0..<3).map { SimulatedCell(number: $0) }
    func show(_ id: Int, _ host: String) {
      tracker.bind(cells[id], to: Photo(id: id, host: host)) { _, _ in }
      tracker.willDisplay(cells[id])
      tracker.endPass()
    }
    show(0, "a")
    show(1, "a")
    show(1, "a")
    tracker.didEndDisplaying(cells[1])
    tracker.endPass()
    show(1, "a")
    #expect(read == ["a", "a"])
    show(1, "b")
    show(0, "c")
    #expect(read == ["a", "a", "b", "c"], "a running load may yield, and its row waits at once")
    tracker.invalidate([Photo(id: 0, host: "c")])
    _ = tracker.endLoad(of: Photo(id: 0, host: "")) { _ in .success(0) }
    for _ in 0..<3 { tracker.endPass() }
    #expect(read == ["a", "a", "b", "c"])
  }

  @Test("The closure of lanes may call the tracker, and even pass newer instances for ever")
  func calls() async throws {
    var (read, hosts) = (0, 0)
    let cells = (0..<4).map { SimulatedCell(number: $0) }
    weak var weakTracker: DisplayTracker<Photo, Int>?
    var configuration = TrackerConfiguration<Photo, Int>()
    configuration.slots = UpdateSlots(4)
    configuration.lane = { photo in
      read += 1
      hosts += 1
      // A newer instance, for ten times.
      if read < 10 {
        weakTracker?.bind(cells[0], to: Photo(id: photo.id, host: "\(hosts)")) { _, _ in }
      }
      weakTracker?.bind(cells[1], to: Photo(id: 7, host: "x")) { _, _ in }
      weakTracker?.willDisplay(cells[1])
      weakTracker?.remove([Photo(id: 3, host: "")])
      return photo.host
    }
    let tracker = DisplayTracker(configuration: configuration) { $0.row.id }
    weakTracker = tracker
    for id in [0, 3] {
      tracker.bind(cells[id], to: Photo(id: id, host: "0")) { _, _ in }
      tracker.willDisplay(cells[id])
    }
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: Photo(id: 7, host: "")).value == 7)
    #expect(read >= 10 && tracker.audit() == [])
    withExtendedLifetime(cells) {}
  }

  @Test("Lanes that no row has any more are forgotten")
  func forgotten() throws {
    let slots = UpdateSlots(2)
    let rows = VirtualRows(slots) {
      $0.lane = { $0 }
      $0.grace = .zero
      $0.retention = .count(0)
    }
    for row in 0..<1000 {
      rows.tracker.prefetch([row])
      rows.tracker.endPass()
      rows.tracker.cancelPrefetch([row])
      rows.tracker.endPass()
    }
    #expect(slots.knownLanes <= 100)
    #expect(rows.tracker.core.engine.lanes.all.count < 10)
  }
}
