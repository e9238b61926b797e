/// The rows that a tracker knows, by the numbers that its machine gave them.
///
/// Finding a number is a hash table whose chains are made of numbers: it names each row once, where
/// a dictionary beside the list of rows would keep them all a second time.
@usableFromInline
struct RowTable<Row: Hashable & Sendable> {
  @usableFromInline var rows: ContiguousArray<Row?> = []
  /// The first row of each chain, and what follows it; -1 at the end.
  @usableFromInline var heads: ContiguousArray<Int32> = []
  @usableFromInline var next: ContiguousArray<Int32> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  func id(of row: Row) -> RowID? {
    guard count > 0 else { return nil }
    var index = heads[chain(of: row)]
    while index >= 0 {
      if rows[Int(index)] == row { return RowID(index: index) }
      index = next[Int(index)]
    }
    return nil
  }

  @inlinable
  func row(_ id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  /// Notes a row that is not known.
  @inlinable
  mutating func insert(_ row: Row, as id: RowID) {
    rows.extend(to: Int(id.index), with: nil)
    next.extend(to: Int(id.index), with: -1)
    rows[Int(id.index)] = row
    count += 1
    if count > heads.count {
      rehash()
    } else {
      link(id.index, of: row)
    }
  }

  @inlinable
  mutating func remove(_ id: RowID) {
    guard let row = row(id) else { return }
    unlink(id.index, of: row)
    rows[Int(id.index)] = nil
    count -= 1
  }

  // MARK: Chains

  @inlinable
  func chain(of row: Row) -> Int { row.hashValue & (heads.count - 1) }

  @inlinable
  mutating func link(_ index: Int32, of row: Row) {
    let chain = chain(of: row)
    next[Int(index)] = heads[chain]
    heads[chain] = index
  }

  @inlinable
  mutating func unlink(_ index: Int32, of row: Row) {
    let chain = chain(of: row)
    guard heads[chain] != index else { return heads[chain] = next[Int(index)] }
    var previous = heads[chain]
    while previous >= 0, next[Int(previous)] != index { previous = next[Int(previous)] }
    if previous >= 0 { next[Int(previous)] = next[Int(index)] }
  }

  /// Twice as many chains.
  @inlinable
  mutating func rehash() {
    heads = ContiguousArray(repeating: -1, count: max(heads.count * 2, 16))
    for index in rows.indices {
      if let row = rows[index] { link(Int32(index), of: row) }
    }
  }
}
