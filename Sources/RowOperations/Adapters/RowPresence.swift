import Dispatch

/// A row's place in a list that has no cells, such as a SwiftUI list.
///
/// It lives as long as the place does. An evaluation of the row's body binds it, as a table's
/// `cellForRow` does; appearances display it.
///
/// Such a list repeats itself and leaves events out. A place may be made and never appear, appear
/// twice in a row, never disappear, and be given another row while it is on screen.
@MainActor
package final class RowPresence<Row: Hashable & Sendable, Value: Sendable>: RemovalObserver {
  /// What the tracker knows as the cell.
  ///
  /// An object of its own, so that it can outlive the place until the main queue has ended the
  /// display: a `deinit` may run on any thread.
  @MainActor
  final class Cell {}

  private struct Binding {
    let row: Row
    var phase: RowPhase<Value>
  }

  private let cell = Cell()
  private var tracker: DisplayTracker<Row, Value>?
  /// `nil` until the first evaluation, and after the tracker has removed the row.
  private var binding: Binding?
  private var visibility = RowVisibility()
  private var isEvaluating = false
  private let willChange: @MainActor () -> Void

  /// - Parameter willChange: Called before what there is to show changes, so that the body is
  ///   evaluated once more.
  package init(willChange: @escaping @MainActor () -> Void) { self.willChange = willChange }

  deinit {
    guard let tracker else { return }
    DispatchQueue.main.async { [cell] in
      tracker.removeRemovalObserver(cell)
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
  }

  // MARK: Evaluations

  /// Binds the place to a row, and returns what there is to show.
  ///
  /// Called while a body is evaluated: also for a place that has not appeared, and may never do so.
  /// It starts nothing unless the place is on screen. `willChange` is not called, and of the app's
  /// code only the configuration's `cached` and `resource`.
  ///
  /// **Cost**: O(1); a look-up of its own if the place is on screen and bound to the row already.
  package func phase(of row: Row, in tracker: DisplayTracker<Row, Value>) -> RowPhase<Value> {
    if visibility.isDisplayed, let binding, binding.row == row, self.tracker === tracker {
      return binding.phase
    }
    isEvaluating = true
    defer { isEvaluating = false }
    return bind(row, in: tracker)
  }

  @discardableResult
  private func bind(_ row: Row, in tracker: DisplayTracker<Row, Value>) -> RowPhase<Value> {
    let isMoving = self.tracker !== tracker
    if isMoving { leaveTracker() }
    self.tracker = tracker
    return tracker.core.quietly {
      if isMoving {
        tracker.addRemovalObserver(self, as: cell)
        if visibility.isDisplayed { tracker.willDisplay(cell) }
      }
      var bound = RowPhase<Value>.waiting(previous: nil)
      tracker.bind(cell, to: row) { [weak self] _, phase in
        guard let self else { return }
        show(phase, of: row)
        bound = phase
      }
      return bound
    }
  }

  private func leaveTracker() {
    guard let tracker else { return }
    tracker.core.quietly {
      tracker.removeRemovalObserver(cell)
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
  }

  private func show(_ phase: RowPhase<Value>, of row: Row) {
    if !isEvaluating { willChange() }
    binding = Binding(row: row, phase: phase)
  }

  // MARK: Reports of the host

  /// The place came on screen, perhaps once more.
  package func appeared(_ row: Row, in tracker: DisplayTracker<Row, Value>) {
    change(row, in: tracker) { $0.appeared() }
  }

  /// The place left the screen, perhaps without having been there.
  package func disappeared() {
    let wasDisplayed = visibility.isDisplayed
    visibility.disappeared()
    if wasDisplayed { tracker?.didEndDisplaying(cell) }
  }

  /// The scroll view shows the place, or does not show it any more.
  package func scrolled(isVisible: Bool, _ row: Row, in tracker: DisplayTracker<Row, Value>) {
    change(row, in: tracker) { $0.scrolled(isVisible: isVisible) }
  }

  /// The list went out of sight, or is back; it may report nothing of its rows.
  package func listCovered(_ isCovered: Bool) {
    guard let tracker, let binding else { return visibility.listCovered(isCovered) }
    change(binding.row, in: tracker) { $0.listCovered(isCovered) }
  }

  private func change(
    _ row: Row, in tracker: DisplayTracker<Row, Value>, _ report: (inout RowVisibility) -> Void
  ) {
    let wasDisplayed = visibility.isDisplayed
    report(&visibility)
    guard visibility.isDisplayed else {
      if wasDisplayed { self.tracker?.didEndDisplaying(cell) }
      return
    }
    // The tracker may have removed the row since the body was evaluated.
    if binding?.row != row || self.tracker !== tracker { bind(row, in: tracker) }
    tracker.willDisplay(cell)
  }

  // MARK: Removals

  /// If the row was removed, the body of a row on screen is evaluated, which binds it again.
  package func rowsWereRemoved() {
    guard binding != nil, let tracker, !tracker.isBound(cell) else { return }
    if visibility.isDisplayed { willChange() }
    binding = nil
  }
}
