import Dispatch

/// The presence of a row in a list without cells, such as a SwiftUI list.
///
/// It lives as long as the row's view. Evaluations of the body bind it, and appearances display it.
///
/// Such a list repeats and omits events, and may change the row of a presence on screen.
@MainActor
final class RowPresence<Row: Hashable & Sendable, Value: Sendable>: RemovalObserver {
  /// The tracker's cell.
  ///
  /// It outlives the presence until the main queue ends the display: a `deinit` may run on any
  /// thread.
  @MainActor
  final class Cell {}

  private let cell = Cell()
  private var tracker: DisplayTracker<Row, Value>?
  /// `nil` until the first evaluation, and after the tracker has removed the row.
  private var binding: (row: Row, phase: RowPhase<Value>)?
  private var visibility = RowVisibility()
  private var isEvaluating = false
  private let willChange: @MainActor () -> Void

  /// - Parameter willChange: Called before a change of the phase, to evaluate the body.
  init(willChange: @escaping @MainActor () -> Void) { self.willChange = willChange }

  deinit {
    guard let tracker else { return }
    DispatchQueue.main.async { [cell] in
      tracker.removeRemovalObserver(cell)
      tracker.didEndDisplaying(cell)
      tracker.unbind(cell)
    }
  }

  // MARK: Evaluations

  /// For the evaluation of a body, also of a row that may never appear.
  ///
  /// It starts nothing unless the row is on screen, and of the app's code it calls only `cached`.
  ///
  /// It binds nothing if the presence is on screen and bound to the row.
  func phase(of row: Row, in tracker: DisplayTracker<Row, Value>) -> RowPhase<Value> {
    if visibility.presence == .displayed, let binding, binding.row == row,
      self.tracker === tracker
    {
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
        report(visibility.presence, to: tracker)
      }
      var bound = RowPhase<Value>.waiting(previous: nil)
      tracker.bind(cell, to: row) { [weak self] _, phase in
        // After a removal, the next report or evaluation binds anew.
        guard let self, self.tracker?.isBound(cell) == true else { return }
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
    binding = (row, phase)
  }

  // MARK: Reports of the host

  func appeared(_ row: Row, in tracker: DisplayTracker<Row, Value>) {
    change(row, in: tracker) { $0.appeared() }
  }

  func disappeared() {
    let old = visibility.presence
    visibility.disappeared()
    if old != .away { tracker?.didEndDisplaying(cell) }
  }

  func scrolled(isVisible: Bool, _ row: Row, in tracker: DisplayTracker<Row, Value>) {
    change(row, in: tracker) { $0.scrolled(isVisible: isVisible) }
  }

  func listCovered(_ isCovered: Bool) {
    if let tracker, let binding {
      return change(binding.row, in: tracker) { $0.listCovered(isCovered) }
    }
    visibility.listCovered(isCovered)
    guard let tracker, visibility.presence == .displayed else { return }
    // The tracker removed the row; an evaluation binds it again.
    tracker.willDisplay(cell)
    willChange()
  }

  private func change(
    _ row: Row, in tracker: DisplayTracker<Row, Value>, _ report: (inout RowVisibility) -> Void
  ) {
    let old = visibility.presence
    report(&visibility)
    guard visibility.presence == .displayed else {
      guard old != visibility.presence, let tracker = self.tracker else { return }
      if visibility.presence == .away { tracker.didEndDisplaying(cell) }
      return self.report(visibility.presence, to: tracker)
    }
    // The tracker may have removed the row since.
    if binding?.row != row || self.tracker !== tracker { bind(row, in: tracker) }
    tracker.willDisplay(cell)
  }

  private func report(_ presence: CellState.Presence, to tracker: DisplayTracker<Row, Value>) {
    switch presence {
    case .away: break
    case .covered: tracker.cover(cell)
    case .displayed: tracker.willDisplay(cell)
    }
  }

  // MARK: Removals

  func rowsWereRemoved() {
    guard binding != nil, let tracker, !tracker.isBound(cell) else { return }
    if visibility.presence == .displayed { willChange() }
    binding = nil
  }
}
