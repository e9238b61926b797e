/// The interface of a tracker for adapters, independent of the types of its rows and values.
///
/// The calls for each cell in each frame go through it: code that is generic over the row looks up
/// the row's metadata at each use.
@MainActor
package protocol CellTracking: AnyObject, Sendable {
  func willDisplay(_ cell: AnyObject)
  func didEndDisplaying(_ cell: AnyObject)
  func cover(_ cell: AnyObject)
  func scrollWillBegin()
  func scrollDidMove()
  func scrollDidSettle()
  func invalidateAll()
  func recordEvents(_ write: (@MainActor (String) -> Void)?)

  // Lists: see `DisplayTracker+Lists`.
  func addList(onBind: (@MainActor (AnyObject) -> Void)?) -> Int
  func removeList(_ list: Int)
  func coverList(_ list: Int, isCovered: Bool)
  func prefetch(isCovered: Bool, ofList list: Int)
  func holdPrefetching(_ isHeld: Bool, ofList list: Int)
  func boundIndex(of cell: AnyObject, inList list: Int) -> BoundIndex
  func knows(_ view: AnyObject) -> Bool
  func cellsVanished()
  var outermostViews: [AnyObject] { get }
}

/// The interface of a tracker for adapters, independent of the type of its values.
@MainActor
package protocol RowTracking<Row>: CellTracking {
  associatedtype Row: Hashable & Sendable

  func receive(_ input: TrackerInput<Row, AnyObject>)
  /// The row that a view is bound to.
  func row(of view: AnyObject) -> Row?
  func setOrder(_ rows: [Row], ofList list: Int)
  func index(of row: Row, inList list: Int) -> Int?
}

extension DisplayTracker: RowTracking {}
