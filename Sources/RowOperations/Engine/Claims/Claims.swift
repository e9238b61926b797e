/// The prefetch claims of rows.
///
/// The rows themselves record whether they have such a claim. This value has the order of the
/// announced ones, and which rows the windows claim. Every call is O(1) unless it says otherwise.
package struct Claims: Sendable {
  private enum List: Int8, CaseIterable {
    /// Oldest first.
    case announced
  }

  private var rows = LinkedLists<RowKind, List>()
  /// The rows that windows claimed in the last turn.
  package internal(set) var expected: [RowID] = []
  /// The number of rows that have appeared; it wraps around.
  package private(set) var appearedCount: UInt32 = 0
  /// The rank of the newest announcement; it goes down.
  private var newestRank = UInt64.firstWindowRank

  /// The number of announced rows.
  package var announcedCount: Int { rows.count(in: .announced) }

  /// The announced rows, the oldest claim first.
  package var announced: some Sequence<RowID> { rows.elements(in: .announced) }

  var oldestAnnounced: RowID? { rows.first(in: .announced) }

  /// Makes the claim of a row the newest one.
  ///
  /// - Returns: Its rank, which goes before all earlier ones.
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
  /// The rank of the next row to come on screen, among prefetched rows in windows.
  ///
  /// Announced rows that no window claims go before them.
  static var firstWindowRank: UInt64 { .max / 2 }
}
