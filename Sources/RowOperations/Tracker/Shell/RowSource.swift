/// The rows of a list, by position: one, several or none each.
@usableFromInline
package struct RowSource<Row: Sendable> {
  @usableFromInline package let count: Int
  /// There are none beyond the positions that the app knows.
  @usableFromInline package let read:
    @MainActor (_ positions: Range<Int>, _ take: (_ position: Int, Row) -> Void) -> Void

  @inlinable
  package init(
    count: Int,
    read:
      @escaping @MainActor (_ positions: Range<Int>, _ take: (_ position: Int, Row) -> Void) -> Void
  ) {
    self.count = count
    self.read = read
  }

  /// Makes the source of a collection with one row per position.
  @MainActor
  @inlinable
  package init(_ rows: some RandomAccessCollection<Row>) {
    let start = rows.startIndex
    self.init(count: rows.count) { positions, take in
      var index = rows.index(start, offsetBy: positions.lowerBound)
      for position in positions {
        take(position, rows[index])
        rows.formIndex(after: &index)
      }
    }
  }

  /// Makes the source of items with several rows, or none.
  @MainActor
  @inlinable
  package init<Item>(
    _ items: some RandomAccessCollection<Item>, rows: @escaping @MainActor (Item) -> [Row]
  ) {
    let start = items.startIndex
    self.init(count: items.count) { positions, take in
      var index = items.index(start, offsetBy: positions.lowerBound)
      for position in positions {
        for row in rows(items[index]) { take(position, row) }
        items.formIndex(after: &index)
      }
    }
  }

  @MainActor
  package func read(at position: Int, _ take: (Row) -> Void) {
    read(position..<position + 1) { take($1) }
  }
}
