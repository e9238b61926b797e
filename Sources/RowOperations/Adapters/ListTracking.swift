#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  import Foundation

  /// Reports the events of a list to its trackers.
  ///
  /// Two lines fill a list: one `bind`, and one of these.
  ///
  /// ```swift
  /// tracker.bind(cell, to: ids[path.row]) { $0.show($1.value) }  // where cells are provided
  /// ListTracking(tableView, tracker, ids: { [weak self] in self?.ids ?? [] })  // in viewDidLoad
  /// ```
  ///
  /// It replaces no delegate and requires no superclass. The view retains it, so keep a reference
  /// only to call it.
  ///
  /// **Events**: after each layout it reports the views that came on screen or left it. It reports
  /// scrolling, landing and rest. It suspends the trackers while the list is in no window or the
  /// app is in the background.
  ///
  /// **Order**: the trackers prefetch the rows around the screen. A layout calls `ids` about once
  /// for each screen that scrolls by, or if the number of sections or rows has changed. So it does
  /// if a cell is bound to a row that is not at its index path. It reads only the ids around the
  /// screen. ``dataChanged()`` forces the call. An index path beyond the ids has no row.
  ///
  /// **Bind every cell each time**, to `nil` where there is no row. If two consecutive layouts show
  /// a cell with a row other than that of its index path, `OperationDiagnostics.onMisuse` reports
  /// it. Nothing is unbound.
  ///
  /// **Several lists** may show rows of one tracker, such as a feed and its carousels. Each has a
  /// window of its own, and none while it is covered. The tracker is suspended while all are
  /// covered.
  ///
  /// **Ordering**: you may also forward delegate calls, at any time, twice or late.
  ///
  /// **Threading**: main actor. **Cost**: O(views on screen) for each layout; O(rows around the
  /// screen), and one call of `ids`, for each change of the data.
  @MainActor
  public final class ListTracking: NSObject {
    let relay: any ListRelaying
    /// The view retains the watcher, which retains this object.
    weak var watcher: (any ListWatching)?
    var added: [ListTracking] = []

    init(_ relay: any ListRelaying) { self.relay = relay }

    /// Whether rows are also prefetched in Low Data Mode; `false` by default.
    public var prefetchesInLowDataMode: Bool {
      get { relay.prefetchesInLowDataMode }
      set { forAll { $0.relay.prefetchesInLowDataMode = newValue } }
    }

    /// The pages that load when the list nears its end; none by default.
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
    /// They follow the list as its first trackers do. Only the first tracker's inputs are recorded.
    ///
    /// **Errors**: if the closure takes other ids than those of the list, nothing is added, and
    /// `OperationDiagnostics.onMisuse` reports it. **Cost**: one more call of `ids` for each change
    /// of the data.
    ///
    /// - Parameters:
    ///   - trackers: The trackers of views inside the cells.
    ///   - rows: Returns the rows of an item, in the order of prefetching. It takes an id of `ids`,
    ///     or the row of a list without ids. Capture the controller weakly.
    public func add<ID, Row: Hashable & Sendable, each Value: Sendable>(
      _ trackers: repeat DisplayTracker<Row, each Value>, rows: @escaping @MainActor (ID) -> [Row]
    ) {
      let items = relay.items
      guard items.type == ID.self else {
        return OperationDiagnostics.report(
          .otherIDs, nil,
          """
          Trackers were added to a list by a closure that takes \(ID.self), but the ids of the list are \
          \(items.type). They were not added. Pass a closure that takes \(items.type).
          """)
      }
      let relay = ListRelay(repeat each trackers, rows: .items(of: items, rows: rows))
      relay.prefetchesInLowDataMode = prefetchesInLowDataMode
      if self.relay.isSuspended { relay.covered(.app) }
      guard let tracking = tracking(with: relay) else { return }
      added.append(tracking)
    }

    func forAll(_ call: (ListTracking) -> Void) {
      call(self)
      for tracking in added { call(tracking) }
    }

    /// Makes the next layout call `ids`, after a change that row counts and cells do not reveal.
    ///
    /// Call it after you exchange rows off screen, or to prefetch from a new order at once.
    public func dataChanged() { forAll { $0.relay.dataChanged() } }

    /// Ends the tracking and its displays, for a list that continues with another tracker.
    public func stop() {
      forAll {
        $0.relay.stop()
        $0.watcher?.stop()
      }
      added = []
    }

    // MARK: Calls to forward

    /// Reports a display, as from `willDisplay`, or of a view that the list does not lay out.
    public func willDisplay(_ cell: AnyObject) {
      forAll { $0.relay.willDisplay(cell) }
    }

    /// Reports the end of a display, as from `didEndDisplaying`.
    ///
    /// It takes no index path, since the path may belong to another row by then.
    public func didEndDisplaying(_ cell: AnyObject) {
      forAll { $0.relay.didEndDisplaying(cell) }
    }

    /// Ends ``suspend()``, and retries failed rows on screen.
    ///
    /// It ends no display. You may call it at any time, such as in `viewDidAppear`.
    public func resume() { forAll { $0.relay.resume() } }

    /// Covers the list: its rows load nothing and count for nothing until ``resume()``.
    ///
    /// They keep their values and running loads. Other lists of the same trackers continue. You may
    /// call it at any time, such as in `viewDidDisappear`.
    public func suspend() { forAll { $0.relay.covered(.app) } }

    /// Records the inputs of the first tracker, as ``DisplayTracker/recordEvents(_:)`` does.
    ///
    /// - Parameter write: Receives each line, on the main actor; `nil` switches recording off.
    public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
      relay.recordEvents(write)
    }
  }
#endif
