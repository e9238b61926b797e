#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  #if canImport(UIKit)
    import UIKit

    @usableFromInline typealias ListView = UIScrollView
  #else
    import AppKit

    @usableFromInline typealias ListView = NSView
  #endif

  /// Reports the events of a list to its trackers.
  ///
  /// Two lines fill a list: one `bind`, and one of these.
  ///
  /// ```swift
  /// tracker.bind(cell, to: ids[path.row]) { $0.show($1.value) }  // where cells are provided
  /// ListTracking(tableView, tracker, ids: { [weak self] in self?.ids ?? [] })  // in viewDidLoad
  /// ```
  ///
  /// The view retains the object, so keep a reference only to call it.
  ///
  /// **Events**: after each layout it compares the cells, headers, footers and supplementary views
  /// on screen with those of the last one. It reports scrolling, landing and rest, and suspends the
  /// trackers while the list is in no window or the app is in the background.
  ///
  /// **Order**: the trackers prefetch the rows around the screen. It calls `ids` after a layout,
  /// about once for each screen that scrolls by. It also does so for another number of sections or
  /// rows, and for a cell bound to another row than that of its index path. It reads only the ids
  /// around the screen and keeps no array. ``dataChanged()`` forces the call. An index path beyond
  /// the ids has no row.
  ///
  /// **Bind every cell each time**, to `nil` where there is no row. If two consecutive layouts show
  /// a cell with another row than that of its index path, `OperationDiagnostics.onMisuse` reports
  /// it.
  ///
  /// **Prefetching** stops in Low Data Mode, unless ``prefetchesInLowDataMode`` is set.
  ///
  /// **Several lists** may show rows of one tracker, such as a feed and the carousels in it. Each
  /// has a window of its own while it is uncovered. While all are covered, the tracker is
  /// suspended.
  ///
  /// **Ordering**: you may also forward delegate calls, at any time, twice or late.
  ///
  /// **Threading**: main actor. **Cost**: O(views on screen) for each layout; O(rows around the
  /// screen), and one call of `ids`, for each change of the data.
  @MainActor
  public final class ListTracking: NSObject {
    let relay: ListRelay
    /// The view retains the sentinel, which retains this.
    private(set) weak var sentinel: ListSentinel?

    private init(_ view: ListView, _ relay: ListRelay) {
      self.relay = relay
      super.init()
      // So that the answer is known before rows are prefetched.
      _ = DataCost.shared
      let sentinel = ListSentinel(watching: view, for: self)
      self.sentinel = sentinel
      relay.watched(by: sentinel)
    }

    @usableFromInline
    convenience init<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ view: ListView, _ trackers: repeat DisplayTracker<Row, each Value>, ids: OrderReader<ID>,
      rows: OrderReader<Row>
    ) {
      self.init(view, ListRelay(RowFeed(repeat each trackers, rows: rows), ids: ids))
    }

    /// Whether rows are also prefetched in Low Data Mode; `false` by default.
    public var prefetchesInLowDataMode: Bool {
      get { relay.prefetchesInLowDataMode }
      set { relay.prefetchesInLowDataMode = newValue }
    }

    /// The pages that load as the list nears its end.
    public var pages: [Pagination] {
      get { relay.pages }
      set { relay.pages = newValue }
    }

    /// Adds trackers whose rows are not the ids of the list, such as the avatars of its posts.
    ///
    /// ```swift
    /// tracking.add(avatars, rows: { id in [feed.post(id).avatar] })
    /// ```
    ///
    /// All calls of this object concern them too. Only the first tracker's inputs are recorded.
    ///
    /// **Errors**: for a closure with another type of ids, nothing is added, and
    /// `OperationDiagnostics.onMisuse` reports it. **Cost**: one more call of `ids` for each
    /// change.
    ///
    /// - Parameters:
    ///   - trackers: The trackers of views inside the cells.
    ///   - rows: The rows of an item, in the order of prefetching. It takes an id as `ids` returns
    ///     it, or the row of a list without ids. Capture the controller weakly.
    public func add<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ trackers: repeat DisplayTracker<Row, each Value>, rows: @escaping @MainActor (ID) -> [Row]
    ) {
      guard let ids = relay.ids as? OrderReader<ID> else {
        return OperationDiagnostics.report(
          .otherIDs, nil,
          """
          Trackers were added to a list by a closure that takes \(ID.self), but the ids of the list are \
          \(relay.idType). They were not added. Pass a closure that takes \(relay.idType).
          """)
      }
      // A tracking that was stopped has none.
      guard sentinel != nil else { return }
      relay.add(RowFeed(repeat each trackers, rows: ids.rows(rows)))
    }

    /// Reports a change of the data that row counts and cells do not reveal.
    ///
    /// The next layout calls `ids`. Call it after you exchange rows off screen, or to prefetch from
    /// a new order at once.
    public func dataChanged() { relay.dataChanged() }

    /// Ends the tracking and its displays, for a list that continues with another tracker.
    public func stop() {
      relay.stop()
      sentinel?.stop()
    }

    // MARK: Calls to forward

    /// Reports a display: the delegate's `willDisplay`, or that of a view that the list does not
    /// lay out.
    ///
    /// - Parameter cell: A cell, a header, or any view.
    public func willDisplay(_ cell: AnyObject) { relay.willDisplay(cell) }

    /// Reports the end of a display, from the delegate's `didEndDisplaying`.
    ///
    /// It takes no index path, which may belong to another row by then.
    public func didEndDisplaying(_ cell: AnyObject) { relay.didEndDisplaying(cell) }

    /// Ends ``suspend()``, and retries failed rows on screen.
    ///
    /// It ends no display. Call it from `viewDidAppear`, or at any time.
    public func resume() { relay.resume() }

    /// Covers the list: its rows load nothing and count for nothing until ``resume()``.
    ///
    /// They keep their values and running loads. Call it from `viewDidDisappear`, or at any time.
    public func suspend() { relay.cover(.suspended) }

    /// Records the inputs of the first tracker, for a test to replay; see
    /// ``DisplayTracker/recordEvents(_:)``.
    ///
    /// - Parameter write: Receives each line, on the main actor; `nil` switches recording off.
    public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
      relay.recordEvents(write)
    }
  }
#endif
