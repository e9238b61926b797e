/// The end of a turn, which evaluates each affected row once.
extension TrackerEngine {
  /// Draws the conclusions from the inputs of a turn and from the time.
  ///
  /// Admissions follow; then ``finishTurn()`` decides on renders.
  ///
  /// O(affected rows).
  package mutating func endTurn(at now: Int64) {
    metrics.turns += 1
    addBlankTime(until: now)
    if let quiet = gate.quietDeadline, quiet <= now { scrollSettled() }
    lastTurn = now
    updateDisplayedRows(at: now)
    if !pendingHeal.isNone { heal(at: now) }
    swap(&rowsToEvaluate, &evaluatedRows)
    for row in evaluatedRows where rows.contains(row) && rows[row].needsEvaluation {
      rows[row].needsEvaluation = false
      evaluate(row, at: now)
    }
    evaluatedRows.emptyForReuse()
    endGrace(at: now)
    endTimeouts(at: now)
    endBackoffs(at: now)
    if runningPrefetches > 0 { markHungPrefetches(at: now) }
    evictExcess(at: now)
    pass += 1
  }

  /// Compares the displayed rows with those at the end of the last turn.
  private mutating func updateDisplayedRows(at now: Int64) {
    let displayedBefore = displayedRows
    for row in rowsToEvaluate where rows.contains(row) {
      guard rows[row].wasDisplayed, rows[row].displays == 0 else { continue }
      rows[row].wasDisplayed = false
      displayedRows -= 1
    }
    let isJump =
      displayedRows < displayedBefore && !appearedRows.isEmpty && mayOutlive && showsOnlyNewRows()
    let hasPrefetched = prefetchedRows.count(in: .prefetched) > 0
    var appeared = 0
    for row in appearedRows where rows.contains(row) && rows[row].takeAppearance() {
      appeared += 1
      // The row was prefetched for this display, so the claim ends. A later prefetch is a new
      // claim.
      if hasPrefetched { prefetchCancelled(row) }
      beginDisplay(of: row, at: now)
      retryOnDisplay(row)
    }
    appearedRows.emptyForReuse()
    appearedCount &+= UInt32(appeared)
    if isJump || prefetchedRows.count(in: .prefetched) > 0 { endOldPrefetches(isJump: isJump) }
    gate.rowsAppeared(appeared, at: now)
  }

  /// Whether a prefetch exists that a jump would end.
  private var mayOutlive: Bool {
    mutating get {
      prefetchedRows.count(in: .prefetched) > 0 || kept.count(in: .unseen) > 0
        || unseenRoom != nil
        || loadedRows.contains { rows.contains($0) && rows[$0].isUnseenPrefetch }
    }
  }

  /// Whether all rows on screen appeared in this turn, apart from those of views in hosts.
  ///
  /// O(cells) if they did, else O(cells up to the first older one).
  private mutating func showsOnlyNewRows() -> Bool {
    var hasNew = false
    for cell in cells.ids where cells[cell].isDisplayed && cells[cell].host == .none {
      guard let row = cells[cell].row else { continue }
      if rows[row].wasDisplayed { return false }
      hasNew = true
    }
    return hasNew
  }

  private mutating func beginDisplay(of row: RowID, at now: Int64) {
    displayedRows += 1
    if rows[row].isUnseenPrefetch { metrics.prefetchedThenDisplayed += 1 }
    // A display that goes on after a cover was counted when it began.
    if rows[row].showsValue, !rows[row].isReturning {
      metrics.timeToFirstValue.add(nanoseconds: 0)
    }
    rows[row].displayBegan(in: pass, rank: nextRank(), at: now)
    rankChanged(of: row, .displayed)
  }

  // MARK: Evaluation

  /// Updates the work of a row to match its claims.
  mutating func evaluate(_ row: RowID, at now: Int64) {
    if rows[row].isPrefetched, !rows[row].isToBePrefetched { endPrefetch(of: row) }
    if rows[row].isReturning { rows[row].isReturning = false }
    if let priority = rows[row].priority {
      claim(row, priority, at: now)
    } else if rows[row].covers > 0 {
      cover(row, at: now)
    } else {
      disclaim(row, at: now)
    }
    updateBlanks(of: row, at: now)
    if rows[row].isClaimed { kept.remove(row) } else { remember(row) }
    updatePhase(of: row)
    forgetIfUnused(row)
  }

  /// Evaluates a row amid a turn.
  ///
  /// A row with new events waits for the end of the next turn, which orders their claims.
  mutating func evaluateAmidTurn(_ row: RowID, at now: Int64) {
    if rows[row].needsEvaluation { updatePhase(of: row) } else { evaluate(row, at: now) }
  }

  private mutating func claim(_ row: RowID, _ priority: Priority, at now: Int64) {
    switch rows[row].work {
    case .none:
      if rows[row].wantsLoad { enterWaiting(row, priority, at: now) }
    case .waiting:
      moveWaiting(row, priority)
    case .running(let run, _):
      updatePrefetchShare(of: row)
      guard runs[run].graceEnd != nil else { break }
      runs[run].graceEnd = nil
      work.append(row, to: .running)
    case .setAside:
      guard priority.kind != .prefetched else { break }
      rows[row].work = .none
      claim(row, priority, at: now)
    case .backoff, .failed, .givenUp:
      break
    }
  }

  /// Keeps the work of a row in covered lists, which start nothing.
  private mutating func cover(_ row: RowID, at now: Int64) {
    switch rows[row].work {
    case .none, .backoff, .failed, .givenUp: break
    case .waiting:
      metrics.cancelledWaiting += 1
      leaveWaiting(row, at: now)
    case .running(let run, _):
      updatePrefetchShare(of: row)
      guard runs[run].graceEnd != nil else { break }
      runs[run].graceEnd = nil
      work.append(row, to: .running)
    case .setAside: rest(row)
    }
  }

  private mutating func disclaim(_ row: RowID, at now: Int64) {
    switch rows[row].work {
    case .none, .failed, .givenUp:
      break
    case .waiting:
      // The last claim ended before a slot was free.
      metrics.cancelledWaiting += 1
      leaveWaiting(row, at: now)
    case .running(let run, _):
      updatePrefetchShare(of: row)
      guard runs[run].graceEnd == nil else { break }
      runs[run].graceEnd = now + settings.grace
      work.append(row, to: .grace)
    case .backoff:
      rest(row)
    case .setAside:
      rest(row)
    }
  }

  // MARK: Renders

  /// Decides which cells to render, and which rows the next `onCommit` names.
  ///
  /// Displayed cells come first. A cell off screen is rendered in one case: a value or a failure
  /// arrived before the first display since its binding.
  ///
  /// O(changed rows and their cells).
  package mutating func finishTurn() {
    collectCommits()
    for row in changedRows where rows.contains(row) {
      enlistCells(of: row, ifDisplayed: true)
    }
    for row in changedRows where rows.contains(row) {
      if rows[row].changeTaken() { enlistCells(of: row, ifDisplayed: false) }
    }
    changedRows.emptyForReuse()
    for cell in leavingCells where cells.contains(cell) && cells[cell].isLeaving {
      effects.append(.leave(cell))
    }
    leavingCells.emptyForReuse()
    serialOfLastTurn = lastSerial
    if !committedRows.isEmpty { effects.append(.committed) }
  }

  private mutating func enlistCells(of row: RowID, ifDisplayed isDisplayed: Bool) {
    var cell = rows[row].firstCell
    while let bound = cell {
      if isToBeRendered(bound, row, ifDisplayed: isDisplayed) { effects.append(.render(bound)) }
      cell = cells[bound].next
    }
  }

  private func isToBeRendered(_ cell: CellID, _ row: RowID, ifDisplayed: Bool) -> Bool {
    cells[cell].isDisplayed == ifDisplayed
      && cells[cell].shownChange != rows[row].change
      && (ifDisplayed || !cells[cell].wasDisplayed)
  }

  /// Counts the loaded values that are rendered now, and collects the rows with new values.
  private mutating func collectCommits() {
    for row in loadedRows where rows.contains(row) && rows[row].hasValue && isRendered(row) {
      metrics.applied += 1
    }
    loadedRows.emptyForReuse()
    for row in changedRows where rows.contains(row) && rows[row].takeNewValue() && isRendered(row) {
      collectCommit(of: row)
    }
  }

  private mutating func isRendered(_ row: RowID) -> Bool {
    if rows[row].displays > 0 { return true }
    var cell = rows[row].firstCell
    while let bound = cell {
      if !cells[bound].wasDisplayed { return true }
      cell = cells[bound].next
    }
    return false
  }

  /// Adds a row with a rendered value to the next `onCommit`.
  mutating func collectCommit(of row: RowID) {
    if settings.reportsCommits { committedRows.append(row) }
  }

  /// Returns the rows for `onCommit` and clears the list.
  package mutating func takeCommittedRows() -> [RowID] {
    defer { committedRows = [] }
    return committedRows
  }
}
