/// The rows that wait for a slot.
///
/// It has a list for each kind of claim, sorted by rank. Every call is O(1) unless it says
/// otherwise.
struct Line: Sendable {
  enum List: Int8, CaseIterable {
    /// In the order of their displays.
    case displayed
    case prefetched
    case landing

    init(_ kind: ClaimKind) {
      switch kind {
      case .displayed: self = .displayed
      case .landing: self = .landing
      case .prefetched: self = .prefetched
      }
    }
  }

  private var lists = LinkedLists<RowKind, List>()
  /// The rank of each row in its list, by the row's number.
  private var ranks: ContiguousArray<UInt64> = []
  /// The row last inserted among the prefetched ones.
  private var lastInserted: RowID?

  package var count: Int {
    lists.count(in: .landing) + lists.count(in: .displayed) + lists.count(in: .prefetched)
  }

  package func rows(in list: List) -> some Sequence<RowID> { lists.elements(in: list) }

  func first(in list: List) -> RowID? { lists.first(in: list) }

  /// Inserts a row by its claim, unless it waits with a claim of that kind already.
  ///
  /// O(1) for a new claim, which belongs at the end of the list or, among prefetches, beside the
  /// last insertion. A returning claim walks past the newer ones.
  mutating func insert(_ row: RowID, _ claim: Claim) {
    let list = List(claim.kind)
    guard !lists.contains(row, in: list) else { return }
    ranks.extend(to: Int(row.index), with: 0)
    lists.insert(row, into: list, after: neighbour(of: claim.rank, in: list))
    ranks[Int(row.index)] = claim.rank
    if list == .prefetched { lastInserted = row }
  }

  /// The row behind which a rank belongs; `nil` for the front.
  private func neighbour(of rank: UInt64, in list: List) -> RowID? {
    guard list == .prefetched else { return lastBefore(rank, from: lists.last(in: list)) }
    // The next row of a call belongs beside the last one.
    let start = lastInserted.flatMap { lists.contains($0, in: .prefetched) ? $0 : nil }
    var neighbour = lastBefore(rank, from: start)
    while let next = neighbour.map({ lists.next(of: $0) }) ?? lists.first(in: .prefetched),
      ranks[Int(next.index)] < rank
    {
      neighbour = next
    }
    return neighbour
  }

  /// The last row with no larger rank, among one and those before it.
  private func lastBefore(_ rank: UInt64, from last: RowID?) -> RowID? {
    var row = last
    while let other = row, ranks[Int(other.index)] > rank { row = lists.previous(of: other) }
    return row
  }

  /// Removes a row whose rank among the claims of a kind changes, until its evaluation, so that the
  /// list stays sorted.
  mutating func rankChanges(of row: RowID, _ kind: ClaimKind) {
    if lists.contains(row, in: List(kind)) { lists.remove(row) }
  }

  mutating func remove(_ row: RowID) { lists.remove(row) }

  mutating func releaseMemory() {
    lists.releaseMemory()
    if count == 0 { ranks.releaseMemory() }
  }
}
