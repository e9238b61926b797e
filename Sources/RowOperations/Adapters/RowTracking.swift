/// A tracker without its types, for adapters.
///
/// Generic code would look up the row's metadata at each use, in each frame.
@MainActor
protocol CellTracking: AnyObject, Sendable {
  func willDisplay(_ cell: AnyObject)
  func didEndDisplaying(_ cell: AnyObject)
  func cover(_ cell: AnyObject, isInBackground: Bool)
  func resume()
  func recordEvents(_ write: (@MainActor (String) -> Void)?)

  // Lists: see `DisplayTracker+Lists`.
  func addList(
    onBind: (@MainActor (AnyObject) -> Void)?, share: (@MainActor (AnyObject) -> Double?)?
  ) -> Int
  func removeList(_ list: Int)
  func coverList(_ list: Int, isCovered: Bool)
  func follow(_ list: Int, isCovered: Bool)
  func scrollWillBegin(inList list: Int)
  func scrollDidMove(inList list: Int)
  func scrollDidSettle(inList list: Int)
  func wrongCells(
    at positions: [Int], inList list: Int, _ view: (Int) -> ObjectIdentifier
  ) -> [(cell: Int, row: RowID?)]
  /// The names of a cell's row and of the rows at its position, if the row is known.
  func names(
    of row: RowID, at position: Int, inList list: Int
  ) -> (bound: String, there: [String])?
  func position(ofRowIn view: AnyObject, inList list: Int) -> Int?
  func shownPositions(inList list: Int) -> Range<Int>?
  func knows(_ view: AnyObject) -> Bool
  func cellsVanished()
  func sightChanged()
  var outermostViews: [AnyObject] { get }
}

@MainActor
protocol RowTracking<Row>: CellTracking {
  associatedtype Row: Hashable & Sendable

  func scrollWillEnd(landingOn rows: [Row], inList list: Int)

  // Positions: see `DisplayTracker+Order`.
  func show(
    _ spans: [ShownPositions], ofList list: Int, isOtherData: Bool,
    _ source: () -> RowSource<Row>)
  func find(
    _ views: [AnyObject], inList list: Int, isOtherData: Bool, _ source: () -> RowSource<Row>
  ) -> Bool
  func follow(
    _ source: RowSource<Row>, ofList list: Int, displayed: (@MainActor () -> [Row])?,
    moved: (@MainActor (Range<Int>) -> Void)?)
  func position(of row: Row, inList list: Int) -> Int?
  func nearPosition(of row: Row, inList list: Int, _ source: RowSource<Row>) -> Int?
}

extension DisplayTracker: RowTracking {
  func names(
    of row: RowID, at position: Int, inList list: Int
  ) -> (bound: String, there: [String])? {
    guard let row = store.rows[row] else { return nil }
    return ("\(row)", rows(at: position, inList: list).map { "\($0)" })
  }
}
