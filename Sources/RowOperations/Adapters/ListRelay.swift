import Foundation

/// What a view that shows a list reports, without the view.
@MainActor
package protocol ListRelaying: AnyObject {
  /// Whether rows are prefetched though the user asks to save data.
  var prefetchesInLowDataMode: Bool { get set }

  func willDisplay(_ cell: AnyObject)
  func didEndDisplaying(_ cell: AnyObject)
  func prefetch(at paths: [IndexPath], isDataConstrained: Bool)
  func cancelPrefetch(at paths: [IndexPath])
  func offsetChanged(_ reading: ScrollWatch.Reading)
  func fingerLifted(
    at offset: ScrollWatch.Offset, landingOn frame: RestingFrame,
    rows: (RestingFrame) -> [PlacedRow])
  func suspend()
  func resume(displayedCells: [AnyObject])
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
}

/// Takes every decision that lies between a list and the trackers that fill its rows.
///
/// Index paths become rows here, at once: none is kept for later, as it may name another row by then.
@MainActor
package final class ListRelay<Row: Hashable & Sendable>: ListRelaying {
  package var prefetchesInLowDataMode = false

  private let trackers: [any RowTracking<Row>]
  private let row: @MainActor (IndexPath) -> Row?
  private var watch = ScrollWatch()
  private var memory = PrefetchMemory<Row>()

  package init(
    trackers: [any RowTracking<Row>], row: @escaping @MainActor (IndexPath) -> Row?
  ) {
    self.trackers = trackers
    self.row = row
  }

  // MARK: Displays

  private func send(_ input: TrackerInput<Row, AnyObject>) {
    for tracker in trackers { tracker.receive(input) }
  }

  package func willDisplay(_ cell: AnyObject) { send(.willDisplay(row: nil, cell: cell)) }

  package func didEndDisplaying(_ cell: AnyObject) {
    send(.didEndDisplaying(row: nil, cell: cell))
  }

  // MARK: Prefetching

  package func prefetch(at paths: [IndexPath], isDataConstrained: Bool) {
    guard prefetchesInLowDataMode || !isDataConstrained else {
      // What was announced before the user asked to save data is not worth it any more either.
      return cancelPrefetch(of: memory.takeAll())
    }
    var rows: [Row] = []
    for path in paths {
      guard let row = row(path) else { continue }
      rows.append(row)
      memory.announced(row, at: path)
    }
    guard !rows.isEmpty else { return }
    send(.prefetch(rows))
  }

  package func cancelPrefetch(at paths: [IndexPath]) {
    cancelPrefetch(of: memory.takenBack(paths))
  }

  private func cancelPrefetch(of rows: [Row]) {
    guard !rows.isEmpty else { return }
    send(.cancelPrefetch(rows))
  }

  // MARK: Scrolling

  package func offsetChanged(_ reading: ScrollWatch.Reading) {
    send(watch.offsetChanged(reading))
  }

  package func fingerLifted(
    at offset: ScrollWatch.Offset, landingOn frame: RestingFrame,
    rows: (RestingFrame) -> [PlacedRow]
  ) {
    let action = watch.fingerLifted(at: offset, target: frame.origin)
    guard action == .landing else { return send(action) }
    send(.scrollWillEnd(landingOn: frame.paths(of: rows(frame)).compactMap(row)))
  }

  private func send(_ action: ScrollAction) {
    guard action != .none else { return }
    for tracker in trackers { tracker.scrolled(action) }
  }

  // MARK: The list as a whole

  package func suspend() {
    watch.covered()
    // The trackers drop all prefetching by themselves.
    _ = memory.takeAll()
    send(.scrollDidSettle)
    send(.suspend)
  }

  package func resume(displayedCells: [AnyObject]) {
    send(.resume)
    send(.reconcile(cells: displayedCells))
  }

  package func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    trackers.first?.recordEvents(write)
  }
}
