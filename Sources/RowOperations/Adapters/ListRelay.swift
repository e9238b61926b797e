import Foundation

/// Makes all decisions between a list and the trackers of its rows.
///
/// It keeps no index path, which may soon name another row.
@MainActor
package final class ListRelay<Row: Hashable & Sendable>: ListRelaying {
  var prefetchesInLowDataMode = false
  var items: ItemReader { rows.items }
  var pages: [Pagination] = [] {
    didSet { watcher?.lookSoon() }
  }

  weak var watcher: (any ListWatching)?
  var loose = ViewSet()
  /// Since the last turn of the main queue.
  var bound: [ViewSet.Entry] = []
  let rows: OrderReader<Row>
  var trackers: [any RowTracking<Row>] = []
  /// The same trackers, for calls without rows.
  var links: [TrackerLink] = []
  var views = DisplayedViews()
  var positions = ListPositions()
  var isCounted = true
  /// The first position on screen at the last layout, by section.
  var lastShown: [Int?: Int] = [:]
  var contentSize: ContentSize?
  var mustRead = true
  var isHeld = false
  /// During a report, which calls renders of the app.
  var isLooking = false
  var mustLookAgain = false
  /// Uncovered since the last layout.
  var isBack = false
  var looseOnScreen = ViewSet()
  /// Bound views that were last seen in no view.
  var unplaced = ViewSet()
  var check = BindingCheck()
  var watch = ScrollWatch()
  var coverage = ListCoverage()
  /// The app has reported the landing since the last drag.
  var knowsRest = false

  package init(trackers: [any RowTracking<Row>], rows: OrderReader<Row>) {
    self.rows = rows
    self.trackers = trackers
    links = trackers.map { tracker in
      let list = tracker.addList(
        onBind: { [weak self] in self?.wasBound($0) },
        share: { [weak self] in self?.visibleShare(of: $0) })
      return TrackerLink(tracker: tracker, list: list)
    }
  }

  func watched(by watcher: any ListWatching) {
    self.watcher = watcher
    for view in links.flatMap(\.tracker.outermostViews) { sort(view, watcher.place(of: view)) }
  }

  private func sort(_ view: AnyObject, _ place: ViewPlace) {
    switch place {
    case .cell: break
    case .inside, .outside: loose.insert(view)
    case .unplaced: unplaced.insert(view)
    }
  }

  private func wasBound(_ view: AnyObject) {
    guard let watcher else { return }
    watcher.lookSoon()
    sort(view, watcher.place(of: view))
    if bound.isEmpty { DispatchQueue.main.async { [weak self] in self?.checkBound() } }
    bound.append(ViewSet.Entry(view: view))
  }

  /// `nil` if the view is not in the list.
  private func visibleShare(of view: AnyObject) -> Double? {
    guard let watcher, watcher.place(of: view) != .outside else { return nil }
    return watcher.visibleShare(of: view)
  }

  /// For a layout inside the list's own one, as when an app lays out its cell.
  private func checkBound() {
    let bound = bound.compactMap(\.view)
    self.bound.removeAll(keepingCapacity: true)
    guard let watcher, !coverage.isCovered else { return }
    let isRight =
      bound.allSatisfy { views.contains($0) || watcher.visibleShare(of: $0) == 0 }
      && views.all(isListed: true).allSatisfy { view in
        switch watcher.place(of: view) {
        case .cell, .unplaced: watcher.visibleShare(of: view) > 0
        case .inside, .outside: true
        }
      }
    if !isRight { watcher.lookSoon() }
  }

  convenience init<each Value: Sendable>(
    _ trackers: repeat DisplayTracker<Row, each Value>, rows: OrderReader<Row>
  ) {
    var all: [any RowTracking<Row>] = []
    repeat all.append(each trackers)
    self.init(trackers: all, rows: rows)
  }

  package convenience init(
    trackers: [any RowTracking<Row>], ids: @escaping @MainActor () -> [[Row]]
  ) { self.init(trackers: trackers, rows: .sections(ids)) }

  package convenience init(
    trackers: [any RowTracking<Row>], row: @escaping @MainActor (IndexPath) -> Row?
  ) { self.init(trackers: trackers, rows: .lookUp(row)) }

  deinit {
    let links = links
    guard !links.isEmpty else { return }
    DispatchQueue.main.async {
      for link in links { link.tracker.removeList(link.list) }
    }
  }

  func stop() {
    for view in views.takeAll() { reportEnded(view) }
    for link in links { link.tracker.removeList(link.list) }
    (trackers, links) = ([], [])
    (watcher, loose, pages) = (nil, ViewSet(), [])
  }

  func send(_ input: TrackerInput<Row, AnyObject>) {
    for tracker in trackers { tracker.receive(input) }
  }

  // MARK: Displays

  /// A layout that a render causes is reported after this one.
  ///
  /// O(views on screen and new rows around them).
  package func laidOut(_ layout: ListLayout) {
    guard !isLooking else { return mustLookAgain = true }
    isLooking = true
    look(layout)
    isLooking = false
    guard mustLookAgain else { return }
    mustLookAgain = false
    watcher?.lookSoon()
  }

  private func look(_ layout: ListLayout) {
    isHeld = layout.isDataConstrained && !prefetchesInLowDataMode
    if layout.isSettled { lookAtOrder(layout) }
    let changes = views.laidOut(layout.cells, layout.others)
    _ = looseOnScreen.takeAll()
    for view in layout.others { looseOnScreen.insert(view) }
    for cell in layout.cells.indices where layout.cells[cell].position == nil {
      let view = layout.cells[cell].view
      if loose.contains(view) { looseOnScreen.insert(view) }
    }
    let shown = isBack && !coverage.isCovered ? layout.views : changes.appeared
    isBack = isBack && coverage.isCovered
    for view in shown { reportOnScreen(view) }
    for view in changes.left { reportEnded(view) }
    if changes.hasVanished { for link in links { link.tracker.cellsVanished() } }
    for link in links { link.tracker.sightChanged() }
  }

  func reportOnScreen(_ view: AnyObject) {
    for link in links {
      if coverage.isCovered { link.tracker.cover(view) } else { link.tracker.willDisplay(view) }
    }
  }

  private func reportEnded(_ view: AnyObject) {
    for link in links { link.tracker.didEndDisplaying(view) }
  }

  func willDisplay(_ view: AnyObject) {
    views.forwarded(view, isListed: watcher.map { $0.place(of: view) != .outside } ?? false)
    reportOnScreen(view)
    // The call may be late or wrong.
    watcher?.lookSoon()
  }

  package func didEndDisplaying(_ view: AnyObject) {
    views.ended(view)
    reportEnded(view)
    watcher?.lookSoon()
  }

  func looseViews() -> [AnyObject] {
    if let watcher, !unplaced.isEmpty {
      for view in unplaced.takeAll() where tracks(view) { sort(view, watcher.place(of: view)) }
    }
    return loose.all(isKnown: tracks)
  }

  func tracks(_ view: AnyObject) -> Bool { links.contains { $0.tracker.knows(view) } }

  var hasLostView: Bool {
    guard let watcher else { return false }
    return looseOnScreen.contains { view in
      switch watcher.place(of: view) {
      case .cell, .inside: false
      case .outside, .unplaced: true
      }
    }
  }

  // MARK: Data

  func dataChanged() {
    mustRead = true
    watcher?.lookSoon()
  }
}

struct TrackerLink {
  let tracker: any CellTracking
  let list: Int
}
