import Foundation

/// The rows of a tracker, by their numbers in the engine.
@usableFromInline
struct RowTable<Row: Hashable & Sendable> {
  @usableFromInline var rows: ContiguousArray<Row?> = []
  /// For each instance, how many orders the app had passed before.
  @usableFromInline var times: ContiguousArray<Int> = []
  @usableFromInline var index = HashIndex()
  /// Grows with each change of the numbers.
  @usableFromInline var version: UInt64 = 0

  @inlinable
  static func hash(_ row: Row) -> UInt32 { UInt32(truncatingIfNeeded: row.hashValue) }

  @inlinable
  func id(of row: Row, _ hash: UInt32) -> RowID? {
    var next = index.first(hash)
    while next >= 0 {
      if rows[Int(next)] == row { return RowID(index: next) }
      next = index.next(after: next, hash)
    }
    return nil
  }

  @inlinable
  subscript(id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  @inlinable
  mutating func insert(_ row: Row, _ hash: UInt32, as id: RowID, passedAt time: Int = 0) {
    rows.extend(to: Int(id.index), with: nil)
    times.extend(to: Int(id.index), with: 0)
    version &+= 1
    rows[Int(id.index)] = row
    times[Int(id.index)] = time
    index.insert(id.index, hash)
  }

  /// Replaces a row by an equal one, unless the app has passed that earlier.
  ///
  /// - Returns: The old instance, to release when the table is not being changed.
  @inlinable
  mutating func replace(_ id: RowID, by row: Row, passedAt time: Int) -> Row? {
    guard let known = self[id], times[Int(id.index)] <= time else { return nil }
    times[Int(id.index)] = time
    // Equal rows with the same bytes have the same other contents.
    let isIdentical = withUnsafePointer(to: row) { row in
      withUnsafePointer(to: known) { memcmp(row, $0, MemoryLayout<Row>.size) == 0 }
    }
    guard !isIdentical else { return nil }
    var old: Row? = row
    swap(&old, &rows[Int(id.index)])
    return old
  }

  /// - Parameter dropped: Takes the rows, to release when the table is not being changed.
  @inlinable
  mutating func remove(_ ids: [RowID], to dropped: inout ContiguousArray<Any>) {
    version &+= 1
    for id in ids {
      guard let row = self[id] else { continue }
      dropped.append(row)
      index.remove(id.index)
      rows[Int(id.index)] = nil
    }
    if index.count == 0 {
      rows.releaseMemory()
      times.releaseMemory()
    }
  }
}
