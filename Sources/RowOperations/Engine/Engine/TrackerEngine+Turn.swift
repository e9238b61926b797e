extension TrackerEngine {
  /// Evaluates the inputs and the time, each affected row once.
  ///
  /// Admissions follow, then ``finishTurn()`` decides on renders.
  package mutating func endTurn(at now: Int64) {
    counts.turns += 1
    (isFiltering, looksAgain) = (false, false)
    serialOfTurnStart = lastSerial
    settleQuietLists(at: now)
    lastTurn = now
    bindAnew(at: now)
    updateDisplayedRows(at: now)
    heal(at: now)
    let due = rowsToEvaluate
    rowsToEvaluate = []
    rowsToEvaluate.reserveCapacity(due.count)
    for row in due where rows[row].needsEvaluation {
      rows[row].needsEvaluation = false
      evaluate(row, at: now)
    }
    endGrace(at: now)
    endTimeouts(at: now)
    endBackoffs(at: now)
    if settings.streams != nil { endStreams(at: now) }
    evictExcess(at: now)
    if settings.streams != nil { beginStreams(at: now) }
  }

  /// Compares with the end of the last turn.
  private mutating func updateDisplayedRows(at now: Int64) {
    let hasAnnounced = claims.announcedCount > 0
    for row in rowsToEvaluate {
      // An announcement ends with the display that it was for.
      if hasAnnounced, rows[row].displays > 0 { prefetchCancelled(row) }
      guard rows[row].wasDisplayed, rows[row].displays == 0 else { continue }
      rows[row].wasDisplayed = false
      blanks.displayedRows -= 1
    }
    var appeared: [RowID] = []
    appeared.reserveCapacity(appearedRows.count)
    for row in appearedRows where rows[row].displays > 0 && !rows[row].wasDisplayed {
      appeared.append(row)
      beginDisplay(of: row, at: now)
      retryOnDisplay(row, at: now)
    }
    appearedRows.emptyForReuse()
    countAppearances(appeared, at: now)
    claims.rowsAppeared(appeared.count)
  }

  private mutating func beginDisplay(of row: RowID, at now: Int64) {
    blanks.displayedRows += 1
    if rows[row].isUnseenPrefetch { counts.prefetchedThenDisplayed += 1 }
    // A display that goes on after a cover is counted already.
    if rows[row].showsValue, !rows[row].isReturning || !rows[row].hasShownValue {
      counts.timeToFirstValue.add(nanoseconds: 0)
    }
    rows[row].displayBegan(rank: nextRank(), at: now)
  }

  // MARK: Evaluation

  /// A row with new events waits for the next turn's end, which orders their claims.
  mutating func evaluateAmidTurn(_ row: RowID, at now: Int64) {
    if rows[row].needsEvaluation { updatePhase(of: row) } else { evaluate(row, at: now) }
  }

  mutating func evaluate(_ row: RowID, at now: Int64) {
    if rows[row].isReturning { rows[row].isReturning = false }
    if rows[row].hasShownValue, !rows[row].isOnScreen { rows[row].hasShownValue = false }
    if rows[row].claim != nil {
      work(on: row, at: now)
    } else if rows[row].covers > 0 {
      keepWork(on: row, at: now)
    } else {
      endWork(on: row, at: now)
    }
    if settings.streams != nil { updateStream(of: row, at: now) }
    updateBlank(row, at: now)
    if rows[row].isClaimed { kept.remove(row) } else { remember(row) }
    updatePhase(of: row)
    forgetIfUnused(row)
  }

  private mutating func work(on row: RowID, at now: Int64) {
    switch rows[row].work {
    case .none:
      if rows[row].wantsLoad { enterLine(row, at: now) }
    case .running(let run, _):
      guard runs[run].role == .single else { return updateBatch(of: run, at: now) }
      updateClaim(of: row, run)
      runs.claimed(run)
    case .waiting, .backoff, .failed, .givenUp:
      break
    }
  }

  /// Covered lists start nothing.
  private mutating func keepWork(on row: RowID, at now: Int64) {
    switch rows[row].work {
    case .none: if rows[row].listening != .owed { rest(row) }
    case .backoff, .failed, .givenUp: break
    case .waiting: leaveLineUnclaimed(row, at: now)
    case .running(let run, _):
      guard runs[run].role == .single else { return updateBatch(of: run, at: now) }
      updateClaim(of: row, run)
      runs.claimed(run)
    }
  }

  /// A row whose last load failed counts as failed again.
  private mutating func endWork(on row: RowID, at now: Int64) {
    failures.forgetRefusals(of: row)
    switch rows[row].work {
    case .none: if rows[row].listening != .owed { rest(row) }
    case .failed, .givenUp: break
    case .waiting: leaveLineUnclaimed(row, at: now)
    case .running(let run, _):
      guard runs[run].role == .single else { return updateBatch(of: run, at: now) }
      updateClaim(of: row, run)
      runs.unclaimed(run, until: now + settings.grace)
    case .backoff: rest(row)
    }
  }

  /// The last claim ended before a slot was free.
  private mutating func leaveLineUnclaimed(_ row: RowID, at now: Int64) {
    counts.cancelledWaiting += 1
    leaveLine(row, at: now)
  }

  /// Counts a displayed row without a value, or adds the time to its first one.
  @inline(__always)
  private mutating func updateBlank(_ row: RowID, at now: Int64) {
    guard rows[row].updateBlank() else { return }
    addBlankTime(until: now)
    blanks.change(by: rows[row].isBlank ? 1 : -1)
    guard rows[row].wasDisplayed, rows[row].takeFirstValue() else { return }
    let start = rows[row].displayedAt
    // A row that was displayed during a suspension has no meaningful time.
    if failures.isContinuous(since: start) {
      counts.timeToFirstValue.add(nanoseconds: now - start)
    }
  }

  // MARK: Renders

  /// Decides which cells to render, displayed ones first, and which rows `onCommit` names.
  ///
  /// A cell off screen is rendered if it is `leaving`, or if a value or a failure arrived before
  /// the first display since its binding.
  package mutating func finishTurn() {
    for row in loadedRows where rows.contains(row) && rows[row].hasValue && isRendered(row) {
      counts.applied += 1
    }
    loadedRows.emptyForReuse()
    var cellsOffScreen: [CellID] = []
    for row in changedRows where rows.contains(row) {
      let (hasNewValue, hasArrived) = rows[row].takeChange()
      if hasNewValue, isRendered(row) { collectCommit(of: row) }
      enlistCells(of: row, hasArrived: hasArrived, offScreen: &cellsOffScreen)
      forgetIfUnused(row)
    }
    for cell in cellsOffScreen { effects.append(.render(cell)) }
    for cell in leavingCells where cells.contains(cell) && cells[cell].isLeaving {
      effects.append(.leave(cell))
    }
    leavingCells.emptyForReuse()
    serialOfLastTurn = lastSerial
    if !committedRows.isEmpty { effects.append(.committed) }
    if reportsPhases { for row in changedRows { effects.append(.phaseChanged(row)) } }
    changedRows.emptyForReuse()
  }

  /// Cells off screen go to `offScreen`.
  private mutating func enlistCells(
    of row: RowID, hasArrived: Bool, offScreen: inout [CellID]
  ) {
    let change = rows[row].change
    var cell = rows[row].firstCell
    while let bound = cell {
      if !cells[bound].shows(change) {
        if cells[bound].isDisplayed {
          effects.append(.render(bound))
        } else if hasArrived, !cells[bound].wasDisplayed {
          offScreen.append(bound)
        }
      }
      cell = cells[bound].next
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

  /// Each row comes once, if it still has its value.
  package mutating func takeCommittedRows() -> [RowID] {
    defer { committedRows = [] }
    var named: Set<RowID> = []
    return committedRows.filter { rows[$0].showsValue && named.insert($0).inserted }
  }

  mutating func collectCommit(of row: RowID) {
    if settings.reportsCommits { committedRows.append(row) }
  }
}
