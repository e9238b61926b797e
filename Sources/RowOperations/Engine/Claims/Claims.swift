/// The prefetch claims of rows.
///
/// The rows themselves record whether they have such a claim; this value has the order and the age
/// of the claims. Every call is O(1) unless it says otherwise. `ListMotion` has the rows where a
/// list lands.
package struct Claims: Sendable {
  private enum List: Int8, CaseIterable {
    /// Oldest first.
    case prefetched
  }

  private var rows = LinkedLists<RowKind, List>()
  /// The newest prefetch claim from before this turn.
  package private(set) var newestOldPrefetch: RowID?
  /// The number of rows that windows claim.
  package internal(set) var expected = 0
  /// The number of rows that have appeared; it wraps around.
  package private(set) var appearedCount: UInt32 = 0
  /// The rank of the newest prefetch claim of a row that no window holds; it goes down.
  private var newestRank = UInt64.firstOrderRank

  /// The number of announced rows.
  var prefetchCount: Int { rows.count(in: .prefetched) }

  /// The number of prefetch claims.
  package var count: Int { prefetchCount + expected }

  /// The announced rows, the oldest claim first.
  package var prefetched: some Sequence<RowID> { rows.elements(in: .prefetched) }

  var oldestPrefetch: RowID? { rows.first(in: .prefetched) }

  /// Makes the claim of a row the newest one.
  mutating func prefetch(_ row: RowID) {
    endPrefetch(of: row)
    rows.append(row, to: .prefetched)
  }

  mutating func endPrefetch(of row: RowID) {
    if newestOldPrefetch == row { newestOldPrefetch = rows.previous(of: row) }
    rows.remove(row)
  }

  /// The rank of a new claim that goes before all earlier ones.
  mutating func nextRank() -> UInt64 {
    newestRank -= 1
    return newestRank
  }

  mutating func rowsAppeared(_ count: Int) { appearedCount &+= UInt32(truncatingIfNeeded: count) }

  /// Ends a turn: all claims are old from now on.
  mutating func turnEnded() { newestOldPrefetch = rows.last(in: .prefetched) }

  mutating func releaseMemory() { rows.releaseMemory() }
}

extension UInt64 {
  /// The rank of the next row to come on screen, among prefetched rows in windows.
  static var firstOrderRank: UInt64 { .max / 2 }
}
