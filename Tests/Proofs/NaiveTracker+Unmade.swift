import RowOperations
import RowOperationsTesting

/// Loads that get slots and lose them before their operations are made, so that no decision names
/// them.
///
/// Each slot that is given or taken may change which rows are urgent: fewer rows wait, and a cancel
/// counts as a load time. So a prefetch that was urgent a moment ago may give its slot to another
/// row.
extension NaiveTracker {
  /// Gives slots to rows, and takes them from loads without operations, until a decision has a
  /// reason.
  ///
  /// If it never has one, nothing changes.
  mutating func giveSlots(until isExplained: (NaiveTracker) -> Bool) {
    var later = self
    while !isExplained(later) {
      guard later.giveSlot() || later.takeSlot(), later.lastRank < lastRank + 100 else { return }
    }
    self = later
  }

  private mutating func giveSlot() -> Bool {
    guard hasFreeSlot, let row = candidates.min() else { return false }
    guard settings.batchSize > 0 else {
      runs[row] = Run(row: row, pass: pass, startedAt: now, isMade: false)
      _ = nextRank()
      return true
    }
    let riders = rowsThatMayRide(beside: row).prefix(settings.batchSize - 1)
    begin([row] + riders, isMade: false)
    return true
  }

  private mutating func takeSlot() -> Bool {
    guard takesSlot else { return false }
    if let row = unmade.first(where: { runs[$0]?.batch == nil && isWeakest($0) }) {
      withdraw(row)
    } else if let batch = batches.first(where: { !$0.isMade && isWeakest($0) }) {
      batches.removeAll { $0.order == batch.order }
      for row in batch.members { withdraw(row) }
    } else {
      return false
    }
    endUselessPrefetches()
    return true
  }

  private mutating func withdraw(_ row: Int) {
    runs[row] = nil
    if failures[row] != nil { failed.insert(row) }
  }

  /// The rows whose loads have slots and no operations.
  var unmade: [Int] { runs.keys.filter { runs[$0]?.isMade == false }.sorted() }

  /// Forgets that a row, or a batch, has got its slot, since its operation is made.
  ///
  /// - Returns: Whether it had.
  mutating func make(_ rows: [Int]) -> Bool {
    guard rows.allSatisfy({ runs[$0]?.isMade == false }) else { return false }
    if let order = runs[rows[0]]?.batch {
      guard batches.contains(where: { $0.order == order && $0.rows == rows }) else { return false }
      batches.removeAll { $0.order == order }
    }
    for row in rows { runs[row] = nil }
    return true
  }
}
