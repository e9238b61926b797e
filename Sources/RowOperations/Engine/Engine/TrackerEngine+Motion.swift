/// Each list rests, lands and settles by itself.
extension TrackerEngine {
  // MARK: Scrolling

  /// A finger holds the list, whose landing claims end.
  mutating func scrollBegan(_ list: ListNumber, at now: Int64) {
    dropLanding(of: list)
    gate.moved(list, at: now)
  }

  /// Rows that were held back may start by now, so a turn follows.
  @inline(__always)
  mutating func scrollMoved(_ list: ListNumber, at now: Int64) {
    gate.moved(list, at: now)
    if isFiltering { looksAgain = true }
  }

  /// The finger lifted: claims the rows on screen when the list rests.
  mutating func scrollWillEnd(_ list: ListNumber, landingOn wanted: [RowID], at now: Int64) {
    scrollBegan(list, at: now)
    for row in wanted {
      report(.landing(row), at: now)
      guard !isSuspended else { continue }
      gate.lands(list, on: row)
      guard !rows[row].isLanding else { continue }
      rows[row].isLanding = true
      rows[row].landingRank = nextRank()
      setNeedsEvaluation(row)
    }
  }

  mutating func scrollSettled(_ list: ListNumber) {
    dropLanding(of: list)
    gate.settled(list)
  }

  mutating func allSettled() {
    while let list = gate.motions.first?.list { scrollSettled(list) }
  }

  /// Their quiet time is over.
  @inline(__always)
  mutating func settleQuietLists(at now: Int64) {
    while gate.isMoving, let list = gate.quietList(at: now) { scrollSettled(list) }
  }

  // MARK: Landing

  /// Keeps the claims of rows where another list lands.
  private mutating func dropLanding(of list: ListNumber) {
    for row in gate.takeLanding(of: list) where !gate.isLanding(on: row) { endLanding(on: row) }
  }

  mutating func dropLanding(of row: RowID) {
    guard rows[row].isLanding else { return }
    gate.dropLanding(on: row)
    endLanding(on: row)
  }

  private mutating func endLanding(on row: RowID) {
    rows[row].isLanding = false
    setNeedsEvaluation(row)
  }

  // MARK: Appearing rows

  /// Counts the rows that came on screen for the pace of the moving lists.
  ///
  /// Of several lists, each counts the rows in its windows. Other rows count for the moving lists
  /// without windows.
  ///
  /// O(1) while at most one list moves, else O(appeared rows × positions on screen).
  mutating func countAppearances(_ appeared: [RowID], at now: Int64) {
    guard gate.isMoving else { return }
    if gate.motions.count == 1 { return gate.rowsAppeared(appeared.count, in: 0, at: now) }
    for index in gate.motions.indices {
      let list = gate.motions[index].list
      let isUnknown = !windows.contains { $0.key.list == list }
      let ownRows = appeared.filter { row in
        isUnknown
          ? !windows.contains { $0.shows(row) }
          : windows.contains { $0.key.list == list && $0.shows(row) }
      }
      gate.rowsAppeared(ownRows.count, in: index, at: now)
    }
  }
}
