#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))
  import Foundation

  /// Reports to trackers what a list does.
  ///
  /// Two lines fill a list: one `bind`, and one of these.
  ///
  /// ```swift
  /// tracker.bind(cell, to: ids[path.row]) { $0.show($1.value) }  // where cells are provided
  /// ListTracking(tableView, tracker, ids: { [weak self] in self?.ids ?? [] })  // in viewDidLoad
  /// ```
  ///
  /// Nothing has to be forwarded, no delegate is replaced, and no class needs another superclass.
  /// The view keeps the object, so you need to keep it only to call it.
  ///
  /// **What it watches**: after each layout of the list it compares the cells, headers, footers and
  /// supplementary views on screen with those before, and reports the differences. It reports when
  /// the list scrolls, where it lands and when it rests, and suspends the trackers while the list
  /// is in no window or the app is in the background.
  ///
  /// **The order**: it hands the ids to the trackers, which prefetch by them. It calls `ids` after
  /// a layout, and only if a number of sections or rows has changed, or a cell is bound to a row
  /// that is elsewhere in the ids that it knows. ``dataChanged()`` has it call `ids` in any case.
  /// An index path beyond the ids has no row.
  ///
  /// **Bind every cell each time**, to `nil` where there is no row. Two layouts in a row that show
  /// a cell with another row than that of its index path are reported to
  /// `OperationDiagnostics.onMisuse`. Nothing is unbound.
  ///
  /// **Prefetching** stops in Low Data Mode, unless ``prefetchesInLowDataMode`` is set.
  ///
  /// **Several lists** may show rows of one tracker, such as a feed and the carousels in it. Each
  /// has an order of its own, and the tracker is suspended while all of them are covered.
  ///
  /// **Ordering**: you may forward what delegates hear all the same, at any time, twice or late.
  ///
  /// **Threading**: main actor. **Cost**: O(views on screen) for each layout; O(rows), and one call
  /// of `ids`, for each change of the data. **Cancellation**: none of its own.
  @MainActor
  public final class ListTracking: NSObject {
    let relay: any ListRelaying
    /// Watches the view, which holds it; it holds this object.
    weak var watcher: (any ListWatching)?

    init(_ relay: any ListRelaying) { self.relay = relay }

    /// Whether rows are prefetched in Low Data Mode too; `false` unless you set it.
    public var prefetchesInLowDataMode: Bool {
      get { relay.prefetchesInLowDataMode }
      set { relay.prefetchesInLowDataMode = newValue }
    }

    /// The list's data changed in a way that its numbers of rows and its cells do not show.
    ///
    /// `ids` is called after the next layout. Not needed where rows are inserted, deleted or moved
    /// on screen. Call it when rows were exchanged off screen, or to prefetch from a new order at
    /// once.
    public func dataChanged() { relay.dataChanged() }

    /// Ends the tracking, and the displays that it reported; for a list that goes on with another
    /// tracker.
    public func stop() {
      relay.stop()
      watcher?.stop()
    }

    // MARK: What an app may forward

    /// From the delegate's `willDisplay`; for a view that the list does not lay out as its own.
    ///
    /// - Parameter cell: A cell, a header, or any view.
    public func willDisplay(_ cell: AnyObject) {
      relay.willDisplay(cell, isListed: watcher?.isListed(cell) ?? false)
    }

    /// From the delegate's `didEndDisplaying`.
    ///
    /// It takes no index path, which may be another row's by then.
    ///
    /// - Parameter cell: A cell, a header, or any view.
    public func didEndDisplaying(_ cell: AnyObject) { relay.didEndDisplaying(cell) }

    /// Ends ``suspend()``, and has rows on screen that failed tried again.
    ///
    /// It ends no display. From `viewDidAppear`, or whenever you like.
    public func resume() { relay.resume() }

    /// Nothing starts until ``resume()``; from `viewDidDisappear`, or whenever you like.
    public func suspend() { relay.covered(.app) }

    /// Writes what the first tracker hears, for a test to replay; see
    /// ``DisplayTracker/recordEvents(_:)``.
    ///
    /// - Parameter write: Is given each line, on the main actor; `nil` switches recording off.
    public func recordEvents(_ write: (@MainActor (String) -> Void)?) {
      relay.recordEvents(write)
    }
  }

  /// What watches a view.
  @MainActor
  protocol ListWatching: AnyObject {
    /// Whether the view's layouts find a view if it is on screen.
    func isListed(_ view: AnyObject) -> Bool
    func stop()
  }
#endif
