import Foundation

/// How much of the machine's world is walked: seconds by default, minutes with `STRESS=high`.
enum WalkBudget {
  private static let level = ProcessInfo.processInfo.environment["STRESS"] ?? "low"

  /// How long the sequences are of which all are tried.
  static var depth: Int {
    switch level {
    case "high": 8
    case "medium": 6
    default: 5
    }
  }

  /// How many random walks of 200 events there are on each kind of machine; with `STRESS=high` that
  /// makes 10,000,000 events in all.
  static var walks: UInt64 {
    switch level {
    case "high": 3850
    case "medium": 1000
    default: 100
    }
  }
}
