import Foundation

/// The rows of a tracker, by their numbers in the engine.
@frozen
@usableFromInline
struct RowTable<Row: Hashable & Sendable> {
  @usableFromInline var rows: ContiguousArray<Row?> = []
  /// For each instance, how many orders the app had passed before.
  @usableFromInline var times: ContiguousArray<Int> = []
  @usableFromInline var index = HashIndex()
  /// Grows with each change of the numbers.
  @usableFromInline var version: UInt64 = 0

  @inlinable
  init() {}

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
  mutating func replace(_ id: RowID, by row: Row, passedAt time: Int) -> Row? {
    guard let known = self[id], times[Int(id.index)] <= time else { return nil }
    times[Int(id.index)] = time
    guard !Self.areIdentical(known, row) else { return nil }
    var old: Row? = row
    swap(&old, &rows[Int(id.index)])
    return old
  }

  /// - Parameter dropped: Takes the rows, to release when the table is not being changed.
  @inlinable
  mutating func remove(_ ids: [RowID], to dropped: inout ContiguousArray<Row>) {
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

/// The rows at positions, by number, while the app's code gives them.
///
/// Most were guessed; others get numbers at the end, since no table may change while that code
/// runs.
@frozen
@usableFromInline
struct PlacesRead<Row: Hashable & Sendable> {
  @usableFromInline let first: Int
  @usableFromInline var places: [OrderWindow.Place]
  /// The index of the next place.
  @usableFromInline var next = 0
  /// Rows that were not guessed, with the indices of their places.
  @usableFromInline var others: [(index: Int, row: Row)] = []
  /// Guessed rows whose other contents may differ.
  @usableFromInline var guessed: [(id: RowID, row: Row)] = []

  /// - Parameter guesses: The rows that each position may have.
  @inlinable
  init(_ positions: Range<Int>, _ guesses: [OrderWindow.Place]) {
    (first, places) = (positions.lowerBound, guesses)
  }

  /// - Parameter known: Rows by number.
  @inlinable
  mutating func take(_ position: Int, _ row: Row, _ known: ContiguousArray<Row?>) {
    let index = position - first
    if index >= next {
      clear(to: index)
      next = index + 1
      if case .row(let guess) = places[index], let known = known[Int(guess.index)], known == row {
        if !RowTable.areIdentical(known, row) { guessed.append((guess, row)) }
        return
      }
      places[index] = .rows([])
    }
    others.append((index, row))
  }

  /// The places up to an index have no rows.
  @inlinable
  mutating func clear(to end: Int) {
    while next < end {
      places[next] = .rows([])
      next += 1
    }
  }

  /// - Parameter number: Numbers an unknown row anew.
  @MainActor
  @inlinable
  mutating func end(_ number: @MainActor (Row) -> RowID) -> [OrderWindow.Place] {
    clear(to: places.count)
    for (index, row) in others { places[index].append(number(row)) }
    return places
  }
}
