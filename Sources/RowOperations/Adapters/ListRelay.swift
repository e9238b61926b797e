import Foundation

/// The interface of a list's relay for the view that watches the list.
@MainActor
package protocol ListRelaying: AnyObject {
  /// Whether rows are also prefetched in Low Data Mode.
  var prefetchesInLowDataMode: Bool { get set }
  /// Requests a call of `laidOut` after the next layout of the view.
  var lookSoon: (@MainActor () -> Void)? { get set }

  // Displays
  func laidOut(_ layout: ListLayout)
  func willDisplay(_ view: AnyObject, isListed: Bool)
  func didEndDisplaying(_ view: AnyObject)
  func knows(_ view: AnyObject) -> Bool
  var boundViews: [AnyObject] { get }
  /// The index of a view's row in the order of the list.
  func index(ofRowIn view: AnyObject) -> Int?
  func dataChanged()

  // Prefetching
  func prefetch(at paths: [IndexPath], isDataConstrained: Bool)
  func cancelPrefetch(at paths: [IndexPath])

  // Scrolling
  func offsetChanged(_ reading: ScrollWatch.Reading)
  func scrolled(_ action: ScrollAction)
  func dragBegan()
  func fingerLifted(
    at offset: ScrollWatch.Offset, landingOn frame: RestingFrame, isExact: Bool,
    rows: (RestingFrame) -> [RowFrame])

  // The list as a whole
  func covered(_ reason: ListCoverage.Reasons)
  func uncovered(_ reason: ListCoverage.Reasons)
  func resume()
  func invalidateAll()
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
  func stop()
}

/// Makes all decisions between a list and the trackers of its rows.
///
/// It turns index paths into rows at once and keeps none, since an index path may soon name another
/// row.
@MainActor
package final class ListRelay<Row: Hashable & Sendable>: ListRelaying {
  /// The source of the rows of index paths.
  enum Rows {
    /// The app knows the ids in order.
    case order(OrderReader<Row>)
    /// The app looks up one row at a time.
    case lookUp(@MainActor (IndexPath) -> Row?)
  }

  package var prefetchesInLowDataMode = false
  package var lookSoon: (@MainActor () -> Void)?

  private let rows: Rows
  private var trackers: [any RowTracking<Row>] = []
  /// The same trackers, for calls without rows.
  private var links: [TrackerLink] = []
  private var views = DisplayedViews()
  private var order = ListOrder<Row>()
  private var contentSize: ContentSize?
  private var mustRead = true
  private var isHeld = false
  private var check = BindingCheck()
  private var watch = ScrollWatch()
  private var coverage = ListCoverage()
  private var announcements = AnnouncedPrefetches<Row>()
  /// Whether the app has reported the exact landing since the last drag.
  private var knowsRest = false

  init(trackers: [any RowTracking<Row>], rows: Rows) {
    self.rows = rows
    self.trackers = trackers
    links = trackers.map { tracker in
      TrackerLink(tracker: tracker, list: tracker.addList { [weak self] in self?.lookSoon?() })
    }
  }

  convenience init<each Value: Sendable>(
    _ trackers: repeat DisplayTracker<Row, each Value>, rows: Rows
  ) {
    var all: [any RowTracking<Row>] = []
    repeat all.append(each trackers)
    self.init(trackers: all, rows: rows)
  }

  /// Makes the relay of a list with ids in order, by section.
  package convenience init(
    trackers: [any RowTracking<Row>], ids: @escaping @MainActor () -> [[Row]]
  ) { self.init(trackers: trackers, rows: .order(.sections(ids))) }

  /// Makes the relay of a list without ids: the app looks up one row at a time.
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

  /// Ends the tracking and the displays that it reported.
  package func stop() {
    for view in views.takeAll() { reportEnded(view) }
    for link in links { link.tracker.removeList(link.list) }
    (trackers, links) = ([], [])
    lookSoon = nil
  }

  private func send(_ input: TrackerInput<Row, AnyObject>) {
    for tracker in trackers { tracker.receive(input) }
  }

  // MARK: Displays

  /// Reports the cells and views that came on screen or left it in a layout.
  ///
  /// O(views on screen), and O(rows) if the order changed.
  package func laidOut(_ layout: ListLayout) {
    hold(layout.isDataConstrained && !prefetchesInLowDataMode)
    if case .order(let reader) = rows { readOrder(reader, layout) }
    let changes = views.laidOut(layout.views)
    for view in changes.appeared { reportDisplayed(view) }
    for view in changes.left { reportEnded(view) }
  }

  private func reportDisplayed(_ view: AnyObject) {
    for link in links { link.tracker.willDisplay(view) }
  }

  private func reportEnded(_ view: AnyObject) {
    for link in links { link.tracker.didEndDisplaying(view) }
  }

  package func willDisplay(_ view: AnyObject, isListed: Bool) {
    views.forwarded(view, isListed: isListed)
    reportDisplayed(view)
  }

  package func didEndDisplaying(_ view: AnyObject) {
    views.ended(view)
    reportEnded(view)
  }

  package func knows(_ view: AnyObject) -> Bool { links.contains { $0.tracker.knows(view) } }

  package var boundViews: [AnyObject] { links.flatMap { $0.tracker.boundViews } }

  // MARK: Order

  package func dataChanged() {
    mustRead = true
    lookSoon?()
  }

  private func readOrder(_ reader: OrderReader<Row>, _ layout: ListLayout) {
    let isOther = mustRead || countsChanged(layout)
    contentSize = layout.contentSize
    var wrong = isOther ? [] : wrongCells(layout)
    let isNew = wrong.contains { !check.knows($0.cell, row: $0.row, at: $0.position) }
    if isOther || isNew {
      read(reader, layout)
      wrong = wrongCells(layout)
    }
    // A row outside the order is no fault.
    for (row, position) in check.laidOut(wrong) where row >= 0 { report(row, at: position) }
  }

  /// Whether the list's counts of items have changed.
  ///
  /// O(sections on screen), and O(sections) after a change of the content size.
  private func countsChanged(_ layout: ListLayout) -> Bool {
    guard layout.sectionCount == order.counts.count else { return true }
    guard layout.contentSize == contentSize else {
      return !layout.isCounted || layout.counts != order.counts
    }
    let counts = order.counts
    var last = -1
    for cell in layout.cells {
      guard let section = cell.position?.section, section != last else { continue }
      last = section
      guard section >= 0, section < counts.count, counts[section] == layout.itemCount(section)
      else { return true }
    }
    return false
  }

  private func read(_ reader: OrderReader<Row>, _ layout: ListLayout) {
    mustRead = false
    let old = order
    order = reader.read(layout.counts)
    guard order.rows != old.rows else { return }
    check.reset()
    for (tracker, link) in zip(trackers, links) {
      tracker.setOrder(order.rows, ofList: link.list)
    }
  }

  /// The cells with a row other than that of their position; −1 stands for a row outside the order.
  private func wrongCells(
    _ layout: ListLayout
  ) -> [(cell: AnyObject, row: Int, position: PrefetchWindow.Position)] {
    let (links, order) = (links, order)
    var wrong: [(cell: AnyObject, row: Int, position: PrefetchWindow.Position)] = []
    for cell in layout.cells {
      if let row = Self.wrongRow(of: cell, in: order, links) {
        wrong.append((cell.view, row, cell.position ?? .init(section: -1, row: -1)))
      }
    }
    return wrong
  }

  private static func wrongRow(
    of cell: ListLayout.Cell, in order: ListOrder<Row>, _ links: [TrackerLink]
  ) -> Int? {
    for link in links {
      switch link.tracker.boundIndex(of: cell.view, inList: link.list) {
      case .unbound: continue
      case .elsewhere: return -1
      case .at(let row):
        guard let position = cell.position else { continue }
        let expected = order.rows(at: position)
        // A repeated row is known by its first index.
        if expected.contains(row) || order.rows[expected].contains(order.rows[row]) { continue }
        return row
      }
    }
    return nil
  }

  private func report(_ row: Int, at position: PrefetchWindow.Position) {
    let rows = order.rows(at: position).map { "\(order.rows[$0])" }.joined(separator: ", ")
    OperationDiagnostics.report(
      .staleCell, nil,
      """
      The cell at item \(position.row) of section \(position.section) is bound to row \(order.rows[row]), \
      but the rows there are [\(rows)]. Bind every cell each time, to nil where there is no row.
      """)
  }

  package func index(ofRowIn view: AnyObject) -> Int? {
    for link in links {
      if case .at(let row) = link.tracker.boundIndex(of: view, inList: link.list) { return row }
    }
    return nil
  }

  /// The rows of an index path, in the last order.
  private func rows(at path: IndexPath) -> [Row] {
    switch rows {
    case .order: path.count == 2 ? Array(order.rows[order.rows(at: .init(path))]) : []
    case .lookUp(let row): row(path).map { [$0] } ?? []
    }
  }

  // MARK: Prefetching

  /// Turns prefetching by the order of the list off or on.
  private func hold(_ isHeld: Bool) {
    guard isHeld != self.isHeld else { return }
    self.isHeld = isHeld
    for link in links { link.tracker.holdPrefetching(isHeld, ofList: link.list) }
  }

  package func prefetch(at paths: [IndexPath], isDataConstrained: Bool) {
    guard prefetchesInLowDataMode || !isDataConstrained else {
      // Prefetches announced before Low Data Mode are cancelled too.
      return cancelPrefetch(of: announcements.takeAll())
    }
    var announced: [Row] = []
    for path in paths {
      for row in rows(at: path) {
        announced.append(row)
        announcements.announced(row, at: path)
      }
    }
    guard !announced.isEmpty else { return }
    send(.prefetch(announced))
  }

  package func cancelPrefetch(at paths: [IndexPath]) {
    cancelPrefetch(of: announcements.takenBack(paths))
  }

  private func cancelPrefetch(of rows: [Row]) {
    guard !rows.isEmpty else { return }
    send(.cancelPrefetch(rows))
  }

  // MARK: Scrolling

  package func offsetChanged(_ reading: ScrollWatch.Reading) {
    scrolled(watch.offsetChanged(reading))
  }

  package func dragBegan() { knowsRest = false }

  /// - Parameter isExact: Whether the app reports the landing, instead of an estimate.
  package func fingerLifted(
    at offset: ScrollWatch.Offset, landingOn frame: RestingFrame, isExact: Bool,
    rows: (RestingFrame) -> [RowFrame]
  ) {
    guard isExact || !knowsRest else { return }
    knowsRest = isExact
    let action = watch.fingerLifted(at: offset, target: frame.origin, isExact: isExact)
    guard action == .landing else { return scrolled(action) }
    send(.scrollWillEnd(landingOn: frame.paths(of: rows(frame)).flatMap { self.rows(at: $0) }))
  }

  package func scrolled(_ action: ScrollAction) {
    guard action != .none else { return }
    for link in links { link.tracker.scrolled(action) }
  }

  // MARK: The list as a whole

  package func covered(_ reason: ListCoverage.Reasons) {
    guard coverage.began(reason) == .covered else { return }
    scrolled(watch.covered())
    // The trackers end all prefetch claims by themselves.
    _ = announcements.takeAll()
    for link in links { link.tracker.coverList(link.list, isCovered: true) }
  }

  package func uncovered(_ reason: ListCoverage.Reasons) {
    guard coverage.ended(reason) == .uncovered else { return }
    uncover()
  }

  /// Resumes the list, suspended or not, which retries failed rows.
  package func resume() {
    if coverage.ended(.app) == .uncovered { uncover() }
    if !coverage.isCovered { send(.resume) }
  }

  private func uncover() {
    for link in links { link.tracker.coverList(link.list, isCovered: false) }
    lookSoon?()
  }

  package func invalidateAll() {
    for link in links { link.tracker.invalidateAll() }
  }

  package func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    links.first?.tracker.recordEvents(write)
  }
}

/// A tracker, with the list's number in it.
private struct TrackerLink {
  let tracker: any CellTracking
  let list: Int
}

extension PrefetchWindow.Position {
  /// Makes the position of an index path of two numbers.
  init(_ path: IndexPath) { self.init(section: path[0], row: path[1]) }
}
