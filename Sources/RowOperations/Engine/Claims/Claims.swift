/// The order of announced rows, and which rows the windows claim.
///
/// Rows themselves record whether they have a prefetch claim.
struct Claims: Sendable {
  private enum List: Int8, CaseIterable {
    /// Oldest first.
    case announced
  }

  private var rows = LinkedLists<RowKind, List>()
  /// In the last turn.
  var expected: [RowID] = []
  /// It wraps around.
  private(set) var appearedCount: UInt32 = 0
  /// Goes down with each announcement.
  private var newestRank = UInt64.firstWindowRank

  var announcedCount: Int { rows.count(in: .announced) }

  /// The oldest claim first.
  var announced: some Sequence<RowID> { rows.elements(in: .announced) }

  var oldestAnnounced: RowID? { rows.first(in: .announced) }

  /// - Returns: The new rank, which goes before all earlier ones.
  mutating func announce(_ row: RowID) -> UInt64 {
    rows.append(row, to: .announced)
    newestRank -= 1
    return newestRank
  }

  mutating func endAnnouncement(of row: RowID) { rows.remove(row) }

  mutating func rowsAppeared(_ count: Int) { appearedCount &+= UInt32(truncatingIfNeeded: count) }

  mutating func releaseMemory() { rows.releaseMemory() }
}

extension UInt64 {
  /// The rank of the next row to come on screen, among those that windows claim.
  ///
  /// Other announced rows go before them.
  static var firstWindowRank: UInt64 { .max / 2 }
}
