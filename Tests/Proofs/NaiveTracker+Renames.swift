import RowOperationsTesting

@testable import RowOperations

/// Renames: of two rows one goes on, with the claims of both.
extension NaiveTracker {
  /// How much of a row would be lost.
  private func standing(_ row: Int) -> Int {
    if values[row] == false { return 6 }
    if runs[row] != nil || isOwed(row) { return 5 }
    if failed.contains(row) || backoffs[row] != nil { return 4 }
    if values[row] == true { return 3 }
    let isOnScreen = displayedRows.contains(row) || coveredRows.contains(row)
    if isOnScreen || displayedRowsBefore.contains(row) { return 2 }
    return isClaimed(row) ? 1 : 0
  }

  mutating func rename(_ old: Int, to new: Int) -> [Decision] {
    guard old != new else { return [] }
    names.rename(old, to: new)
    let (kept, gone) = standing(old) > standing(new) ? (old, new) : (new, old)
    if values[kept] == nil, let value = values.removeValue(forKey: gone) {
      (values[kept], lastUse[kept]) = (value, nil)
    }
    let decisions = discard(gone)
    moveClaims(of: gone, to: kept)
    if kept == old { renameFacts(old, to: new) }
    let renamed = { (row: Int) in row == old ? new : row }
    content = content.mapValues { $0.mapValues { $0.map(renamed) } }
    for index in windows.indices {
      windows[index].rows = windows[index].rows.mapValues { $0.map(renamed) }
      windows[index].rowsRead = windows[index].rowsRead.mapValues { $0.map(renamed) }
    }
    return decisions
  }

  private mutating func moveClaims(of gone: Int, to kept: Int) {
    if prefetched.contains(gone) {
      prefetched.removeAll { $0 == gone }
      if !prefetched.contains(kept) {
        prefetched.append(kept)
        prefetchedAfter[kept] = appearedCount
        leftOut.remove(kept)
      }
    }
    expected[gone] = nil
    if leftOut.remove(gone) != nil { leftOut.insert(kept) }
    if landing.contains(gone), !landing.contains(kept) { landingRank[kept] = landingRank[gone] }
    for list in motions.keys where motions[list]?.landing.contains(gone) == true {
      motions[list]?.landing.removeAll { $0 == gone || $0 == kept }
      motions[list]?.landing.append(kept)
    }
    appeared.removeAll { $0 == gone }
    for rows in [\NaiveTracker.displayedRows, \.coveredRows, \.returning, \.seenWithValue] {
      self[keyPath: rows].remove(gone)
    }
  }

  private mutating func renameFacts(_ old: Int, to new: Int) {
    func rename<Fact>(_ facts: inout [Int: Fact]) { facts[new] = facts.removeValue(forKey: old) }
    func rename(_ rows: inout Set<Int>) {
      rows.remove(new)
      if rows.remove(old) != nil { rows.insert(new) }
    }
    func rename(_ rows: inout [Int]) { rows = rows.map { $0 == old ? new : $0 } }
    rename(&displayedRows)
    rename(&coveredRows)
    rename(&prefetched)
    rename(&expected)
    rename(&leftOut)
    rename(&prefetchedAfter)
    for list in motions.keys {
      if var rows = motions[list]?.landing {
        rename(&rows)
        motions[list]?.landing = rows
      }
    }
    rename(&appeared)
    rename(&displayedRowsBefore)
    rename(&returning)
    rename(&displayOrder)
    rename(&landingRank)
    rename(&runs)
    for index in loads.indices where loads[index].members.contains(old) {
      rename(&loads[index].members)
      loads[index].formerNames[new] = loads[index].name(of: old)
      loads[index].formerNames[old] = nil
    }
    rename(&values)
    rename(&failed)
    rename(&failures)
    rename(&beginsAnew)
    rename(&backoffs)
    rename(&refusals)
    rename(&lastUse)
    rename(&blank)
    rename(&seenWithValue)
    rename(&live.open)
    rename(&live.rests)
    rename(&live.failures)
    rename(&live.isConnectivity)
    rename(&live.failureRank)
    rename(&live.valueRank)
    rename(&live.valuePass)
    rename(&live.inLine)
    rename(&live.suspended)
    rename(&live.loadedBy)
  }
}
