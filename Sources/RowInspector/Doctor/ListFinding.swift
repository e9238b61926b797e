/// A fault of a list that a ``ListDoctor`` has found.
public struct ListFinding: Hashable, Sendable {
  /// Which fault.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Cells are bound, and the tracker was never called when they came on screen.
    case cellsNotDisplayed
    /// Views are bound inside of cells, and the tracker does not hear of the displays of these.
    case hostsNotDisplayed
    /// Cells come on screen, and the tracker is never called when they leave.
    case cellsNeverEnded
    /// Cells on screen show rows that the app removed.
    case rowsRemovedOnScreen
    /// The tracker is suspended though rows come on screen.
    case suspendedOnScreen
    /// Many loads were for rows that had left the screen by the time their value came.
    case unseenLoads
    /// Many prefetched rows were dropped unseen.
    case prefetchedInVain
    /// A cancelled body goes on.
    case ignoredCancellation
    /// Many values were loaded again after they had been dropped.
    case repeatedLoads
    /// Rows on screen wait while all slots are taken.
    case tooFewSlots
    /// Loads fail again and again with one error.
    case repeatedFailures
  }

  /// Which fault.
  public let kind: Kind
  /// The observation, in one sentence with numbers.
  public let sentence: String
  /// The remedy.
  public let advice: String
}

extension ListFinding: CustomStringConvertible {
  /// The sentence and the advice.
  public var description: String { "\(sentence) \(advice)" }
}
