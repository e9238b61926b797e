// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Configurations at their limits", .timeLimit(.minutes(10)))
@MainActor
struct ConfigurationFaultTests {
  private static let endless = Duration.seconds(Int64.max)
  private static let negative = [Duration.seconds(-1), .seconds(-Int64.max)]

  // MARK: Durations

  @Test("An infinite grace keeps a load, and a negative grace ends it at once")
  func grace() async throws {
    let rig = TrackerRig { $0.grace = Self.endless }
    try rig.play("c1(a) W1(a) | E1(a) | +1000000000ms |")
    #expect(rig.recorder.cancelled == [])
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    #expect(rig.phase(of: 1) == .loaded)
    for grace in Self.negative {
      let rig = TrackerRig { $0.grace = grace }
      try rig.play("c1(a) W1(a) | E1(a) |")
      #expect(rig.recorder.cancelled == [1])
      #expect(rig.violations == [])
    }
  }

  @Test("A list stays in motion with an infinite quiet time and settles with a negative one")
  func quietTime() throws {
    let rig = TrackerRig {
      $0.quietTime = Self.endless
      $0.scrollPolicy = .whenSettled
    }
    try rig.play("B c1(a) W1(a) | M | +1000000000ms |")
    #expect(rig.recorder.started == [])
    try rig.play("S |")
    #expect(rig.recorder.started == [1])
    for quietTime in Self.negative {
      let rig = TrackerRig {
        $0.quietTime = quietTime
        $0.scrollPolicy = .whenSettled
      }
      try rig.play("B c1(a) W1(a) |")
      #expect(rig.recorder.started == [1])
    }
  }

  @Test("An infinite timeout ends no load, and a negative one ends each load at the next turn")
  func timeout() async throws {
    let rig = TrackerRig { $0.timeout = Self.endless }
    try await rig.playToTheEnd("c1(a) W1(a) | +1000000000ms | F1")
    #expect(rig.phase(of: 1) == .loaded)
    for timeout in Self.negative {
      let rig = TrackerRig { $0.timeout = timeout }
      try rig.play("c1(a) W1(a) | |")
      #expect(rig.phase(of: 1) == .failed)
      #expect((rig.tracker.phase(of: 1).error as? OperationError)?.code == .timedOut)
      #expect(rig.violations == [])
    }
  }

  @Test(
    "A row with an infinite delay waits for the app's retry",
    arguments: [
      RetryStrategy.constant(.seconds(Int64.max), limit: 3),
      .delays([.seconds(Int64.max)]),
      .exponential(from: .seconds(Int64.max / 2), maximum: .seconds(Int64.max), limit: 100),
      .exponential(
        from: .seconds(Int64.max / 2), factor: .infinity, maximum: .seconds(Int64.max), limit: 9),
      .exponential(
        from: .seconds(Int64.max / 2), factor: .nan, maximum: .seconds(Int64.max), limit: 9),
    ])
  func endlessDelays(strategy: RetryStrategy) async throws {
    let rig = TrackerRig { $0.retry = .backoff(strategy) }
    try await rig.playToTheEnd("c1(a) W1(a) | f1 | +1000000000ms |")
    #expect(rig.starts(of: 1) == 1)
    #expect(rig.phase(of: 1) == .waiting && rig.isWaiting(1))
    rig.tracker.retry(1)
    try await rig.playToTheEnd("| F1")
    #expect(rig.starts(of: 1) == 2)
    #expect(rig.phase(of: 1) == .loaded)
    #expect(rig.violations == [])
  }

  @Test("A negative delay counts as zero")
  func negativeDelays() async throws {
    for delay in Self.negative {
      let rig = TrackerRig { $0.retry = .backoff(.constant(delay, limit: 2)) }
      try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
      #expect(rig.starts(of: 1) == 2)
      try await rig.playToTheEnd("f1 | F1")
      #expect(rig.phase(of: 1) == .loaded)
    }
  }

  @Test(
    "No duration traps, in any setting",
    arguments: [.seconds(Int64.max), .seconds(Int64.min), .seconds(1e19), .seconds(-1e19)]
      as [Duration])
  func extremes(duration: Duration) async throws {
    let rig = TrackerRig {
      $0.grace = duration
      $0.quietTime = duration
      $0.timeout = max(duration, .seconds(1))
      $0.retry = .backoff(.constant(duration, limit: 1))
    }
    #expect((duration.nanoseconds > 0) == (duration > .zero))
    try await rig.playToTheEnd("B c1(a) W1(a) | S |")
    #expect(rig.phase(of: 1) == .loading)
    try await rig.playToTheEnd("f1 y1 | F1 |")
    #expect(rig.phase(of: 1) == .loaded)
    try await rig.playToTheEnd("E1(a) |")
    #expect(rig.violations == [])
  }

  // MARK: Costs and limits

  struct Cost: Sendable, CustomTestStringConvertible {
    let limit: Int
    let cost: Int
    /// How many of ten unclaimed values are kept.
    let kept: Int

    var testDescription: String { "values of cost \(cost) within \(limit)" }

    static let all = [
      Cost(limit: 100, cost: .max, kept: 0), Cost(limit: 100, cost: .min, kept: 10),
      Cost(limit: -1, cost: 1, kept: 0), Cost(limit: .min, cost: 1, kept: 0),
      Cost(limit: -1, cost: -1, kept: 10), Cost(limit: .max, cost: .max, kept: 10),
      Cost(limit: 1 << 40, cost: .max, kept: 1), Cost(limit: 100, cost: 50, kept: 2),
    ]
  }

  @Test("Costs and limits of any size give the right number of kept values", arguments: Cost.all)
  func costs(cost: Cost) {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.retention = .cost(limit: cost.limit) { _ in cost.cost }
    let tracker = DisplayTracker<Int, Int>(configuration: configuration, operation: { _ in nil })
    for row in 0..<10 { tracker.setValue(row, for: row) }
    // The second value of a row first removes the cost of the old one.
    for row in 0..<10 { tracker.setValue(row, for: row) }
    tracker.endPass()
    #expect((0..<10).count { tracker.phase(of: $0).value != nil } == cost.kept)
    #expect(tracker.audit() == [])
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 20) { _, _ in }
    tracker.willDisplay(cell)
    tracker.setValue(20, for: 20)
    tracker.endPass()
    #expect(tracker.phase(of: 20).value == 20, "a value on screen is kept at any cost")
    tracker.removeAll()
    tracker.endPass()
    #expect(tracker.core.engine.kept.count == 0)
    #expect(tracker.audit() == [])
  }

  @Test("With a prefetch limit of Int.max the newest 1,000 rows are claimed")
  func prefetchLimit() async {
    let rig = TrackerRig { $0.prefetchWindow.limit = .max }
    rig.tracker.prefetch(0..<1_000)
    rig.tracker.prefetch(500..<2_000)
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.claims.announcedCount == 1_000)
    #expect(rig.tracker.core.engine.runningLoads == 4)
    await rig.end(500, with: .success(.init(row: 500, generation: 0)))
    #expect(rig.phase(of: 500) == .loaded)
    #expect(rig.violations == [])
  }

  @Test("With Int.max slots all rows load at once")
  func slotCount() {
    let rig = TrackerRig {
      $0.slots = UpdateSlots(.max)
      $0.prefetchWindow.limit = 100
    }
    rig.tracker.prefetch(0..<100)
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.runningLoads == 100)
    rig.tracker.removeAll()
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.runningLoads == 0)
    #expect(rig.violations == [])
  }
}
