import RowOperationsTesting

@testable import RowOperations

/// A tracker's engine with one of the settings of the proofs.
package struct EngineVariant: Sendable, CustomStringConvertible {
  package let name: String
  package let slots: Int
  package let settings: TrackerEngine.Settings
  /// Whether rows listen to streams.
  package var hasStreams: Bool { settings.streams != nil }
  /// Whether loads have several rows.
  package var hasBatches: Bool { settings.batchSize > 0 }
  /// The number of rows in the order of the list, from 0 on; `nil` without an order.
  package let orderCount: Int?
  /// Whether some rows are in the app's cache and some rows have nothing to load.
  package var hasOddRows = false
  /// The most loads that start in a second.
  package var startsPerSecond: Int?
  /// Whether some servers request pauses.
  package var hasPauses = false
  /// Whether loads fail for different reasons.
  package var hasOddFailures = true
  package var description: String { hasOddRows ? "\(name), odd rows" : name }

  package init(
    _ name: String, slots: Int = 2, order: Int? = nil,
    configure: (inout TrackerEngine.Settings) -> Void = { _ in }
  ) {
    self.name = name
    self.slots = slots
    orderCount = order
    var settings = TrackerEngine.Settings()
    settings.healSpread = 0
    settings.restOfGivenUp = 200_000_000
    configure(&settings)
    self.settings = settings
  }

  /// The failure cause of a row.
  ///
  /// If failures differ, some rows fail without a network, some fail for good, and some servers
  /// request a wait.
  package var cause: @Sendable (Int) -> FailureCause {
    let (differs, hasPauses) = (hasOddFailures, hasPauses)
    return { row in
      var wait: Duration?
      if hasPauses, row % 2 == 1 { wait = row == 3 ? .seconds(2) : .zero }
      if !hasPauses, differs, row % 6 == 3 { wait = .seconds(61) }
      return FailureCause(
        kind: 2, isRetryable: !differs || row % 3 != 2, isConnectivity: !differs || row % 3 == 1,
        retryAfter: wait)
    }
  }

  /// The lane of a row; 0 for none.
  package var lane: @Sendable (Int) -> Int {
    let hasLanes = settings.laneLimit != nil
    return { hasLanes ? $0 % 3 : 0 }
  }

  package var driver: EngineDriver { driver() }

  /// - Parameter addedEffects: The number of effects that the app's code may add to a loop.
  package func driver(addedEffects: Int = 1_000) -> EngineDriver {
    let hasOddRows = hasOddRows
    let driver = EngineDriver(
      settings: settings, slots: slots, addedEffects: addedEffects, cause: cause
    ) { row in
      guard hasOddRows else { return .operation }
      switch row % 3 {
      case 0: return .operation
      case 1: return .cache
      default: return .nowhere
      }
    }
    driver.engine.holds = SlotHolds(startsPerSecond: startsPerSecond)
    driver.lane = lane
    if let orderCount { driver.setOrder(0..<orderCount) }
    return driver
  }

  /// The same variant with some rows that need no operation.
  package var withOddRows: EngineVariant {
    var variant = self
    variant.hasOddRows = true
    return variant
  }

  /// The same variant for an app that receives events and commits.
  package var reporting: EngineVariant {
    let settings = settings
    var variant = EngineVariant("\(name), reported", slots: slots, order: orderCount) {
      $0 = settings
      $0.reportsEvents = true
      $0.reportsCommits = true
    }
    variant.hasOddRows = hasOddRows
    variant.hasOddFailures = hasOddFailures
    return variant
  }

  package static let all: [EngineVariant] = plain + live

  /// Variants with pauses, lanes, and a rate of starts.
  package static let held: [EngineVariant] = [
    EngineVariant("pauses") { _ in }.pausing,
    EngineVariant("pauses, one slot, no grace", slots: 1) { $0.grace = 0 }.pausing,
    EngineVariant("pauses, retried after a delay, a timeout", slots: 3) {
      $0.retry =
        RetryPolicy.backoff(.exponential(from: .milliseconds(50), jitter: 0, limit: 2)).engine
      $0.timeout = 700_000_000
    }.pausing,
    EngineVariant("never retried, so never paused", slots: 3) { $0.retry = .never }.pausing,
    EngineVariant("batches of three, pauses") { $0.batchSize = 3 }.pausing,
    EngineVariant("lanes of one load", slots: 3) { $0.laneLimit = 1 },
    EngineVariant("lanes of two loads, a known order, pauses", slots: 4, order: 6) {
      $0.laneLimit = 2
    }.pausing,
    EngineVariant("batches of two, lanes of one load, pauses", slots: 3) {
      $0.batchSize = 2
      $0.laneLimit = 1
    }.pausing,
    EngineVariant("two starts a second", slots: 3) { $0.valueLimit = 1 }.limited(to: 2),
    EngineVariant("three starts a second, lanes, pauses", slots: 4) { $0.laneLimit = 1 }
      .limited(to: 3).pausing,
    EngineVariant("a start a second, batches, a known order", order: 6) { $0.batchSize = 2 }
      .limited(to: 1),
  ]

  private var pausing: EngineVariant {
    var variant = self
    variant.hasPauses = true
    return variant
  }

  private func limited(to startsPerSecond: Int) -> EngineVariant {
    var variant = self
    variant.startsPerSecond = startsPerSecond
    return variant
  }

  /// Whether loads wait for times that steps of milliseconds seldom reach.
  package var waitsLong: Bool { hasPauses || startsPerSecond != nil }

  /// Variants with streams.
  package static let live: [EngineVariant] = [
    EngineVariant("live rows") { $0.streams = .steady(isLoad: false) }.reporting,
    EngineVariant("live rows, loaded by their streams") { $0.streams = .steady(isLoad: true) },
    EngineVariant("few live rows", slots: 1) {
      $0.streams = .steady(isLoad: false, interval: 0, limit: 1)
      $0.grace = 0
    },
    EngineVariant("few live rows, loaded by their streams, no value kept", slots: 1) {
      $0.streams = .steady(isLoad: true, interval: 50_000_000, limit: 2)
      $0.valueLimit = 0
    },
    EngineVariant("live rows with a timeout", slots: 2) {
      $0.streams = .steady(isLoad: true, interval: .max, limit: 3)
      $0.timeout = 700_000_000
      $0.retry =
        RetryPolicy.backoff(.exponential(from: .milliseconds(50), jitter: 0, limit: 2)).engine
    },
    EngineVariant("live rows, when settled", slots: 2) {
      $0.streams = .steady(isLoad: false, interval: 0, limit: 2)
      $0.scrollPolicy = .whenSettled
    },
    EngineVariant("live rows that are never retried", slots: 3) {
      $0.streams = .steady(isLoad: false, interval: 100_000_000, limit: 2)
      $0.retry = .never
    },
  ]

  /// Variants whose loads have several rows.
  package static let batches: [EngineVariant] = [
    EngineVariant("batches of two") { $0.batchSize = 2 }.reporting,
    EngineVariant("batches of three, one slot", slots: 1) { $0.batchSize = 3 },
    EngineVariant("batches of two, immediate, few values kept", slots: 3) {
      $0.batchSize = 2
      $0.scrollPolicy = .immediate
      $0.valueLimit = 1
    },
    EngineVariant("batches of three, no grace, no value kept") {
      $0.batchSize = 3
      $0.grace = 0
      $0.valueLimit = 0
    },
    EngineVariant("batches of a million, when settled") {
      $0.batchSize = 1_000_000
      $0.scrollPolicy = .whenSettled
    },
    EngineVariant("batches of one, a timeout") {
      $0.batchSize = 1
      $0.timeout = 100_000_000
    },
    EngineVariant("batches of three, retried after a delay, a timeout") {
      $0.batchSize = 3
      $0.retry =
        RetryPolicy.backoff(.exponential(from: .milliseconds(50), jitter: 0, limit: 2)).engine
      $0.timeout = 200_000_000
    },
    EngineVariant("batches of two, never retried") {
      $0.batchSize = 2
      $0.retry = .never
    },
    EngineVariant("batches of two, a known order", order: 6) { $0.batchSize = 2 },
    EngineVariant("batches of three, a known order, few prefetches", slots: 1, order: 6) {
      $0.batchSize = 3
      $0.prefetchWindow.limit = 4
    },
  ]

  private static let plain: [EngineVariant] = [
    EngineVariant("adaptive, two slots"),
    EngineVariant("one slot, nothing prefetched", slots: 1),
    EngineVariant("immediate") { $0.scrollPolicy = .immediate },
    EngineVariant("when settled") { $0.scrollPolicy = .whenSettled },
    EngineVariant("few values kept", slots: 3) {
      $0.valueLimit = 1
    },
    EngineVariant("no value kept") { $0.valueLimit = 0 }.reporting,
    EngineVariant("values kept by cost") {
      $0.valueLimit = nil
      $0.costLimit = 2
    },
    EngineVariant("no grace") { $0.grace = 0 },
    EngineVariant("a timeout") { $0.timeout = 100_000_000 },
    EngineVariant("never retried") { $0.retry = .never },
    EngineVariant("retried after a delay") {
      $0.retry =
        RetryPolicy.backoff(.exponential(from: .milliseconds(50), jitter: 0, limit: 2)).engine
      $0.timeout = 200_000_000
    },
    EngineVariant("few prefetches kept", slots: 4) { $0.prefetchWindow.limit = 2 },
    EngineVariant("a known order", order: 6).reporting,
    EngineVariant("a known order, few prefetches, no value kept", slots: 3, order: 6) {
      $0.prefetchWindow.limit = 2
      $0.valueLimit = 0
    },
    EngineVariant("a known order, no grace", slots: 3, order: 5) {
      $0.valueLimit = 2
      $0.grace = 0
    },
  ]
}

extension TrackerEngine.StreamSettings {
  /// Streams that open again after a time without chance.
  package static func steady(
    isLoad: Bool, interval: Int64 = 100_000_000, limit: Int = 100
  ) -> TrackerEngine.StreamSettings {
    var settings = TrackerEngine.StreamSettings(isLoad: isLoad, interval: interval, limit: limit)
    settings.jitter = 0
    return settings
  }
}
