@testable import TestSupport

/// The extent of searches and walks: seconds by default, minutes with `STRESS=high`.
///
/// By default a debug build tries less, as its engine is ten times as slow.
enum WalkBudget {
  #if DEBUG
    private static let isDebugBuild = true
  #else
    private static let isDebugBuild = false
  #endif

  /// The length up to which all sequences are tried.
  static var depth: Int {
    switch StressLevel.current {
    case .low: isDebugBuild ? 4 : 5
    case .medium: 6
    case .high: 8
    }
  }

  /// The same for sequences in which cells can be inside each other.
  static var depthOfHosts: Int {
    switch StressLevel.current {
    case .low: 4
    case .medium: 6
    case .high: 7
    }
  }

  /// The same for sequences in which the app's code makes calls.
  static var depthOfCalls: Int {
    switch StressLevel.current {
    case .low: 3
    case .medium: 5
    case .high: 6
    }
  }

  /// The number of random walks of 200 events for each variant; `STRESS=high` makes 10,000,000
  /// events in all.
  static var walks: UInt64 {
    switch StressLevel.current {
    case .low: isDebugBuild ? 12 : 100
    case .medium: 1000
    case .high: 3850
    }
  }
}
