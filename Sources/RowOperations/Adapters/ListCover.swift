/// Whether a list is in sight, from the `onAppear` and `onDisappear` of the list and its rows.
///
/// If a list replaces another one, the new one appears before the old one disappears.
package struct ListCover: Hashable, Sendable {
  private var appearances = 0
  private var isCovered = false
  /// Whether a row showed in this turn that the list is back, whose own report may follow.
  private var isAwaited = false

  package init() {}

  /// - Returns: Whether the list is back.
  package mutating func appeared() -> Bool {
    if !isAwaited { appearances += 1 }
    isAwaited = false
    defer { isCovered = false }
    return isCovered
  }

  /// - Returns: Whether this covers the list.
  package mutating func disappeared() -> Bool {
    appearances = max(appearances - 1, 0)
    guard appearances == 0, !isCovered else { return false }
    isCovered = true
    return true
  }

  /// Records a sign that the list is in sight, such as a row that appears.
  ///
  /// It counts as an appearance. SwiftUI may or may not report the list's own in the same turn.
  ///
  /// - Returns: Whether the list is back.
  package mutating func isSeen() -> Bool {
    guard isCovered else { return false }
    (appearances, isCovered, isAwaited) = (1, false, true)
    return true
  }

  package mutating func turnEnded() { isAwaited = false }
}
