/// Two known rows that become one, by a rename.
extension TrackerEngine {
  /// The new one, unless the old one has more to lose.
  func keptRow(of old: RowID, _ new: RowID) -> RowID {
    standing(of: old) > standing(of: new) ? old : new
  }

  private func standing(of row: RowID) -> Int {
    let state = rows[row]
    if state.knowledge == .value { return 6 }
    if state.run != nil || state.listening == .owed { return 5 }
    if state.hasFailed || state.isInBackoff || state.knowledge == .nothing { return 4 }
    if state.knowledge == .staleValue { return 3 }
    if state.isOnScreen || state.wasDisplayed { return 2 }
    return state.isClaimed ? 1 : 0
  }

  /// O(cells, positions in the windows).
  ///
  /// - Returns: Whether it takes the value.
  mutating func merge(_ gone: RowID, into kept: RowID, at now: Int64) -> Bool {
    let old = snapshot(of: gone)
    let takesValue = rows[gone].hasValue && rows[kept].knowledge == .unknown
    if takesValue { moveValue(of: gone, to: kept) }
    let looksTheSame = looksTheSame(old, as: kept, takesValue: takesValue)
    for cell in cells(of: gone) { move(cell, from: gone, to: kept, looksTheSame, at: now) }
    moveRemovals(of: gone, to: kept)
    moveClaims(of: gone, to: kept)
    movePlaces(of: gone, to: kept)
    discard(gone, at: now)
    setNeedsEvaluation(gone)
    setNeedsEvaluation(kept)
    return takesValue
  }

  private mutating func moveValue(of gone: RowID, to kept: RowID) {
    (rows[kept].knowledge, rows[kept].cost) = (rows[gone].knowledge, rows[gone].cost)
    rows[gone].knowledge = .unknown
    if rows[kept].valueChanged() { changedRows.append(kept) }
  }

  private mutating func looksTheSame(
    _ old: Snapshot, as kept: RowID, takesValue: Bool
  ) -> Bool {
    let new = snapshot(of: kept)
    return old.phase == new.phase && old.phase != .loading(hasStep: true)
      && old.failure == .none && new.failure == .none && (takesValue || !old.hasValue)
      && old.hasValue == new.hasValue
  }

  // MARK: Cells

  private mutating func move(
    _ cell: CellID, from gone: RowID, to kept: RowID, _ looksTheSame: Bool, at now: Int64
  ) {
    let isShown = looksTheSame && cells[cell].shows(rows[gone].change)
    switch cells[cell].presence {
    case .away: break
    case .covered:
      addCover(gone, -1)
      addCover(kept, 1)
    case .displayed:
      removeDisplay(gone, at: now)
      addDisplay(kept, at: now)
    }
    let (next, wasFirst) = cells.unlink(cell)
    rows[gone].unbind(first: next, ifFirst: wasFirst)
    cells.link(cell, to: kept, before: rows[kept].bind(cell))
    cells[cell].shownChange = isShown ? rows[kept].change : rows[kept].change &- 1
    if !isShown { mayDiffer(kept) }
  }

  private mutating func mayDiffer(_ row: RowID) {
    guard !rows[row].isChanged else { return }
    rows[row].isChanged = true
    changedRows.append(row)
  }

  /// The observers of a row have seen another one.
  mutating func phaseMayDiffer(of row: RowID) {
    if reportsPhases { mayDiffer(row) }
  }

  private mutating func moveRemovals(of gone: RowID, to kept: RowID) {
    guard rows[gone].removals > 0 else { return }
    for cell in Array(cells.ids) where cells[cell].removedRow == gone {
      cells[cell].removedRow = kept
    }
    rows[kept].removals += rows[gone].removals
    rows[gone].removals = 0
  }

  // MARK: Claims

  private mutating func moveClaims(of gone: RowID, to kept: RowID) {
    if rows[gone].isAnnounced, !rows[kept].isAnnounced { announced(kept) }
    if rows[gone].isLanding {
      gate.moveLanding(of: gone, to: kept)
      if !rows[kept].isLanding { rows[kept].landingRank = rows[gone].landingRank }
      (rows[gone].isLanding, rows[kept].isLanding) = (false, true)
    }
    let isLeftOut = leftOut.contains(gone)
    endPrefetch(of: gone)
    leftOut.remove(gone)
    if isLeftOut { leftOut.insert(kept) }
  }

  private mutating func movePlaces(of gone: RowID, to kept: RowID) {
    guard rows[gone].places > 0 else { return }
    for index in windows.indices { windows[index].replace(gone, by: kept) }
    rows[kept].places += rows[gone].places
    rows[gone].places = 0
  }
}
