/// The kept values and failures, in the order in which they go.
struct KeptRows: Sendable {
  /// Unclaimed rows that keep a value or a failure, least recent first.
  enum List: Int8, CaseIterable {
    case values
    case failures
  }

  private var lists = LinkedLists<RowKind, List>()
  /// Of values, also of claimed rows.
  private(set) var count = 0
  private var cost = 0

  func rows(in list: List) -> some Sequence<RowID> { lists.elements(in: list) }

  func count(in list: List) -> Int { lists.count(in: list) }

  func first(in list: List) -> RowID? { lists.first(in: list) }

  func contains(_ row: RowID, in list: List) -> Bool { lists.contains(row, in: list) }

  // MARK: Lists

  /// As the most recent one.
  mutating func append(_ row: RowID, to list: List) { lists.append(row, to: list) }

  @inline(__always)
  mutating func remove(_ row: RowID) { lists.remove(row) }

  // MARK: Values

  mutating func valueAdded(cost: Int) {
    count += 1
    self.cost &+= cost
  }

  mutating func valueDropped(cost: Int) {
    count -= 1
    self.cost &-= cost
  }

  /// Whether a value must go.
  func isTooMuch(values: Int?, cost limit: Int?) -> Bool {
    count > values ?? .max || cost > limit ?? .max
  }

  mutating func releaseMemory() { lists.releaseMemory() }
}

extension Int {
  /// The highest that counts: 2^40, a terabyte if costs are bytes.
  static var highestCost: Int { 1 << 40 }
}
