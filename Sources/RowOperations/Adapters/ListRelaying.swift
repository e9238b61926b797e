import Foundation

/// The interface of a list's relay for the view that watches the list.
@MainActor
protocol ListRelaying: AnyObject {
  /// Whether rows are also prefetched in Low Data Mode.
  var prefetchesInLowDataMode: Bool { get set }

  /// The ids of the list's items.
  var items: ItemReader { get }
  /// The pages that follow the list.
  var pages: [Pagination] { get set }

  /// Makes a watcher report the layouts of the list from now on.
  func watched(by watcher: any ListWatching)

  // Displays
  func laidOut(_ layout: ListLayout)
  func willDisplay(_ view: AnyObject)
  func didEndDisplaying(_ view: AnyObject)
  /// The bound views that are no cells, and the hosts of others, on screen or not.
  func looseViews() -> [AnyObject]
  /// Whether a view is bound to a row of the list's trackers, or contains such a view.
  func tracks(_ view: AnyObject) -> Bool
  /// Whether a displayed view that is no cell has left the list, which causes no layout.
  ///
  /// O(such views on screen)
  var hasLostView: Bool { get }
  /// The index of a view's row in the order of the list.
  func index(ofRowIn view: AnyObject) -> Int?
  func dataChanged()

  // Scrolling
  func offsetChanged(_ reading: ScrollWatch.Reading)
  func scrolled(_ action: ScrollAction)
  func dragBegan()
  func fingerLifted(
    at offset: ScrollWatch.Offset, restingAt target: ScrollWatch.Offset,
    landingOn frame: RestingFrame, isExact: Bool,
    rows: (RestingFrame) -> [RowFrame])

  // The list as a whole
  func covered(_ reason: ListCoverage.Reasons)
  func uncovered(_ reason: ListCoverage.Reasons)
  func resume()
  /// Whether the app has suspended the list.
  var isSuspended: Bool { get }
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
  func stop()
}
