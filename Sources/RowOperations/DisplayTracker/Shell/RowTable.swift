/// The rows that a tracker knows, by the numbers that its machine gave them.
struct RowTable<Row: Hashable & Sendable> {
  private var ids: [Row: RowID] = [:]
  private var rows: ContiguousArray<Row?> = []
  /// The loads of rows that share a resource, and back.
  private var loads: [AnyHashable: LoadID] = [:]
  private var resources: [LoadID: AnyHashable] = [:]

  func id(of row: Row) -> RowID? { ids[row] }

  func row(_ id: RowID) -> Row? { Int(id.index) < rows.count ? rows[Int(id.index)] : nil }

  func load(of resource: AnyHashable) -> LoadID? { loads[resource] }

  mutating func insert(_ row: Row, as id: RowID) {
    ids[row] = id
    rows.extend(to: Int(id.index), with: nil)
    rows[Int(id.index)] = row
  }

  mutating func insert(_ resource: AnyHashable, as load: LoadID) {
    loads[resource] = load
    resources[load] = resource
  }

  mutating func remove(_ id: RowID) {
    guard let row = row(id) else { return }
    rows[Int(id.index)] = nil
    // A removed row may have come back under another number.
    if ids[row] == id { ids[row] = nil }
  }

  mutating func remove(_ load: LoadID) {
    guard !resources.isEmpty, let resource = resources.removeValue(forKey: load) else { return }
    if loads[resource] == load { loads[resource] = nil }
  }
}
