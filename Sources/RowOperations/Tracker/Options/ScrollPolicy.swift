/// The rule for the rows that may start loading while the list moves.
///
/// Existing values always show at once. Without reports of scrolling no row is held back.
public enum ScrollPolicy: Hashable, Sendable {
  case immediate
  /// No row starts while the list is dragged or decelerates.
  ///
  /// Once it has settled, displayed rows start first.
  case whenSettled
  /// Rows start on which the list will land, or that will probably stay on screen for half the time
  /// of a load.
  ///
  /// The dwell of a row in a decelerating list is the number of displayed rows over the rate at
  /// which rows appear (Little's law). The load time is the median of the last loads, without which
  /// no row is held back. See <doc:Tuning>.
  case adaptive
}

extension ScrollPolicy {
  var engine: ScrollGate.Policy {
    switch self {
    case .immediate: .immediate
    case .whenSettled: .whenSettled
    case .adaptive: .adaptive
    }
  }
}
