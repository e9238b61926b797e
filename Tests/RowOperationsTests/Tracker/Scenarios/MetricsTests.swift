// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Metrics: blank time and others", .timeLimit(.minutes(10)))
@MainActor
struct MetricsTests {
  private static func milliseconds(_ rig: TrackerRig) -> Int64 {
    rig.tracker.metrics.blankTime.nanoseconds / 1_000_000
  }

  @Test("Blank time is the sum over rows of their time on screen without a value")
  func blankTime() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | +100ms")
    #expect(Self.milliseconds(rig) == 200, "also before a turn")
    try await rig.playToTheEnd("F1 | +100ms | E2(b) | +100ms |")
    #expect(Self.milliseconds(rig) == 300)
    try await rig.playToTheEnd("W2(b) | +10ms | f2 | +10ms |")
    #expect(Self.milliseconds(rig) == 320, "a failed row is blank")
  }

  @Test("A row is blank again once a late load that has shown a value gives its slot back")
  func handedOver() throws {
    let driver = EngineVariant("loaded by streams") { $0.streams = .steady(isLoad: true) }.driver
    for step in try EventScript("c0(a) W0(a) | s0 | +1000ms | +100ms").steps { driver.apply(step) }
    #expect(driver.engine.counts(at: driver.now).blankTime == 100_000_000)
  }

  @Test("A value that arrives off screen has finished its load, and is not applied")
  func offScreenValue() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | E1(a) | F1 F2 |")
    #expect(rig.tracker.metrics.finished == 2 && rig.tracker.metrics.applied == 1)
    #expect(rig.tracker.metrics.finishedOffScreen == 1)
  }

  @Test("A value that is dropped on its arrival is not applied, though a cell is to show its row")
  func droppedOnArrival() async throws {
    let rig = TrackerRig { $0.retention = .none }
    try await rig.playToTheEnd("c1(a) W1(a) c1(b) | E1(a) | F1 |")
    #expect(rig.tracker.metrics.finished == 1 && rig.tracker.metrics.applied == 0)
    #expect(rig.violations == [])
  }

  @Test("A row with a previous value or with nothing to load is not blank")
  func notBlank() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | F1 | ![1] | +500ms |")
    #expect(rig.phase(of: 1) == .loading && Self.milliseconds(rig) == 0)
    let clock = ManualClock()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = clock
    let tracker = DisplayTracker<Int, Int>(configuration: configuration, operation: { _ in nil })
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    clock.advance(by: .seconds(1))
    #expect(tracker.metrics.blankTime == .zero)
  }

  @Test("Rows of a suspended list are not blank")
  func suspended() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | +100ms Z | +1000ms | z +50ms |")
    #expect(Self.milliseconds(rig) == 150)
  }

  @Test("The longest times add up, and time in suspension counts for no first value")
  func longTimes() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[1…5] |")
    rig.clock.advance(by: .seconds(Int64.max))
    #expect(rig.tracker.metrics.blankTime > .seconds(60 * 60 * 24 * 365 * 100))
    let hidden = TrackerRig()
    try await hidden.playToTheEnd("c1(a) W1(a) | Z | +50000ms | z | F1 |")
    #expect(hidden.phase(of: 1) == .loaded)
    #expect(hidden.tracker.metrics.timeToFirstValue.count == 0)
  }

  @Test("Each row has its time to the first value, which is zero for a kept value")
  func firstValue() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(9) }
    try await rig.playToTheEnd("cW[1…4] | +100ms F1 F2 F3 | +900ms F4 |")
    var times = rig.tracker.metrics.timeToFirstValue
    #expect(times.count == 4)
    let median = try #require(times.median)
    #expect(abs((median - .milliseconds(100)).nanoseconds) < 4_000_000, "\(median)")
    let slowest = try #require(times.percentile(95))
    #expect(abs((slowest - .seconds(1)).nanoseconds) < 40_000_000, "\(slowest)")
    try await rig.playToTheEnd("E1(a) E2(b) E3(c) E4(d) | W1(a) W2(b) W3(c) W4(d) |")
    times = rig.tracker.metrics.timeToFirstValue
    #expect(times.count == 8 && times.median == .zero)
  }

  @Test("The difference of two snapshots counts the work between them")
  func difference() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("cW[1,2] | +100ms F1 f2 | E2(b) |")
    let before = rig.tracker.metrics
    #expect((before - before) == (before - before - (before - before)))
    try await rig.playToTheEnd("c3(c) W3(c) | +50ms F3 | c4(d) W4(d) | E4(d) | +150ms |")
    await rig.recorder.wait { $0.stopped == [4] }
    let difference = rig.tracker.metrics - before
    #expect(difference.started == 2 && difference.finished == 1 && difference.failed == 0)
    #expect(difference.cancelledRunning == 1 && difference.cancelledPerStage.count <= 1)
    #expect(difference.blankTime == .milliseconds(50))
    #expect(difference.timeToFirstValue.count == 1)
    #expect(difference.turns > 0 && difference.peakRunning == rig.tracker.metrics.peakRunning)
  }

  @Test("displayedRows has the rows of all cells on screen, loaded or not")
  func displayedRows() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) c3(c) W3(c) h4(d,c) |")
    #expect(rig.tracker.displayedRows == [1, 3, 4])
    try await rig.playToTheEnd("E3(c) W2(b) U(a)")
    #expect(rig.tracker.displayedRows == [2])
  }
}
