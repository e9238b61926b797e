/// Whether a list is in sight, from the `onAppear` and `onDisappear` of the list and its rows.
///
/// If a list replaces another one, the new one appears before the old one disappears.
struct ListCover: Hashable, Sendable {
  private var appearances = 0
  private var isCovered = false
  /// A row has shown that the list is back, before its `onAppear`.
  ///
  /// The `onAppear` may follow in this turn, later, or never.
  private var isAwaited = false

  var isInSight: Bool { appearances > 0 && !isCovered }

  /// - Returns: Whether the list is back.
  mutating func appeared() -> Bool {
    if !isAwaited { appearances += 1 }
    isAwaited = false
    defer { isCovered = false }
    return isCovered
  }

  /// - Returns: Whether this covers the list.
  mutating func disappeared() -> Bool {
    appearances = max(appearances - 1, 0)
    isAwaited = false
    guard appearances == 0, !isCovered else { return false }
    isCovered = true
    return true
  }

  /// Records a sign of the list, such as a row that appears.
  ///
  /// An `onAppear` that follows does not count. If it belongs to another list in this place, this
  /// one is covered until the next sign.
  ///
  /// - Returns: Whether the list is back.
  mutating func isSeen() -> Bool {
    guard isCovered else { return false }
    (appearances, isCovered, isAwaited) = (1, false, true)
    return true
  }
}
