/// A violated invariant.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invariants of a tracker.
  public enum Invariant: String, Hashable, Sendable, CaseIterable {
    /// I1: no cell is rendered for a row that it is not bound to.
    case rightRow
    /// I2: a displayed row is loaded, loading, waiting, failed, or has nothing to load.
    case nothingForgotten
    /// I3: no more loads run than there are slots. No slot is idle while a load may use it.
    case slotsUsed
    /// I4: without a claim and after its grace, no load runs.
    case noUnclaimedWork
    /// I5: each start ends exactly once.
    case endsOnce
    /// I6: no two loads run for one row.
    case oneLoadPerRow
    /// I7: waiting loads start in the order of their claims.
    case priorityOrder
    /// I8: only values, failures and the bindings of living cells are kept.
    case nothingLeft
    /// I10: cells show the newest committed value, also while a newer one loads.
    case newestShown
    /// I11: a view in hosts is displayed only while all its hosts are.
    case viewsFollowHosts
    /// I12: every turn ends.
    case turnsEnd
    /// The parts of the tracker's state agree with each other.
    case stateAgrees
  }

  /// The violated invariant.
  public let invariant: Invariant
  /// The violation in words.
  public let explanation: String

  /// Makes a violation.
  public init(_ invariant: Invariant, _ explanation: String) {
    self.invariant = invariant
    self.explanation = explanation
  }

  /// Both in one line.
  public var description: String { "\(invariant.rawValue): \(explanation)" }
}
