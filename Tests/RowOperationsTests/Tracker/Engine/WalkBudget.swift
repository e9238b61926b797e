@testable import TestSupport

/// How much of the engine's world is walked: seconds by default, minutes with `STRESS=high`.
enum WalkBudget {
  /// How long the sequences are of which all are tried.
  static var depth: Int {
    switch StressLevel.current {
    case .low: 5
    case .medium: 6
    case .high: 8
    }
  }

  /// The same, for sequences in which cells may be inside of each other.
  static var depthOfHosts: Int {
    switch StressLevel.current {
    case .low: 4
    case .medium: 6
    case .high: 7
    }
  }

  /// How many random walks of 200 events there are on each kind of machine; with `STRESS=high` that
  /// makes 10,000,000 events in all.
  static var walks: UInt64 {
    switch StressLevel.current {
    case .low: 35
    case .medium: 1000
    case .high: 3850
    }
  }
}
