/// Whether a row of a list without cells is on screen, from the reports of the host.
///
/// `onAppear` and `onDisappear` come in any number and order, and some lazy stacks never call
/// `onDisappear`. Newer systems report visibility too, which is exact where it is reported. A list
/// that is covered may report nothing of its rows.
///
/// A report that is missing never hides a row: a load too many does less harm than a row that stays
/// blank.
package struct RowVisibility: Hashable, Sendable {
  private enum State: Hashable {
    case away
    /// It appeared; visibility was not reported since.
    case appeared
    case visible
    /// It appeared, and was scrolled off screen since.
    case scrolledAway
  }

  private var state = State.away
  private var isCovered = false

  package init() {}

  package var isDisplayed: Bool {
    guard !isCovered else { return false }
    switch state {
    case .away, .scrolledAway: return false
    case .appeared, .visible: return true
    }
  }

  /// The host calls `onAppear`, perhaps once more.
  package mutating func appeared() {
    if state == .away { state = .appeared }
  }

  /// The host calls `onDisappear`, perhaps for a row that never appeared.
  package mutating func disappeared() { state = .away }

  /// The host reports whether the scroll view shows the row.
  package mutating func scrolled(isVisible: Bool) {
    switch (isVisible, state) {
    case (true, _): state = .visible
    case (false, .away): break
    case (false, .appeared), (false, .visible), (false, .scrolledAway): state = .scrolledAway
    }
  }

  /// The list as a whole went out of sight, or is back.
  package mutating func listCovered(_ isCovered: Bool) { self.isCovered = isCovered }
}
