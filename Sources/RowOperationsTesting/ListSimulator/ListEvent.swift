/// What a list tells its app, as a simulated list tells it.
public enum ListEvent<Row: Hashable & Sendable>: Sendable {
  /// The list asks for a cell: configure this one for the row.
  case cellFor(SimulatedCell, Row)
  /// The cell is about to come on screen.
  case willDisplay(SimulatedCell)
  /// The cell has left the screen.
  ///
  /// The index is the one that the list knows it by, which after a change of the model may be out
  /// of bounds or name another row: go by the cell.
  case didEndDisplaying(SimulatedCell, index: Int)
  /// The cell is no longer bound to any row; told by lists that bind and unbind.
  case unbind(SimulatedCell)
  /// Rows are likely to be displayed soon, nearest first.
  case prefetch([Row])
  /// Rows are not expected any more.
  case cancelPrefetch([Row])
  /// A finger took hold of the list, or an animation begins.
  case scrollWillBegin
  /// The offset has changed.
  case scrollDidMove
  /// The finger let go; the list will rest with these rows on screen, in reading order.
  case scrollWillEnd(landingOn: [Row])
  /// The list has come to rest.
  case scrollDidSettle
  /// Something covers the whole list. Its cells stay, and are not told.
  case didDisappear
  /// The list is to be seen again, with these cells on screen.
  case didAppear([SimulatedCell])
}
