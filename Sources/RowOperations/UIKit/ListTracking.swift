#if canImport(UIKit) && !os(watchOS)
  import UIKit

  /// Tells trackers what a table view or a collection view does.
  ///
  /// ```swift
  /// lazy var tracking = ListTracking(tableView, tracker) { [unowned self] path in ids[path.row] }
  ///
  /// // willDisplay:       tracking.willDisplay(cell)
  /// // didEndDisplaying:  tracking.didEndDisplaying(cell)
  /// // willEndDragging:   tracking.willEndDragging(to: target.pointee)
  /// // viewDidAppear:     tracking.resume()
  /// // viewDidDisappear:  tracking.suspend()
  /// ```
  ///
  /// That is all that an app forwards; each is one line in the delegate method of that name, and
  /// leaving one out costs what it stands for and nothing else. By itself the object is the view's
  /// prefetch data source and follows its offset. Cells are bound where they are provided, with ``DisplayTracker/bind(_:to:render:)``, to each tracker.
  ///
  /// It proxies no delegate and needs no subclass. Keep it for as long as the view: the view does not.
  ///
  /// **Index paths** are translated to rows when the view names them, never later.
  ///
  /// **Prefetching** stops in Low Data Mode, and rows that were prefetched before are let go of, unless
  /// ``prefetchesInLowDataMode`` is set. It takes the place of the view's prefetch data source; an app
  /// that needs one of its own sets it afterwards and forwards both calls.
  ///
  /// **Scrolling** is what the view itself calls dragging or decelerating, and an offset that changes
  /// frame by frame; a layout that corrects the offset is none. Where an end is lost, the quiet time
  /// of the tracker's configuration makes up for it.
  ///
  /// **Sections that scroll orthogonally**: displays and prefetching work as everywhere. Their own
  /// scrolling is not seen, as UIKit tells nobody of it: it holds no row back, and where it will land
  /// is not known. A landing of the whole list counts their rows as its layout places them, which
  /// need not be those that are scrolled to.
  ///
  /// **Ordering**: forward calls as they come, also twice or late: they are judged together when the
  /// pass has ended.
  ///
  /// **Threading**: main actor. **Cost**: O(trackers) for each event, and O(rows on screen) for a
  /// landing. **Cancellation**: none of its own; when it goes, the trackers keep what they know.
  @MainActor
  public final class ListTracking: NSObject {
    let relay: any ListRelaying
    private(set) weak var view: UIScrollView?
    private var offsetObservation: NSKeyValueObservation?
    let started = ContinuousClock.now

    /// Serves a table view.
    ///
    /// - Parameters:
    ///   - view: Held weakly.
    ///   - trackers: One for each value that a row consists of.
    ///   - row: The row at an index path, or `nil` if there is none, from the model of the moment.
    ///     Never asked about a path that the view only takes back. Capture the controller unowned or
    ///     weakly.
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UITableView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      var all: [any RowTracking<Row>] = []
      repeat all.append(each trackers)
      self.init(view, ListRelay(trackers: all, row: row))
      view.prefetchDataSource = self
    }

    /// Serves a collection view.
    ///
    /// - Parameters:
    ///   - view: Held weakly.
    ///   - trackers: One for each value that a row consists of.
    ///   - row: The row at an index path, or `nil` if there is none, from the model of the moment.
    ///     With a diffable data source, its `itemIdentifier(for:)`. Never asked about a path that the
    ///     view only takes back. Capture the controller unowned or weakly.
    public convenience init<Row: Hashable & Sendable, each Value: Sendable>(
      _ view: UICollectionView, _ trackers: repeat DisplayTracker<Row, each Value>,
      row: @escaping @MainActor (IndexPath) -> Row?
    ) {
      var all: [any RowTracking<Row>] = []
      repeat all.append(each trackers)
      self.init(view, ListRelay(trackers: all, row: row))
      view.prefetchDataSource = self
    }

    private init(_ view: UIScrollView, _ relay: any ListRelaying) {
      self.view = view
      self.relay = relay
      super.init()
      // So that it is known by the time that rows are prefetched.
      _ = DataCost.shared
      // UIKit sets the offset on the main thread.
      offsetObservation = view.observe(\.contentOffset) { [weak self] _, _ in
        MainThread.assumeIsolated { self?.offsetChanged() }
      }
    }

    /// Whether rows are prefetched in Low Data Mode too; `false` unless you say otherwise.
    public var prefetchesInLowDataMode: Bool {
      get { relay.prefetchesInLowDataMode }
      set { relay.prefetchesInLowDataMode = newValue }
    }

    // MARK: What an app forwards

    /// From the delegate's `willDisplay`.
    public func willDisplay(_ cell: UIView) { relay.willDisplay(cell) }

    /// From the delegate's `didEndDisplaying`; the index path is not asked for, as it may name another
    /// row by now.
    public func didEndDisplaying(_ cell: UIView) { relay.didEndDisplaying(cell) }

    /// From the delegate's `scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)`: the rows
    /// on which the list will land are loaded first.
    ///
    /// Where the rows are, the view's own layout is asked. Rows whose heights are only estimated may
    /// turn out to lie elsewhere.
    ///
    /// - Parameter target: `targetContentOffset.pointee`, when you have changed it if you do so.
    public func willEndDragging(to target: CGPoint) {
      guard let view else { return }
      let frame = RestingFrame(
        origin: .init(target), width: view.bounds.width, height: view.bounds.height)
      relay.fingerLifted(at: .init(view.contentOffset), landingOn: frame) { [placedRows] in
        placedRows($0)
      }
    }

    /// From the view controller's `viewDidAppear`: the trackers go on, and compare what they know with
    /// the cells that are to be seen.
    ///
    /// No other list may show cells of the same trackers.
    public func resume() { relay.resume(displayedCells: visibleCells) }

    /// From the view controller's `viewDidDisappear`: nothing starts until ``resume()``.
    public func suspend() { relay.suspend() }

    /// Writes what the first tracker is told, for a test to replay; see
    /// ``DisplayTracker/recordEvents(_:)``.
    ///
    /// - Parameter write: Given each line, on the main actor; `nil` switches recording off.
    public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
      relay.recordEvents(write)
    }
  }
#endif
