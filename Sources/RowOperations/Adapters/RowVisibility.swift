/// Whether a row of a list without cells is on screen, from the reports of the host.
///
/// `onAppear` and `onDisappear` come in any number and order, and some lazy stacks never call
/// `onDisappear`. Newer systems report the exact visibility too. A covered list may report nothing.
///
/// A missing report never hides a row: a superfluous load does less harm than a blank row.
struct RowVisibility: Hashable, Sendable {
  private enum State: Hashable {
    case away
    /// Without a report of visibility since.
    case appeared
    case visible
    /// Appeared, and was scrolled off screen since.
    case scrolledAway
  }

  private var state = State.away
  private var isCovered = false

  init() {}

  package var presence: CellState.Presence {
    switch state {
    case .away, .scrolledAway: .away
    case .appeared, .visible: isCovered ? .covered : .displayed
    }
  }

  mutating func appeared() {
    if state == .away { state = .appeared }
  }

  mutating func disappeared() { state = .away }

  mutating func scrolled(isVisible: Bool) {
    switch (isVisible, state) {
    case (true, _): state = .visible
    case (false, .away): break
    case (false, .appeared), (false, .visible), (false, .scrolledAway): state = .scrolledAway
    }
  }

  mutating func listCovered(_ isCovered: Bool) { self.isCovered = isCovered }
}
