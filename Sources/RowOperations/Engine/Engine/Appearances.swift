/// Rows whose display began since the last turn, in that order.
///
/// A removed row leaves a gap, so that each call is O(1).
package struct Appearances: Sendable {
  /// −1 for a gap.
  private(set) var rows: [RowID] = []

  var isEmpty: Bool { rows.isEmpty }

  package var all: [RowID] { rows.filter { $0.index >= 0 } }

  /// - Returns: The place of the row, for its removal.
  mutating func append(_ row: RowID) -> Int32 {
    rows.append(row)
    return Int32(clamping: rows.count - 1)
  }

  mutating func remove(at place: Int32) { rows[Int(place)] = RowID(index: -1) }

  mutating func emptyForReuse() { rows.emptyForReuse() }
}
