import Foundation

/// How hard the stress suites try: `STRESS=low` (the default), `medium` or `high`.
enum StressLevel: String {
  case low, medium, high

  static let current =
    ProcessInfo.processInfo.environment["STRESS"].flatMap(StressLevel.init) ?? .low

  var rounds: Int {
    switch self {
    case .low: 2
    case .medium: 3
    case .high: 5
    }
  }

  var operationsPerRound: Int {
    switch self {
    case .low: 500
    case .medium: 15_000
    case .high: 30_000
    }
  }

  /// How many random mixes of operations there are.
  var mixes: Int {
    switch self {
    case .low: 60
    case .medium: 3_000
    case .high: 30_000
    }
  }

  /// How many operations run before the memory that they leave behind is measured.
  var measuredOperations: Int {
    switch self {
    case .low: 20_000
    case .medium: 100_000
    case .high: 1_000_000
    }
  }

  var cancelledFetches: Int {
    switch self {
    case .low: 300
    case .medium: 3_000
    case .high: 10_000
    }
  }

  /// How many random lists of each kind there are.
  var lists: Int {
    switch self {
    case .low: 2
    case .medium: 20
    case .high: 200
    }
  }

  /// The seed of this run: `STRESS_SEED` to repeat an earlier run, or else a new one.
  static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["STRESS_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
    print("STRESS=\(current.rawValue) STRESS_SEED=\(seed)")
    return seed
  }()
}
