import Foundation

@MainActor
protocol ListRelaying: AnyObject {
  var prefetchesInLowDataMode: Bool { get set }

  var items: ItemReader { get }
  var pages: [Pagination] { get set }

  func watched(by watcher: any ListWatching)

  // Displays
  func laidOut(_ layout: ListLayout)
  func willDisplay(_ view: AnyObject)
  func didEndDisplaying(_ view: AnyObject)
  /// Bound views that are no cells, and hosts, on screen or not.
  func looseViews() -> [AnyObject]
  /// Whether a view is bound, or contains such a view.
  func tracks(_ view: AnyObject) -> Bool
  /// Whether a displayed view that is no cell has left, which causes no layout.
  ///
  /// O(such views on screen)
  var hasLostView: Bool { get }
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
  var isSuspended: Bool { get }
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
  func stop()
}
