/// Which rows may start to load while the list moves.
///
/// Values that are there already always show at once. A host that never reports scrolling is never
/// held back.
public enum ScrollPolicy: Hashable, Sendable {
  /// Everything, at once.
  case immediate
  /// Nothing while the list is dragged or decelerates. When it has settled, displayed rows first.
  case whenSettled
  /// What is likely to be on screen for longer than a load takes, and the rows that the list is
  /// decelerating towards.
  ///
  /// How long a row stays on screen follows from the number of displayed rows and the rate at which
  /// rows appear (Little's law), for a list that decelerates. A load takes the median of the last
  /// loads. Until one load has come to a value or was cancelled, nothing is held back. See
  /// <doc:ChoosingAScrollPolicy>.
  case adaptive
}
