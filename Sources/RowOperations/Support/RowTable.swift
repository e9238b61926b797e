import Foundation

/// The rows of a tracker, by their numbers in the engine.
@usableFromInline
struct RowTable<Row: Hashable & Sendable> {
  @usableFromInline var rows: ContiguousArray<Row?> = []
  /// For each instance, how many orders the app had passed before; -1 for an unlisted row.
  @usableFromInline var times: ContiguousArray<Int> = []
  @usableFromInline var index = HashIndex()
  /// Grows with each change of the numbers.
  @usableFromInline var version: UInt64 = 0
  /// The orders passed by the app.
  ///
  /// An order is read later than it is passed; this number finds the newest instance of a row.
  @usableFromInline var ordersPassed = 0
  /// Hashes of rows that were removed from an order, and not read or bound since.
  @usableFromInline var removedFromOrder: Set<UInt32> = []
  @usableFromInline var renamed = RenamedRows<Row>()

  @inlinable
  static func hash(_ row: Row) -> UInt32 { UInt32(truncatingIfNeeded: row.hashValue) }

  func id(of row: Row, _ hash: UInt32) -> RowID? { find(row, hash).id }

  /// - Returns: Also the version before the `==` of rows is called.
  @inlinable
  func find(
    _ row: Row, _ hash: UInt32
  ) -> (id: RowID?, version: UInt64, mayBeRenamed: Bool) {
    var next = index.first(hash)
    while next >= 0 {
      if rows[Int(next)] == row { return (RowID(index: next), version, false) }
      next = index.next(after: next, hash)
    }
    return (nil, version, !renamed.isEmpty)
  }

  @inlinable
  subscript(id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  /// Stops the process if the `==` of a row has changed the table since it was read.
  @inlinable
  func check(_ version: UInt64) {
    precondition(
      version == self.version,
      "The == of a row has called the tracker. Compare the ids of the rows alone.")
  }

  /// - Parameter time: When the app passed the row, by ``ordersPassed``; `nil` for now.
  @inlinable
  mutating func insert(_ row: Row, _ hash: UInt32, as id: RowID, passedAt time: Int? = nil) {
    rows.extend(to: Int(id.index), with: nil)
    times.extend(to: Int(id.index), with: 0)
    version &+= 1
    rows[Int(id.index)] = row
    times[Int(id.index)] = time ?? ordersPassed
    index.insert(id.index, hash)
  }

  /// Equal rows with the same bytes have the same other contents.
  @inlinable
  static func areIdentical(_ row: Row, _ other: Row) -> Bool {
    withUnsafePointer(to: row) { row in
      withUnsafePointer(to: other) { memcmp(row, $0, MemoryLayout<Row>.size) == 0 }
    }
  }

  /// Replaces a row by an equal one, unless the app has passed that earlier.
  ///
  /// - Returns: The old instance, to release when the table is not being changed.
  @inlinable
  mutating func replace(_ id: RowID, by row: Row, passedAt time: Int? = nil) -> Row? {
    let time = time ?? ordersPassed
    guard let known = self[id], times[Int(id.index)] <= time else { return nil }
    times[Int(id.index)] = time
    guard !Self.areIdentical(known, row) else { return nil }
    var old: Row? = row
    swap(&old, &rows[Int(id.index)])
    return old
  }

  /// Takes a row that a list has shown, after ``find(_:_:)`` in a version of the table.
  ///
  /// - Returns: The old instance, as ``replace(_:by:passedAt:)`` does.
  @inlinable
  mutating func take(
    _ row: Row, _ hash: UInt32, _ version: UInt64, as id: RowID, isNew: Bool, passedAt time: Int?
  ) -> Row? {
    check(version)
    if !removedFromOrder.isEmpty { removedFromOrder.remove(hash) }
    guard isNew else { return replace(id, by: row, passedAt: time) }
    insert(row, hash, as: id, passedAt: time)
    return nil
  }

  /// - Returns: The old name, to release as all others.
  mutating func rename(_ id: RowID, to new: Row, _ hash: UInt32) -> Row? {
    var old: Row? = nil
    swap(&old, &rows[Int(id.index)])
    index.remove(id.index)
    insert(new, hash, as: id)
    return old
  }

  /// Another number has the name from now on.
  mutating func unlist(_ id: RowID, as new: Row) -> Row? {
    version &+= 1
    index.remove(id.index)
    times[Int(id.index)] = -1
    var old: Row? = new
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
      if times[Int(id.index)] >= 0 { index.remove(id.index) }
      rows[Int(id.index)] = nil
    }
    if index.count == 0 {
      rows.releaseMemory()
      times.releaseMemory()
    }
  }
}
