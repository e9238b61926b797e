/// What an adapter tells trackers, whatever their values are.
@MainActor
package protocol RowTracking<Row>: AnyObject {
  associatedtype Row: Hashable & Sendable

  func willDisplay(_ cell: AnyObject)
  func didEndDisplaying(_ cell: AnyObject)
  func reconcile(displayedCells: [AnyObject])
  func prefetch(_ rows: [Row])
  func cancelPrefetch(_ rows: [Row])
  func scrollWillBegin()
  func scrollDidMove()
  func scrollWillEnd(landingOn rows: [Row])
  func scrollDidSettle()
  func suspend()
  func resume()
  func removeCachedValues()
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
}

extension DisplayTracker: RowTracking {}
