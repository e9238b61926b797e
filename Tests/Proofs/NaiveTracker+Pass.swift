import RowOperations
import RowOperationsTesting

/// The end of a pass.
extension NaiveTracker {
  mutating func endPass(
    _ decisions: [Decision], _ windows: [NaiveWindow], keeping kept: Set<Int>
  ) {
    commit()
    commitElements(decisions)
    motions = motions.filter { $0.value.lastMove + settings.quietTime > now }
    moveWindows(windows, keeping: kept)
    addExpectations(decisions.compactMap { if case .expect(let row) = $0 { row } else { nil } })
    bindLostCells()
    updateAppearances()
    heal()
    updateClaims()
    updateStreams()
    // The values of this pass count, even if their loads time out or are handed over in it.
    updateBlanks()
    for decision in decisions { check(decision) }
    checkNothingIsLeftToDo()
    endPassOfStreams()
    updateBlanks()
    (newlyPrefetched, returning) = ([], [])
    inLine = Set(droppable)
    pass += 1
  }

  /// Adds the blank time of the rows on screen up to now.
  package mutating func addBlankTime() {
    if !isSuspended {
      blankTime += Int64(blank.count) * (now - blankTimeEnd)
    }
    blankTimeEnd = now
  }

  mutating func updateBlanks() {
    addBlankTime()
    for row in displayedRows {
      guard showsValue(row) else {
        blank[row] = displayOrder[row]?.since ?? now
        continue
      }
      let isFirst = seenWithValue.insert(row).inserted
      if let since = blank.removeValue(forKey: row) {
        // Time in suspension is no time on screen.
        if isFirst, lastResume.map({ $0 <= since }) ?? true { firstValueTimes.append(now - since) }
      }
    }
    for row in blank.keys where !displayedRows.contains(row) {
      blank[row] = nil
    }
  }

  private func showsValue(_ row: Int) -> Bool {
    values[row] != nil || runs[row]?.showsValue == true
  }

  /// Binds the cells on screen whose rows were removed and are in windows by now.
  private mutating func bindLostCells() {
    for cell in cells.lost {
      var moved = cells
      moved.bindAnew(cell, lacks)
      move(to: moved)
    }
  }

  mutating func commit() {
    commitBatches()
    for (order, isValue) in arrived {
      guard let start = startOrder.first(where: { $0.order == order }) else { continue }
      startOrder.removeAll { $0.order == order }
      guard !lingering.contains(where: { $0.order == order }) else {
        lingering.removeAll { $0.order == order }
        continue
      }
      guard let run = runs.removeValue(forKey: start.row) else { continue }
      guard isValue else {
        unseen.remove(start.row)
        if !run.isOutdated { fail(start.row, cause(start.row), since: run.startedAt) }
        continue
      }
      let time = Double(now - run.startedAt)
      recordLoadTime(time)
      values[start.row] = run.isOutdated
      valueArrives(start.row)
      live.loadedBy[start.row] = order
      jumpedOver.remove(start.row)
      lastUse[start.row] = pass
      failed.remove(start.row)
      failures[start.row] = nil
    }
    arrived = []
    for start in startOrder where !lingering.contains(where: { $0.order == start.order }) {
      guard let isValue = shownByRun[start.order] else { continue }
      // A row that has left its batch for good may have another load.
      if let batch = runs[start.row]?.batch, batch != start.order { continue }
      runs[start.row]?.hasStep = true
      if isValue { runs[start.row]?.showsValue = true }
    }
    shownByRun = [:]
  }

  mutating func fail(_ row: Int, _ cause: FailureCause, since start: Int64) {
    // The load ran when the list or the network came back.
    if let lastResume, start < lastResume { isBack = true }
    if cause.isConnectivity, let lastNetwork, start < lastNetwork { hasNetworkBack = true }
    let isFirst =
      beginsAnew.remove(row) != nil || failures[row]?.contains { !$0.isShared } != true
    failures[row, default: []].append(Failure(cause: cause, isFirst: isFirst))
    let attempts = ownFailures(of: row).reversed().prefix { !$0.isFirst }.count + 1
    guard case .backoff(let delay) = settings.retry, isClaimed(row), cause.isRetryable,
      let delay = delay(attempts - 1, 0, cause.retryAfter)
    else {
      failed.insert(row)
      return
    }
    backoffs[row] = now + delay
  }

  /// The failures of a row that count for it alone.
  private func ownFailures(of row: Int) -> [Failure] {
    (failures[row] ?? []).filter { !$0.isShared }
  }

  /// Whether only a request retries a row, since three displays in a row ended with equal failures.
  func isGivenUp(_ row: Int) -> Bool {
    guard !neverRetries, let last = failures[row]?.last else { return true }
    guard last.cause.isRetryable else { return true }
    let all = ownFailures(of: row)
    // Each display ended with the failure before the first one of the next display.
    let ends = all.indices.filter { $0 + 1 == all.count || all[$0 + 1].isFirst }
    return ends.reversed().prefix { all[$0].cause.kind == last.cause.kind }.count >= 3
  }

  mutating func updateAppearances() {
    let displayed = displayedRows
    let outer = cells.rowsOfOuterCells
    let isJump =
      !outer.isEmpty && outer.isDisjoint(with: displayedRowsBefore)
      && !displayedRowsBefore.isSubset(of: displayed)
    var shown: [Int] = []
    for row in appeared where displayed.contains(row) && !displayedRowsBefore.contains(row) {
      displayedRowsBefore.insert(row)
      shown.append(row)
      // The display of a row ends its prefetch claim.
      prefetched.removeAll { $0 == row }
      expected.remove(row)
      asked.remove(row)
      if failed.contains(row), !isGivenUp(row) {
        failed.remove(row)
        beginsAnew.insert(row)
      }
      let isCounted = seenWithValue.remove(row) != nil && returning.contains(row)
      // Even if its load times out in this pass.
      if showsValue(row) {
        seenWithValue.insert(row)
        if !isCounted { firstValueTimes.append(0) }
      }
      unseen.remove(row)
      displayOrder[row] = (pass, nextRank(), now)
    }
    appearedCount += shown.count
    endOldPrefetches(isJump: isJump)
    appeared = []
    displayedRowsBefore = displayed
    seenWithValue.formIntersection(displayed.union(coveredRows))
    for list in motions.keys {
      let count = count(shown, for: list)
      motions[list]?.appearances.append((now, count))
    }
  }

  /// The number of rows that come on screen as a list moves.
  private func count(_ rows: [Int], for list: Int) -> Int {
    guard motions.count > 1 else { return rows.count }
    let hasWindow = windows.contains { $0.list == list }
    return rows.count { row in
      let lists = windows.filter { window in
        window.shown.contains { window.rows[$0]?.contains(row) == true }
      }.map(\.list)
      return hasWindow ? lists.contains(list) : lists.isEmpty
    }
  }

  mutating func endOldPrefetches(isJump: Bool) {
    prefetched.removeAll { row in
      appearedCount - (prefetchedAfter[row] ?? 0) >= settings.prefetchLimit
        || isJump && !newlyPrefetched.contains(row)
    }
    guard isJump else { return }
    unseenRoom = nil
    for row in unseen where values[row] != nil && lastUse[row] != nil && runs[row] == nil {
      // Another jump is no use of the value.
      if jumpedOver.insert(row).inserted { lastUse[row] = pass }
    }
  }

  /// Whether a prefetch of a row can have an effect.
  func isToBePrefetched(_ row: Int) -> Bool {
    wantsLoad(row) || runs[row] != nil || backoffs[row] != nil || setAside.contains(row)
      || isOwed(row)
  }

  /// Ends the prefetches of failed rows, also if a load was cancelled after an earlier failure.
  mutating func endUselessPrefetches() {
    prefetched = prefetched.filter { isToBePrefetched($0) }
    expected = expected.filter { isToBePrefetched($0) }
  }

  mutating func updateClaims() {
    endUselessPrefetches()
    for row in knownRows {
      let isClaimed = isClaimed(row)
      if isClaimed {
        runs[row]?.unclaimedSince = nil
        lastUse[row] = nil
        jumpedOver.remove(row)
      } else {
        if let run = runs[row], run.batch == nil, run.unclaimedSince == nil {
          runs[row]?.unclaimedSince = now
        }
        backoffs[row] = nil
        setAside.remove(row)
        if lastUse[row] == nil { lastUse[row] = pass }
      }
      // The last failure counts again, also in a covered list, which starts nothing.
      let isIdle = runs[row] == nil && backoffs[row] == nil && !isOwed(row)
      if !mayStart(row), failures[row] != nil, isIdle { failed.insert(row) }
    }
    for (row, deadline) in backoffs where deadline <= now {
      backoffs[row] = nil
      if !mayStart(row), failures[row] != nil { failed.insert(row) }
    }
    setAside = setAside.filter { claimRank($0)?.0 == 2 }
    // Loads that this pass ends count in the time of a load.
    var later = self
    for (row, run) in runs.sorted(by: { $0.value.startedAt < $1.value.startedAt })
    where run.batch == nil && (isOverdue(run) || isTimedOut(run)) {
      later.cancelRun(row)
    }
    updateBatchClaims(&later)
    let hangTime = later.hangTime
    markHungBatches(after: hangTime)
    for (row, run) in runs
    where run.batch == nil && claimRank(row)?.0 == 2 && Double(now - run.startedAt) >= hangTime {
      runs[row]?.isHung = true
    }
  }
}
