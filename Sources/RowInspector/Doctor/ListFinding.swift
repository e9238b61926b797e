/// A fault of a list, found by a ``ListDoctor``.
public struct ListFinding: Hashable, Sendable {
  /// Which fault.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The displays of bound cells are never reported.
    case cellsNotDisplayed
    /// The displays of cells with bound views inside are not reported.
    case hostsNotDisplayed
    /// The ends of displays are never reported.
    case cellsNeverEnded
    /// Cells on screen show rows that the app removed.
    case rowsRemovedOnScreen
    case suspendedOnScreen
    /// Many loads are for rows that leave before their value arrives.
    case unseenLoads
    /// Many prefetched rows are dropped unseen.
    case prefetchedInVain
    case ignoredCancellation
    /// Many values are dropped, and then loaded again.
    case repeatedLoads
    /// Rows on screen wait while all slots are taken.
    case tooFewSlots
    case repeatedFailures
  }

  /// Which fault.
  public let kind: Kind
  /// The observation, in one sentence.
  public let sentence: String
  /// The remedy.
  public let advice: String
}

extension ListFinding: CustomStringConvertible {
  /// The sentence and the advice.
  public var description: String { "\(sentence) \(advice)" }
}
