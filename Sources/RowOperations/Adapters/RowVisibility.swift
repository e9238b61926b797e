/// Whether a row of a list without cells is on screen, from the reports of the host.
///
/// `onAppear` and `onDisappear` come in any number and order, and some lazy stacks never call
/// `onDisappear`. Newer systems report the visibility too. A covered list may report nothing.
///
/// A missing report never hides a row: a superfluous load does less harm than a blank row.
struct RowVisibility: Hashable, Sendable {
  private enum State: Hashable {
    case away
    case shown
    /// Was shown, and was scrolled off screen since; another `onAppear` is no return.
    case scrolledAway
  }

  private var state = State.away
  private var isCovered = false

  var presence: CellState.Presence {
    guard state == .shown else { return .away }
    return isCovered ? .covered : .displayed
  }

  mutating func appeared() {
    if state == .away { state = .shown }
  }

  mutating func disappeared() { state = .away }

  mutating func scrolled(isVisible: Bool) {
    if isVisible {
      state = .shown
    } else if state == .shown {
      state = .scrolledAway
    }
  }

  mutating func listCovered(_ isCovered: Bool) { self.isCovered = isCovered }
}
