extension TrackerEngine {
  // MARK: Setting

  /// By hand, or from the app's cache.
  mutating func valueSet(_ row: RowID, cost: Int, at now: Int64) {
    failures.forget(row)
    stopWork(on: row, at: now)
    countPrefetchInVain(row)
    keepValue(of: row, cost: cost)
    // Its stream goes on, and owes no value any more.
    streams.change(row) { $0.owedLoad = nil }
    setNeedsEvaluation(row)
  }

  /// The app's cache has a value, so no operation is made.
  @inline(never)
  mutating func foundValue(
    _ run: RunID, _ generation: UInt64, cost: Int, at now: Int64
  ) -> Bool {
    guard isAdmitted(run, generation: generation) else { return false }
    let row = runs[run].row
    rows[row].isUnseenPrefetch = false
    withdraw(run, at: now)
    if runs[run].isMember { memberLeft(load(of: run), at: now) }
    keepValue(of: row, cost: cost)
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    openStreams(at: now)
    return true
  }

  /// Marks a value as stale: cells show it until a new one is loaded.
  ///
  /// A running load goes on, its value is stale too, and one more load follows: cancelled by each
  /// call, it would never end.
  ///
  /// Its stream ends, and opens again with that load.
  mutating func invalidated(_ row: RowID, at now: Int64) {
    failures.forget(row)
    dropStream(of: row, at: now)
    switch rows[row].work {
    case .running(let run, _) where runs[run].stage == .current: runs.invalidated(run)
    case .running, .backoff, .failed, .givenUp: stopWork(on: row, at: now)
    case .none, .waiting: break
    }
    switch rows[row].knowledge {
    case .value: rows[row].knowledge = .staleValue
    case .nothing: rows[row].knowledge = .unknown
    case .unknown, .staleValue: break
    }
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  mutating func keepValue(of row: RowID, cost: Int, isStale: Bool = false) {
    if rows[row].hasValue { kept.valueDropped(cost: rows[row].cost) }
    let cost = min(max(cost, 0), .highestCost)
    kept.valueAdded(cost: cost)
    failures.forget(row)
    dropError(of: row)
    if rows[row].valueArrived(cost: cost, isStale: isStale) { changedRows.append(row) }
    // A new value is the one that was used most recently.
    kept.remove(row)
  }

  mutating func dropValue(of row: RowID, at now: Int64) {
    guard rows[row].hasValue else { return }
    kept.valueDropped(cost: rows[row].cost)
    // Cells that show the value as `previous` release it.
    if rows[row].valueDropped() { changedRows.append(row) }
    effects.append(.dropValue(row))
    report(.evicted(row), at: now)
    dropStream(of: row, at: now)
    countPrefetchInVain(row)
  }

  // The check alone is inlined: most rows have no error (figure B12).
  @inline(__always)
  mutating func dropError(of row: RowID) {
    if rows[row].failure != .none { dropFailure(of: row) }
  }

  private mutating func dropFailure(of row: RowID) {
    rows[row].failure = .none
    effects.append(.dropError(row))
  }

  // MARK: Removing

  /// Removes a row and unbinds its cells.
  ///
  /// Those on screen stay as they are, the others are rendered as idle.
  mutating func removed(_ row: RowID, at now: Int64) {
    while let cell = rows[row].firstCell { rowRemoved(row, from: cell, at: now) }
    if rows[row].removals > 0 { dropLostCells(of: row) }
    endPrefetch(of: row)
    dropLanding(of: row)
    // Its return counts as another appearance.
    if rows[row].wasDisplayed {
      addBlankTime(until: now)
      rows[row].wasDisplayed = false
      blanks.displayedRows -= 1
    }
    discard(row, at: now)
  }

  mutating func discard(_ row: RowID, at now: Int64) {
    if rows[row].work == .waiting { counts.cancelledWaiting += 1 }
    (rows[row].isReturning, rows[row].hasShownValue) = (false, false)
    failures.forget(row)
    dropStream(of: row, at: now)
    stopWork(on: row, at: now)
    dropValue(of: row, at: now)
    if rows[row].knowledge == .nothing { rows[row].knowledge = .unknown }
    dropError(of: row)
    if rows[row].isBlank {
      addBlankTime(until: now)
      blanks.change(by: -1)
      rows[row].isBlank = false
    }
    kept.remove(row)
    updatePhase(of: row)
    forgetIfUnused(row)
  }

  /// Keeps the values on screen, in the background and where a list lands; drops the others with
  /// their prefetch claims.
  mutating func evictAll(at now: Int64) {
    for row in Array(rows.ids) where rows[row].hasValue {
      guard rows[row].displays == 0, !rows[row].isLanding else { continue }
      let covered = rows[row].covers > 0 ? cells(of: row) : []
      if covered.contains(where: { cells.isInBackground($0) }) { continue }
      endPrefetch(of: row)
      dropValue(of: row, at: now)
      setNeedsEvaluation(row)
      for cell in covered { effects.append(.empty(cell)) }
    }
  }

  // MARK: Keeping

  /// The kept rows used least recently go first.
  mutating func remember(_ row: RowID) {
    if rows[row].hasValue {
      if !kept.contains(row, in: .values) { kept.append(row, to: .values) }
    } else if rows[row].hasFailed || rows[row].knowledge == .nothing {
      if !kept.contains(row, in: .failures) { kept.append(row, to: .failures) }
    } else {
      kept.remove(row)
    }
  }

  private var keepsTooMuch: Bool {
    kept.isTooMuch(values: settings.valueLimit, cost: settings.costLimit)
  }

  /// A row that came on screen amid the turn keeps its content, and is evaluated at the end.
  ///
  /// - Returns: Whether to drop the row's content.
  private mutating func keepNoLonger(_ row: RowID) -> Bool {
    kept.remove(row)
    return !rows[row].isOnScreen
  }

  mutating func evictExcess(at now: Int64) {
    while keepsTooMuch, let row = kept.first(in: .values) {
      guard keepNoLonger(row) else { continue }
      dropValue(of: row, at: now)
      evaluateAmidTurn(row, at: now)
    }
    while kept.count(in: .failures) > settings.failureLimit, let row = kept.first(in: .failures) {
      guard keepNoLonger(row) else { continue }
      failures.forget(row)
      rest(row)
      rows[row].knowledge = .unknown
      evaluateAmidTurn(row, at: now)
    }
  }

  // MARK: Forgetting

  mutating func forgetIfUnused(_ row: RowID) {
    guard rows[row].isUnused, !rows[row].isForgetting else { return }
    rows[row].isForgetting = true
    unusedRows.append(row)
  }

  mutating func forgetNow(_ row: RowID) -> Bool {
    guard rows.contains(row) else { return false }
    // The end of the turn, which evaluates the row or reports its change, lists it again.
    guard rows[row].isUnused, !rows[row].needsEvaluation, !(reportsPhases && rows[row].isChanged)
    else {
      rows[row].isForgetting = false
      return false
    }
    if !committedRows.isEmpty { committedRows.removeAll { $0 == row } }
    failures.forget(row)
    lanes.forget(row)
    dropError(of: row)
    rows.remove(row)
    return true
  }
}
