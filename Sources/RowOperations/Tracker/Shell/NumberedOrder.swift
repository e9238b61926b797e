/// The rows of a list by position, as numbers of the engine.
///
/// Its closures know the type of the rows. They read a ``RowSource`` and call the app's code.
@frozen
@usableFromInline
struct NumberedOrder {
  /// The number of positions.
  let count: Int
  /// Returns the rows at positions, and adds unknown rows.
  let read: @MainActor (TrackerEngine.Reading, _ add: @MainActor () -> RowID) -> [OrderWindow.Place]
  /// Whether a position has a row that satisfies a condition.
  let contains: @MainActor (_ position: Int, _ isSought: (RowID) -> Bool) -> Bool
  /// Returns the rows on screen in the list, given those that may be; `nil` if the list shows all
  /// displayed rows.
  let displayed: (@MainActor (_ guesses: [RowID]) -> [RowID])?

  @usableFromInline
  init(
    count: Int,
    read:
      @escaping @MainActor (TrackerEngine.Reading, _ add: @MainActor () -> RowID)
      -> [OrderWindow.Place],
    contains: @escaping @MainActor (_ position: Int, _ isSought: (RowID) -> Bool) -> Bool,
    displayed: (@MainActor (_ guesses: [RowID]) -> [RowID])?
  ) {
    self.count = count
    self.read = read
    self.contains = contains
    self.displayed = displayed
  }
}
