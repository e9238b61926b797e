/// Something that must hold and does not.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What must hold.
  public enum Invariant: String, Hashable, Sendable, CaseIterable {
    /// I1: no cell is rendered for a row that it is not bound to.
    case rightRow
    /// I2: a displayed row is loaded, loading, waiting, failed, or has nothing to load.
    case nothingForgotten
    /// I3: no more loads run than there are slots. No slot and no permit of a stage is idle while a
    /// load may use it.
    case slotsUsed
    /// I4: without a claim and after its grace, no load runs.
    case noUnclaimedWork
    /// I5: each start ends exactly once.
    case endsOnce
    /// I6: no two loads run for one resource.
    case oneLoadPerResource
    /// I7: who waits is served in the order of claims.
    case priorityOrder
    /// I8: nothing is kept but values, failures and the bindings of living cells.
    case nothingLeft
    /// I10: what is shown is the newest committed value, and a newer one is on its way.
    case newestShown
    /// I11: a view in hosts is displayed only while all its hosts are.
    case viewsFollowHosts
    /// I12: every turn ends.
    case turnsEnd
    /// What the books say of each other agrees.
    case booksAgree
  }

  /// What does not hold.
  public let invariant: Invariant
  /// How it does not.
  public let explanation: String

  /// Makes a violation.
  public init(_ invariant: Invariant, _ explanation: String) {
    self.invariant = invariant
    self.explanation = explanation
  }

  /// Both in one line.
  public var description: String { "\(invariant.rawValue): \(explanation)" }
}
