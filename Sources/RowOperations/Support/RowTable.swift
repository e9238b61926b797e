/// The rows that a tracker knows, by their numbers in the engine.
@frozen
@usableFromInline
struct RowTable<Row: Hashable & Sendable> {
  @usableFromInline var rows: ContiguousArray<Row?> = []
  @usableFromInline var index = HashIndex()

  @inlinable
  init() {}

  @inlinable
  static func hash(_ row: Row) -> UInt32 { UInt32(truncatingIfNeeded: row.hashValue) }

  @inlinable
  func id(of row: Row, _ hash: UInt32) -> RowID? {
    var candidate = index.first(hash)
    while candidate >= 0 {
      if rows[Int(candidate)] == row { return RowID(index: candidate) }
      candidate = index.next(after: candidate, hash)
    }
    return nil
  }

  @inlinable
  subscript(id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  /// Whether a number is that of a row.
  @inlinable
  func has(_ row: Row, as id: RowID) -> Bool { rows[Int(id.index)] == row }

  /// Returns the number of a row, and adds the row if it is unknown.
  @MainActor
  @inlinable
  mutating func id(of row: Row, _ hash: UInt32, orAdd add: @MainActor () -> RowID) -> RowID {
    if let id = id(of: row, hash) { return id }
    let id = add()
    insert(row, hash, as: id)
    return id
  }

  /// Returns the rows at positions by their numbers, and adds unknown rows.
  ///
  /// - Parameters:
  ///   - read: The rows at all positions, in order.
  ///   - ends: The number of rows up to each position.
  ///   - guesses: The rows that each position may have. Most rows are the same as before.
  @MainActor
  @inlinable
  mutating func places(
    of read: [Row], ends: [Int], guesses: [OrderWindow.Place], orAdd add: @MainActor () -> RowID
  ) -> [OrderWindow.Place] {
    var places = guesses
    var first = 0
    for index in ends.indices {
      let end = ends[index]
      defer { first = end }
      if end == first + 1, case .row(let known) = guesses[index], has(read[first], as: known) {
        continue
      }
      var place = OrderWindow.Place.rows([])
      for row in read[first..<end] { place.append(id(of: row, Self.hash(row), orAdd: add)) }
      places[index] = place
    }
    return places
  }

  /// Inserts an unknown row.
  @inlinable
  mutating func insert(_ row: Row, _ hash: UInt32, as id: RowID) {
    rows.extend(to: Int(id.index), with: nil)
    rows[Int(id.index)] = row
    index.insert(id.index, hash)
  }

  /// Removes rows.
  ///
  /// - Parameter dropped: Takes the rows, for the caller to release when the table is not being
  ///   changed.
  @inlinable
  mutating func remove(_ ids: [RowID], to dropped: inout ContiguousArray<Row>) {
    for id in ids {
      guard let row = self[id] else { continue }
      dropped.append(row)
      index.remove(id.index)
      rows[Int(id.index)] = nil
    }
    if index.count == 0 { rows.releaseMemory() }
  }
}
