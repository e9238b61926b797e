// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

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

  @Test("An infinite factor leads to the maximum, and a factor that is no number to no growth")
  func factors() async throws {
    for factor in [Double.infinity, .nan] {
      let rig = TrackerRig {
        $0.retry = .backoff(
          .exponential(
            from: .milliseconds(100), factor: factor, maximum: .seconds(60), jitter: 0, limit: 9))
      }
      try await rig.playToTheEnd("c1(a) W1(a) | f1 | +100ms | f1 | +59999ms |")
      #expect(rig.starts(of: 1) == (factor.isNaN ? 3 : 2))
      guard !factor.isNaN else { continue }
      try await rig.playToTheEnd("+1ms | F1")
      #expect(rig.starts(of: 1) == 3)
    }
  }

  @Test("No duration and no retry delay traps")
  func extremes() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.min), .seconds(1e19), .seconds(-1e19),
      ]
      for duration in durations {
        #expect((duration.nanoseconds > 0) == (duration > .zero))
        await playExtremes(duration)
        for maximum in durations {
          for factor in [2, .infinity, .nan] as [Double] {
            let strategy = RetryStrategy.exponential(
              from: duration, factor: factor, maximum: maximum, jitter: 0, limit: .max)
            for attempt in [0, 1, 100, Int.max - 1] {
              let delay = strategy.delay(beforeRetry: attempt, chance: 0.5)
              #expect(delay.map { $0.nanoseconds >= 0 } == true)
            }
          }
        }
      }
    }
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

  @Test("A negative count keeps no unclaimed value")
  func negativeCount() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.retention = .count(.min)
    let tracker = DisplayTracker<Int, Int>(configuration: configuration, operation: { _ in nil })
    tracker.setValue(1, for: 1)
    tracker.endPass()
    #expect(tracker.phase(of: 1).value == nil)
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
  func slotCount() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      await useAllSlots()
    }
  }

  // MARK: Memory

  @Test("The memory of 100,000 rows returns after removeAll")
  func memoryReturns() {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.clock = ManualClock()
    configuration.retention = .all
    let tracker = DisplayTracker<Int, Int>(configuration: configuration, operation: { _ in nil })
    for row in 0..<100_000 { tracker.setValue(row, for: row) }
    tracker.prefetch(100_000..<100_040)
    tracker.endPass()
    #expect(tracker.core.engine.rows.count >= 100_000)
    #expect(tracker.store.values.count == 100_000)
    tracker.removeAll()
    tracker.endPass()
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.core.engine.rows.count == 0)
    #expect(tracker.core.engine.runs.count == 0)
    #expect(tracker.core.engine.claims.announcedCount == 0)
    #expect(tracker.store.values.count == 0 && tracker.store.values.values.isEmpty)
    #expect(tracker.store.rows.rows.isEmpty)
    #expect(tracker.audit() == [])
    // Objects of the app can be released a few turns later.
    for _ in 0..<200 { tracker.endPass() }
    #expect(tracker.store.discarded.rows.isEmpty && tracker.store.discarded.values.isEmpty)
    #expect(tracker.core.state.discarded.isEmpty)
    tracker.prefetch([7])
    tracker.endPass()
    #expect(tracker.phase(of: 7).kind == .idle, "the tracker still works")
  }
}

/// Loads a hundred rows with as many slots as there are numbers.
@MainActor
private func useAllSlots() {
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

/// Loads a row with the same duration in all settings.
@MainActor
private func playExtremes(_ duration: Duration) async {
  let rig = TrackerRig {
    $0.grace = duration
    $0.quietTime = duration
    $0.timeout = max(duration, .seconds(1))
    $0.retry = .backoff(.constant(duration, limit: 1))
  }
  let cell = SimulatedCell(number: 0)
  rig.tracker.scrollWillBegin()
  rig.tracker.bind(cell, to: 1) { _, _ in }
  rig.tracker.willDisplay(cell)
  rig.tracker.endPass()
  rig.tracker.scrollDidSettle()
  rig.tracker.endPass()
  #expect(rig.phase(of: 1) == .loading)
  await rig.end(1, with: .failure(TrackerRig.Failure(row: 1)))
  rig.tracker.retry(1)
  rig.tracker.endPass()
  await rig.end(1, with: .success(TrackerRig.Loaded(row: 1, generation: 0)))
  #expect(rig.phase(of: 1) == .loaded)
  rig.tracker.didEndDisplaying(cell)
  rig.tracker.endPass()
  #expect(rig.violations == [])
}
