import RowOperations

/// Passes a list's events to a tracker, as an app does, and watches the contents of cells.
///
/// ```swift
/// let app = TrackedList(tracker) { value in Int(value) ?? -1 }
/// let list = ListSimulator(rows: rows, viewport: 600) { app.handle($0) }
/// ```
///
/// **Threading**: main actor.
@MainActor
public final class TrackedList<Row: Hashable & Sendable, Value: Sendable> {
  /// The tracker.
  public let tracker: DisplayTracker<Row, Value>
  /// The number of values rendered into a cell of another row.
  public private(set) var wrongRows = 0

  private let rowOfValue: (Value) -> Row
  private var shown: [Int: (row: Row, phase: RowPhase<Value>)] = [:]

  /// Connects a list and a tracker.
  ///
  /// - Parameters:
  ///   - tracker: The tracker that receives the events.
  ///   - rowOfValue: Returns the row that a value was loaded for.
  public init(_ tracker: DisplayTracker<Row, Value>, rowOfValue: @escaping (Value) -> Row) {
    self.tracker = tracker
    self.rowOfValue = rowOfValue
  }

  /// Passes an event to the tracker.
  public func handle(_ event: ListEvent<Row>) {
    switch event {
    case .cellFor(let cell, let row): bind(cell, to: row)
    case .willDisplay(let cell): tracker.willDisplay(cell)
    case .didEndDisplaying(let cell, _): tracker.didEndDisplaying(cell)
    case .unbind(let cell): tracker.unbind(cell)
    case .prefetch(let rows): tracker.prefetch(rows)
    case .cancelPrefetch(let rows): tracker.cancelPrefetch(rows)
    case .scrollWillBegin: tracker.scrollWillBegin()
    case .scrollDidMove: tracker.scrollDidMove()
    case .scrollWillEnd(let rows): tracker.scrollWillEnd(landingOn: rows)
    case .scrollDidSettle: tracker.scrollDidSettle()
    case .didDisappear: tracker.suspend()
    case .didAppear(let cells):
      tracker.resume()
      tracker.reconcile(displayedCells: cells)
    }
  }

  private func bind(_ cell: SimulatedCell, to row: Row) {
    shown[cell.number] = (row, .idle)
    tracker.bind(cell, to: row) { [weak self] cell, phase in
      self?.render(phase, in: cell, for: row)
    }
  }

  /// Binds a view inside a cell or another view.
  public func bind(_ view: SimulatedCell, to row: Row?, in host: SimulatedCell) {
    shown[view.number] = row.map { ($0, .idle) }
    tracker.bind(view, to: row, in: host) { [weak self] view, phase in
      if let row { self?.render(phase, in: view, for: row) }
    }
  }

  private func render(_ phase: RowPhase<Value>, in cell: SimulatedCell, for row: Row) {
    let isOther = shown[cell.number]?.row != row
    if case .idle = phase, isOther { return }
    if isOther || phase.value.map({ rowOfValue($0) != row }) == true { wrongRows += 1 }
    shown[cell.number] = (row, phase)
  }

  /// The row and the phase that a cell shows.
  public func content(of cell: SimulatedCell) -> (row: Row, phase: RowPhase<Value>)? {
    shown[cell.number]
  }

  /// The rows on screen with a cell that shows neither a value nor a failure.
  public func pendingRows(in list: ListSimulator<Row>) -> [Row] {
    list.visibleRows.filter { row in
      guard let cell = list.cell(for: row), let content = shown[cell.number], content.row == row
      else { return true }
      switch content.phase {
      case .loaded, .failed: return false
      case .idle, .waiting, .loading: return true
      }
    }
  }
}
