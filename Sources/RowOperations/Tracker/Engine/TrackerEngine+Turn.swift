/// The end of a turn, which evaluates each affected row and load once.
extension TrackerEngine {
  /// Draws the conclusions from the inputs of a turn and from the time.
  ///
  /// Admissions follow; then ``finishTurn()`` decides on renders.
  ///
  /// O(affected rows and loads).
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
      evaluate(rows[row].load, at: now)
      if settings.sharesLoads { forgetIfUnused(row, at: now) }
    }
    evaluatedRows.emptyForReuse()
    swap(&loadsToEvaluate, &evaluatedLoads)
    for load in evaluatedLoads where loads.contains(load) && loads[load].needsEvaluation {
      loads[load].needsEvaluation = false
      evaluate(load, at: now)
    }
    evaluatedLoads.emptyForReuse()
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
      countDisplay(of: row, -1)
    }
    let isJump =
      displayedRows < displayedBefore && !appearedRows.isEmpty && mayOutlive && showsOnlyNewRows()
    let hasPrefetched = prefetchedRows.count(in: .prefetched) > 0
    var appeared = 0
    for row in appearedRows where rows.contains(row) && rows[row].takeAppearance() {
      countDisplay(of: row, 1)
      appeared += 1
      // The row was prefetched for this display, so the claim ends. A later prefetch is a new
      // claim.
      if hasPrefetched { prefetchCancelled(row) }
      updateDisplayState(of: rows[row].load, at: now)
      retryOnDisplay(rows[row].load)
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
        || committedLoads.contains { loads.contains($0) && loads[$0].isUnseenPrefetch }
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

  private mutating func updateDisplayState(of load: LoadID, at now: Int64) {
    let isDisplayed = loads[load].displays > 0
    guard isDisplayed != loads[load].wasDisplayed else { return }
    guard isDisplayed else { return loads[load].wasDisplayed = false }
    if loads[load].isUnseenPrefetch { metrics.prefetchedThenDisplayed += 1 }
    // A display that goes on after a cover was counted when it began.
    if loads[load].showsValue, !loads[load].isReturning {
      metrics.timeToFirstValue.add(nanoseconds: 0)
    }
    loads[load].displayBegan(in: pass, rank: nextRank(), at: now)
    rankChanged(of: load, .displayed)
  }

  // MARK: Evaluation

  /// Updates the work of a load to match its claims.
  mutating func evaluate(_ load: LoadID, at now: Int64) {
    updateDisplayState(of: load, at: now)
    if prefetchedRows.count(in: .prefetched) > 0, loads[load].prefetches > 0,
      !loads[load].isToBePrefetched
    {
      endPrefetches(of: load, at: now)
    }
    if loads[load].isReturning { loads[load].isReturning = false }
    if let priority = loads[load].priority {
      claim(load, priority, at: now)
    } else if loads[load].covers > 0 {
      cover(load, at: now)
    } else {
      disclaim(load, at: now)
    }
    updateBlanks(of: load, at: now)
    if loads[load].isClaimed { kept.remove(load) } else { remember(load) }
    updatePhase(of: load)
    if loads[load].isUnused || settings.sharesLoads { forgetIfUnused(load, at: now) }
  }

  private mutating func claim(_ load: LoadID, _ priority: Priority, at now: Int64) {
    switch loads[load].work {
    case .none:
      if loads[load].wantsLoad { enterWaiting(load, priority, at: now) }
    case .waiting:
      moveWaiting(load, priority)
    case .running(let run, _):
      updatePrefetchShare(of: load)
      guard runs[run].graceEnd != nil else { break }
      runs[run].graceEnd = nil
      work.append(load, to: .running)
    case .setAside:
      guard priority.kind != .prefetched else { break }
      loads[load].work = .none
      claim(load, priority, at: now)
    case .backoff, .failed, .givenUp:
      break
    }
  }

  /// Keeps the work of a load in covered lists, which start nothing.
  private mutating func cover(_ load: LoadID, at now: Int64) {
    switch loads[load].work {
    case .none, .backoff, .failed, .givenUp: break
    case .waiting:
      metrics.cancelledWaiting += 1
      leaveWaiting(load, at: now)
    case .running(let run, _):
      updatePrefetchShare(of: load)
      guard runs[run].graceEnd != nil else { break }
      runs[run].graceEnd = nil
      work.append(load, to: .running)
    case .setAside: rest(load)
    }
  }

  private mutating func disclaim(_ load: LoadID, at now: Int64) {
    switch loads[load].work {
    case .none, .failed, .givenUp:
      break
    case .waiting:
      // The last claim ended before a slot was free.
      metrics.cancelledWaiting += 1
      leaveWaiting(load, at: now)
    case .running(let run, _):
      updatePrefetchShare(of: load)
      guard runs[run].graceEnd == nil else { break }
      runs[run].graceEnd = now + settings.grace
      work.append(load, to: .grace)
    case .backoff:
      rest(load)
    case .setAside:
      rest(load)
    }
  }

  // MARK: Renders

  /// Decides which cells to render, and which rows the next `onCommit` names.
  ///
  /// Displayed cells come first. A cell off screen is rendered in one case: a value or a failure
  /// arrived before the first display since its binding.
  ///
  /// O(changed loads, and their rows and cells).
  package mutating func finishTurn() {
    collectCommits()
    for load in changedLoads where loads.contains(load) {
      enlistCells(of: load, ifDisplayed: true)
    }
    for load in changedLoads where loads.contains(load) {
      if loads[load].changeTaken() { enlistCells(of: load, ifDisplayed: false) }
    }
    changedLoads.emptyForReuse()
    for cell in leavingCells where cells.contains(cell) && cells[cell].isLeaving {
      effects.append(.leave(cell))
    }
    leavingCells.emptyForReuse()
    serialOfLastTurn = lastSerial
    if !committedRows.isEmpty { effects.append(.committed) }
  }

  private mutating func enlistCells(of load: LoadID, ifDisplayed isDisplayed: Bool) {
    var row = loads[load].firstRow
    while let known = row {
      var cell = rows[known].firstCell
      while let bound = cell {
        if isToBeRendered(bound, load, ifDisplayed: isDisplayed) {
          effects.append(.render(bound))
        }
        cell = cells[bound].next
      }
      row = rows[known].next
    }
  }

  private func isToBeRendered(_ cell: CellID, _ load: LoadID, ifDisplayed: Bool) -> Bool {
    cells[cell].isDisplayed == ifDisplayed
      && cells[cell].shownChange != loads[load].change
      && (ifDisplayed || !cells[cell].wasDisplayed)
  }

  /// Counts the values of this turn that are rendered now, and collects their rows.
  private mutating func collectCommits() {
    for load in committedLoads where loads.contains(load) && loads[load].hasValue {
      var isApplied = false
      var row = loads[load].firstRow
      while let known = row {
        if isRendered(known) {
          isApplied = true
          collectCommit(of: known)
        }
        row = rows[known].next
      }
      if isApplied { metrics.applied += 1 }
    }
    committedLoads.emptyForReuse()
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
