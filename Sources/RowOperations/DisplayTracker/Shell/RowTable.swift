/// The rows that a tracker knows, by the numbers that its machine gave them.
///
/// Finding a number is a hash table whose chains are made of numbers: it names each row once, where
/// a dictionary beside the list of rows would keep them all a second time.
struct RowTable<Row: Hashable & Sendable> {
  private var rows: ContiguousArray<Row?> = []
  /// The first row of each chain, and what follows it; -1 at the end.
  private var heads: ContiguousArray<Int32> = []
  private var next: ContiguousArray<Int32> = []
  private var count = 0
  /// The loads of rows that share a resource, and back.
  private var loads: [AnyHashable: LoadID] = [:]
  private var resources: [LoadID: AnyHashable] = [:]

  func id(of row: Row) -> RowID? {
    guard count > 0 else { return nil }
    var index = heads[chain(of: row)]
    while index >= 0 {
      if rows[Int(index)] == row { return RowID(index: index) }
      index = next[Int(index)]
    }
    return nil
  }

  func row(_ id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  func load(of resource: AnyHashable) -> LoadID? { loads[resource] }

  /// Notes a row that is not known.
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

  mutating func insert(_ resource: AnyHashable, as load: LoadID) {
    loads[resource] = load
    resources[load] = resource
  }

  mutating func remove(_ id: RowID) {
    guard let row = row(id) else { return }
    unlink(id.index, of: row)
    rows[Int(id.index)] = nil
    count -= 1
  }

  mutating func remove(_ load: LoadID) {
    guard !resources.isEmpty, let resource = resources.removeValue(forKey: load) else { return }
    if loads[resource] == load { loads[resource] = nil }
  }

  // MARK: Chains

  private func chain(of row: Row) -> Int { row.hashValue & (heads.count - 1) }

  private mutating func link(_ index: Int32, of row: Row) {
    let chain = chain(of: row)
    next[Int(index)] = heads[chain]
    heads[chain] = index
  }

  private mutating func unlink(_ index: Int32, of row: Row) {
    let chain = chain(of: row)
    guard heads[chain] != index else { return heads[chain] = next[Int(index)] }
    var previous = heads[chain]
    while previous >= 0, next[Int(previous)] != index { previous = next[Int(previous)] }
    if previous >= 0 { next[Int(previous)] = next[Int(index)] }
  }

  /// Twice as many chains.
  private mutating func rehash() {
    heads = ContiguousArray(repeating: -1, count: max(heads.count * 2, 16))
    for index in rows.indices {
      if let row = rows[index] { link(Int32(index), of: row) }
    }
  }
}
