/// The rows of a list by position, as numbers of the engine.
///
/// Its closures know the type of rows, read a ``RowSource`` and call the app's code.
@usableFromInline
struct NumberedOrder {
  /// Adds unknown rows to the core.
  @usableFromInline typealias Read =
    @MainActor (TrackerEngine.Reading, TrackerCore) -> [OrderWindow.Place]

  let count: Int
  let read: Read
  let contains: @MainActor (_ position: Int, _ isSought: (RowID) -> Bool) -> Bool
  /// The rows on screen; `nil` if the list shows all displayed rows.
  let displayed: (@MainActor () -> [RowID])?

  @usableFromInline
  init(
    count: Int, read: @escaping Read,
    contains: @escaping @MainActor (_ position: Int, _ isSought: (RowID) -> Bool) -> Bool,
    displayed: (@MainActor () -> [RowID])?
  ) {
    self.count = count
    self.read = read
    self.contains = contains
    self.displayed = displayed
  }
}
