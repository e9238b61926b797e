/// The rows of a list in the app's order.
@frozen
@usableFromInline
struct OrderTable<Row: Hashable & Sendable> {
  @usableFromInline let rows: [Row]
  @usableFromInline let indices: [Row: Int32]

  /// O(rows).
  ///
  /// - Parameter rows: The first index of a repeated row counts.
  @inlinable
  init(_ rows: some Sequence<Row>) {
    self.rows = Array(rows)
    var indices: [Row: Int32] = [:]
    indices.reserveCapacity(self.rows.count)
    // From the last index on, so that the first index of a row stays.
    var index = self.rows.count
    while index > 0 {
      index -= 1
      indices[self.rows[index]] = Int32(clamping: index)
    }
    self.indices = indices
  }
}
