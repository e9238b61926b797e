import Foundation

/// A row's place in a list that has no cells, such as a SwiftUI list.
///
/// It lives as long as the place does, reports when it appears and disappears, and holds what it
/// has to show.
///
/// Such a list repeats itself and leaves events out. A place may be made and never appear, appear
/// twice in a row, never disappear, and be given another row while it is on screen.
@MainActor
package final class RowPresence<Row: Hashable & Sendable, Value: Sendable> {
  /// What the tracker knows as the cell.
  ///
  /// An object of its own, so that it can outlive the place for the moment that a goodbye takes: a
  /// `deinit` may run on any thread.
  @MainActor
  final class Cell {}

  private struct Binding {
    let row: Row
    var phase: RowPhase<Value>
  }

  private let cell = Cell()
  private var tracker: DisplayTracker<Row, Value>?
  private var binding: Binding?
  private var isDisplayed = false
  private let willChange: @MainActor () -> Void

  /// - Parameter willChange: Called before what there is to show changes.
  package init(willChange: @escaping @MainActor () -> Void) { self.willChange = willChange }

  deinit {
    guard let tracker else { return }
    DispatchQueue.main.async { [cell] in
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
  }

  /// What there is to show for a row.
  ///
  /// Called while a body is evaluated: also for a place that has not appeared, and may never do so, for
  /// one that left the screen, and for a row that the place was just given and is not bound to yet. None
  /// of these loads anything, and none shows the value of another row.
  package func phase(of row: Row, in tracker: DisplayTracker<Row, Value>) -> RowPhase<Value> {
    if isDisplayed, let binding, binding.row == row, self.tracker === tracker {
      return binding.phase
    }
    return tracker.phase(of: row)
  }

  /// The place came on screen, perhaps once more.
  package func appeared(_ row: Row, in tracker: DisplayTracker<Row, Value>) {
    isDisplayed = true
    bind(row, in: tracker)
    tracker.willDisplay(cell)
  }

  /// The place left the screen, perhaps without having been there.
  package func disappeared() {
    isDisplayed = false
    tracker?.didEndDisplaying(cell)
  }

  /// The place may have been given another row, or another tracker.
  ///
  /// If it is not on screen, it is bound when it appears.
  package func changed(to row: Row, in tracker: DisplayTracker<Row, Value>) {
    guard isDisplayed else { return }
    appeared(row, in: tracker)
  }

  private func bind(_ row: Row, in tracker: DisplayTracker<Row, Value>) {
    if self.tracker !== tracker {
      self.tracker?.didEndDisplaying(cell)
      self.tracker?.unbind(cell)
      self.tracker = tracker
    }
    // Also if it is bound to the row already: the tracker may have been told to remove the row since.
    tracker.bind(cell, to: row) { [weak self] _, phase in
      self?.show(phase, of: row)
    }
  }

  private func show(_ phase: RowPhase<Value>, of row: Row) {
    willChange()
    binding = Binding(row: row, phase: phase)
  }
}
