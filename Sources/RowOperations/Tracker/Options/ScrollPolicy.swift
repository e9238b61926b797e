/// The rule for the rows that may start loading while the list moves.
///
/// Existing values always show at once. Without reports of scrolling no row is held back.
public enum ScrollPolicy: Hashable, Sendable {
  /// All rows start at once.
  case immediate
  /// No row starts while the list is dragged or decelerates.
  ///
  /// Once it has settled, displayed rows start first.
  case whenSettled
  /// Rows start that will probably stay on screen for at least half the time of a load, and rows
  /// on which the list will land.
  ///
  /// The dwell of a row follows from the number of displayed rows and the rate at which rows appear
  /// (Little's law), for a list that decelerates. The load time is the median of the last loads.
  /// Until one load has succeeded, no row is held back. See <doc:Tuning>.
  case adaptive
}

extension ScrollPolicy {
  /// The engine's name of the policy.
  package var engine: ScrollGate.Policy {
    switch self {
    case .immediate: .immediate
    case .whenSettled: .whenSettled
    case .adaptive: .adaptive
    }
  }
}
