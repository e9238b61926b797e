/// A tracker as an adapter sees it, whatever its values are.
@MainActor
package protocol RowTracking<Row>: AnyObject {
  associatedtype Row: Hashable & Sendable

  func receive(_ input: TrackerInput<Row, AnyObject>)
  func recordEvents(_ write: (@MainActor (String) -> Void)?)
}

extension DisplayTracker: RowTracking {}
