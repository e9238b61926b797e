/// The rows of a list, by position.
///
/// A position is an item, which has one row, several, or none.
@frozen
@usableFromInline
package struct RowSource<Row: Sendable> {
  /// The number of positions.
  @usableFromInline package let count: Int
  /// Gives the rows at a position, which may be beyond those that the app knows.
  @usableFromInline package let read: @MainActor (_ position: Int, _ take: (Row) -> Void) -> Void

  @inlinable
  package init(
    count: Int, read: @escaping @MainActor (_ position: Int, _ take: (Row) -> Void) -> Void
  ) {
    self.count = count
    self.read = read
  }

  /// Makes the source of a collection with a row at each position.
  @MainActor
  @inlinable
  package init(_ rows: some RandomAccessCollection<Row>) {
    let start = rows.startIndex
    self.init(count: rows.count) { position, take in
      take(rows[rows.index(start, offsetBy: position)])
    }
  }

  /// Makes the source of a collection of items with several rows, or none.
  @MainActor
  @inlinable
  package init<Item>(
    _ items: some RandomAccessCollection<Item>, rows: @escaping @MainActor (Item) -> [Row]
  ) {
    let start = items.startIndex
    self.init(count: items.count) { position, take in
      for row in rows(items[items.index(start, offsetBy: position)]) { take(row) }
    }
  }
}
