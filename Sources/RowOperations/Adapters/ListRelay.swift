import Foundation

/// Makes all decisions between a list and the trackers of its rows.
///
/// It keeps no index path, which may soon name another row.
@MainActor
package final class ListRelay {
  var prefetchesInLowDataMode = false
  var pages: [Pagination] = [] {
    didSet { watcher?.lookSoon() }
  }

  /// An `OrderReader` of the items' ids, for trackers with other rows.
  let ids: Any
  let idType: Any.Type
  private(set) weak var watcher: (any ListWatching)?
  /// One for each type of rows.
  private(set) var feeds: [any AnyRowFeed] = []
  private(set) var links: [TrackerLink] = []
  /// Bound views that are no cells, on screen or not.
  private var loose = ViewSet()
  /// Bound views that were last seen in no view.
  private var unplaced = ViewSet()
  /// Since the last turn of the main queue.
  private var bound = ViewSet()
  var views = DisplayedViews()
  var covers: Set<Cover> = []
  /// A change of all views on screen is due.
  var isBack = false
  /// During a report, which calls renders of the app.
  private var isLooking = false
  private var mustLookAgain = false

  // The order
  var positions = ListPositions()
  var isCounted = true
  /// The first position on screen at the last layout, by section.
  var lastShown: [Int?: Int] = [:]
  var contentSize: CGSize?
  var mustRead = true
  var isHeld = false
  var check = BindingCheck()

  // Scrolling
  var watch = ScrollWatch()
  /// The app has reported the landing since the last drag.
  var knowsRest = false

  init<ID>(_ feed: any AnyRowFeed, ids: OrderReader<ID>) {
    (self.ids, idType) = (ids, ID.self)
    add(feed)
  }

  package convenience init<Row: Hashable & Sendable, each Value: Sendable>(
    _ trackers: repeat DisplayTracker<Row, each Value>, ids: OrderReader<Row>
  ) { self.init(RowFeed(repeat each trackers, rows: ids), ids: ids) }

  deinit {
    let links = links
    guard !links.isEmpty else { return }
    DispatchQueue.main.async {
      for link in links { link.tracker.removeList(link.list) }
    }
  }

  /// Adds trackers; the next layout reports all views on screen.
  func add(_ feed: any AnyRowFeed) {
    let new = feed.link(
      onBind: { [weak self] in self?.wasBound($0) },
      share: { [weak self] in self?.visibleShare(of: $0) })
    feeds.append(feed)
    links += new
    if isCovered { for link in new { link.tracker.coverList(link.list, isCovered: true) } }
    findViews(of: new)
    (mustRead, isBack) = (true, true)
    watcher?.lookSoon()
  }

  func watched(by watcher: any ListWatching) {
    self.watcher = watcher
    findViews(of: links)
  }

  func stop() {
    for view in views.takeAll() {
      for link in links { link.tracker.didEndDisplaying(view) }
    }
    for link in links { link.tracker.removeList(link.list) }
    for feed in feeds { feed.stop() }
    (feeds, links) = ([], [])
    (watcher, loose, pages) = (nil, ViewSet(), [])
  }

  func recordEvents(_ write: (@MainActor (String) -> Void)?) {
    links.first?.tracker.recordEvents(write)
  }

  // MARK: Bound views

  private func findViews(of links: [TrackerLink]) {
    guard let watcher else { return }
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
    bound.insert(view)
  }

  /// For a layout inside the list's own, as of a cell by the app.
  private func checkBound() {
    let bound = bound.takeAll()
    guard let watcher, !isCovered else { return }
    let isRight =
      bound.allSatisfy { views.contains($0) || watcher.visibleShare(of: $0) == 0 }
      && views.listedViews.allSatisfy { view in
        switch watcher.place(of: view) {
        case .cell, .unplaced: watcher.visibleShare(of: view) > 0
        case .inside, .outside: true
        }
      }
    if !isRight { watcher.lookSoon() }
  }

  /// `nil` if the view is not in the list.
  private func visibleShare(of view: AnyObject) -> Double? {
    guard let watcher, watcher.place(of: view) != .outside else { return nil }
    return watcher.visibleShare(of: view)
  }

  /// Bound views that are no cells, and hosts, on screen or not.
  func looseViews() -> [AnyObject] {
    if let watcher, !unplaced.isEmpty {
      for view in unplaced.takeAll() where tracks(view) { sort(view, watcher.place(of: view)) }
    }
    return loose.all(isKnown: tracks)
  }

  /// Whether a view is bound, or contains such a view.
  func tracks(_ view: AnyObject) -> Bool { links.contains { $0.tracker.knows(view) } }

  func index(ofRowIn view: AnyObject) -> Int? {
    links.lazy.compactMap { $0.tracker.position(ofRowIn: view, inList: $0.list) }.first
  }

  // MARK: Displays

  /// A layout that a render causes comes after this one.
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
    let changes = views.laidOut(layout)
    let shown = isBack && !isCovered ? layout.views : changes.appeared
    isBack = isBack && isCovered
    for link in links {
      for view in shown { reportOnScreen(view, to: link.tracker) }
      for view in changes.left { link.tracker.didEndDisplaying(view) }
      if changes.hasVanished { link.tracker.cellsVanished() }
      link.tracker.sightChanged()
    }
  }

  /// The render of another view may have covered the list or stopped the tracking.
  private func reportOnScreen(_ view: AnyObject, to tracker: any CellTracking) {
    guard !links.isEmpty else { return }
    guard isCovered else { return tracker.willDisplay(view) }
    tracker.cover(view, isInBackground: isInBackground)
  }

  /// The call may be late or wrong.
  func willDisplay(_ view: AnyObject) {
    views.forwarded(view, isListed: watcher.map { $0.place(of: view) != .outside } ?? false)
    for link in links { reportOnScreen(view, to: link.tracker) }
    watcher?.lookSoon()
  }

  package func didEndDisplaying(_ view: AnyObject) {
    views.ended(view)
    for link in links { link.tracker.didEndDisplaying(view) }
    watcher?.lookSoon()
  }

  func dataChanged() {
    mustRead = true
    watcher?.lookSoon()
  }

  // MARK: Covers

  var isCovered: Bool { !covers.isEmpty }

  private var isInBackground: Bool { covers == [.background] }

  func cover(_ cover: Cover, if isTrue: Bool = true) {
    let before = (isCovered, isInBackground)
    if isTrue { covers.insert(cover) } else { covers.remove(cover) }
    guard (isCovered, isInBackground) != before else { return }
    if isCovered {
      scrolled(watch.covered())
      hidePages()
    }
    for link in links { link.tracker.coverList(link.list, isCovered: isCovered) }
    // Of a list that is back, the next layout finds the listed views, or they have left.
    let changed = isCovered ? views.listedViews + views.forwardedViews : views.forwardedViews
    for link in links {
      for view in changed { reportOnScreen(view, to: link.tracker) }
    }
    guard !isCovered else { return }
    isBack = true
    watcher?.lookSoon()
  }

  /// Retries failed rows, suspended or not.
  func resume() {
    cover(.suspended, if: false)
    if !isCovered { for link in links { link.tracker.resume() } }
  }

  // MARK: Scrolling

  package func offsetChanged(_ reading: ScrollWatch.Reading) {
    scrolled(watch.offsetChanged(reading))
  }

  func dragBegan() { knowsRest = false }

  /// - Parameters:
  ///   - part: The part of the content in which the list will rest.
  ///   - isExact: Whether the app reports the landing.
  ///   - rows: Returns the rows around a part.
  func fingerLifted(
    at offset: CGPoint, restingAt target: CGPoint, landingOn part: CGRect, isExact: Bool,
    rows: (CGRect) -> [RowFrame]
  ) {
    guard isExact || !knowsRest else { return }
    knowsRest = isExact
    let items = rows(part).paths(in: part).compactMap(item)
    let action = watch.fingerLifted(at: offset, target: target, isExact: isExact)
    guard action == .landing else { return scrolled(action) }
    for feed in feeds { feed.land(on: items) }
  }

  func scrolled(_ action: ScrollAction) {
    guard action != .none else { return }
    for link in links { link.tracker.scrolled(action, inList: link.list) }
  }
}
