/// The interface of a tracker for adapters, independent of its values.
@MainActor
package protocol RowTracking<Row>: AnyObject, Sendable {
  associatedtype Row: Hashable & Sendable

  func receive(_ input: TrackerInput<Row, AnyObject>)
  func invalidateAll()
  func recordEvents(_ write: (@MainActor (String) -> Void)?)

  // Lists: see `DisplayTracker+Lists`.
  func addList(onBind: (@MainActor () -> Void)?) -> Int
  func removeList(_ list: Int)
  func coverList(_ list: Int, isCovered: Bool)
  func setOrder(_ rows: [Row], ofList list: Int)
  func holdPrefetching(_ isHeld: Bool, ofList list: Int)
  func index(of row: Row, inList list: Int) -> Int?
  func boundIndex(of cell: AnyObject, inList list: Int) -> BoundIndex
  func knows(_ view: AnyObject) -> Bool
  var boundViews: [AnyObject] { get }
}

extension DisplayTracker: RowTracking {}
