/// An event of a simulated list.
public enum ListEvent<Row: Hashable & Sendable>: Sendable {
  /// The list requests a cell: configure this one for the row.
  case cellFor(SimulatedCell, Row)
  /// The cell is about to come on screen.
  case willDisplay(SimulatedCell)
  /// The cell has left the screen.
  ///
  /// After a change of the model the index may be out of bounds or name another row.
  case didEndDisplaying(SimulatedCell, index: Int)
  /// For lists that bind and unbind.
  case unbind(SimulatedCell)
  /// Rows are likely to be displayed soon, nearest first.
  case prefetch([Row])
  case cancelPrefetch([Row])
  /// A drag or an animation begins.
  case scrollWillBegin
  case scrollDidMove
  /// The finger lifted; the list will rest with these rows on screen, in reading order.
  case scrollWillEnd(landingOn: [Row])
  /// The list rests.
  case scrollDidSettle
  /// The list is covered; its cells stay, without events.
  case didDisappear
  /// The list is uncovered, with these cells on screen.
  case didAppear([SimulatedCell])
}
