import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("The rate of starts", .timeLimit(.minutes(10)))
@MainActor
struct SlotRateTests {
  @Test("At most so many loads start in any second")
  func rate() throws {
    let rows = VirtualRows(UpdateSlots(6, startsPerSecond: 2))
    try rows.play("cW[1…5]")
    #expect(rows.loading == [1, 2] && rows.deadline == 1000)
    #expect(
      rows.tracker.explain(3)
        == "Row 3 waits: the rate of starts is reached, the next load starts in 1 s.")
    rows.finish(1)
    try rows.play("+999ms")
    #expect(rows.loading == [2])
    try rows.play("+1ms")
    #expect(rows.loading == [2, 3, 4])
    try rows.play("+1000ms")
    #expect(rows.loading == [2, 3, 4, 5] && rows.deadline == nil)
  }

  @Test("A prefetch yields only when the other load may start")
  func rateAndYield() throws {
    let rows = VirtualRows(UpdateSlots(1, startsPerSecond: 1))
    try rows.play("P[1]")
    try rows.play("cW[2]")
    #expect(rows.loading == [1])
    try rows.play("+1000ms")
    #expect(rows.loading == [2])
  }

  @Test("Rows without anything to load do not count for the rate of starts, also among trackers")
  func rateOfNothing() throws {
    let (clock, slots) = (ManualClock(), UpdateSlots(9, startsPerSecond: 1))
    var configuration = TrackerConfiguration<Int, Int>()
    (configuration.clock, configuration.slots) = (clock, slots)
    configuration.cached = { $0 < 3 ? $0 : nil }
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { $0.row }
    tracker.holdOperations()
    tracker.prefetch([1, 2, 3, 4])
    for _ in 0..<5 { tracker.endPass() }
    #expect((1...4).map { tracker.phase(of: $0).value } == [1, 2, nil, nil])
    #expect(tracker.core.engine.runningLoads == 1)
    let other = VirtualRows(slots, clock: clock)
    try other.play("cW[5]")
    #expect(other.loading == [] && other.deadline == 1000)
    try other.play("+1000ms")
    #expect(other.loading == [5])
    tracker.endPass()
    #expect(tracker.core.engine.runningLoads == 1)
  }

  @Test("A rate of zero or less is reported, and is no limit", arguments: [0, -3])
  func badRate(rate: Int) throws {
    let (slots, codes) = Misuses.inside { (UpdateSlots(3, startsPerSecond: rate), $0.codes) }
    #expect(codes == [.noStarts])
    let rows = VirtualRows(slots)
    try rows.play("cW[1…3]")
    #expect(rows.loading == [1, 2, 3])
    let (limited, none) = Misuses.inside { (UpdateSlots(3, startsPerSecond: 1), $0.codes) }
    #expect(none == [] && limited.count == 3)
  }
}
