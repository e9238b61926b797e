/// The rows of a list in their order, as the app gave them.
@usableFromInline
struct OrderTable<Row: Hashable & Sendable> {
  @usableFromInline let rows: [Row]
  @usableFromInline let places: [Row: Int32]

  /// O(rows).
  ///
  /// - Parameter rows: Of a row that comes more than once, the first place counts.
  @inlinable
  init(_ rows: some Sequence<Row>) {
    self.rows = Array(rows)
    var places: [Row: Int32] = [:]
    places.reserveCapacity(self.rows.count)
    for (place, row) in self.rows.enumerated()
    where places.updateValue(Int32(clamping: place), forKey: row) != nil {
      places[row] = Int32(clamping: self.rows.firstIndex(of: row) ?? place)
    }
    self.places = places
  }
}
