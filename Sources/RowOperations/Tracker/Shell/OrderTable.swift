/// The rows of a list in their order, as the app gave them.
@usableFromInline
struct OrderTable<Row: Hashable & Sendable> {
  @usableFromInline let rows: [Row]
  @usableFromInline let indices: [Row: Int32]

  /// O(rows).
  ///
  /// - Parameter rows: Of a row that comes more than once, the first place counts.
  @inlinable
  init(_ rows: some Sequence<Row>) {
    self.rows = Array(rows)
    var indices: [Row: Int32] = [:]
    indices.reserveCapacity(self.rows.count)
    // From the last place on, so that the first place of a row stays.
    for (index, row) in self.rows.enumerated().reversed() {
      indices[row] = Int32(clamping: index)
    }
    self.indices = indices
  }
}
