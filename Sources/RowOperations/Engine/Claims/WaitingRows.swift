/// The rows that wait for a slot, in no particular order.
struct WaitingRows: Sendable {
  private enum List: Int8, CaseIterable {
    case waiting
  }

  private var lists = LinkedLists<RowKind, List>()

  var count: Int { lists.count(in: .waiting) }

  var rows: some Sequence<RowID> { lists.elements(in: .waiting) }

  mutating func insert(_ row: RowID) { lists.append(row, to: .waiting) }

  mutating func remove(_ row: RowID) { lists.remove(row) }

  mutating func releaseMemory() { lists.releaseMemory() }
}
