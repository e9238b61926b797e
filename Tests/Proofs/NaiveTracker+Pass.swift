import RowOperationsTesting

@testable import RowOperations

/// The end of a pass.
extension NaiveTracker {
  mutating func endPass(
    _ decisions: [Decision], _ windows: [NaiveWindow], _ claiming: [NaiveWindow]
  ) {
    let renames = names.count
    defer { names.turnEnded(began: renames) }
    commit()
    commitElements(decisions)
    motions = motions.filter { $0.value.lastMove + settings.quietTime > now }
    moveWindows(windows)
    claimRows(of: claiming, decisions)
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
    (returning, winners) = ([], [])
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
    // Displayed rows come first.
    let displayed = Set(startOrder.filter { displayedRows.contains($0.row) }.map(\.order))
    let sorted =
      arrived.filter { displayed.contains($0.order) }
      + arrived.filter { !displayed.contains($0.order) }
    for (order, isValue) in sorted {
      guard let start = startOrder.first(where: { $0.order == order }) else { continue }
      startOrder.removeAll { $0.order == order }
      guard !lingering.contains(order) else {
        lingering.removeAll { $0 == order }
        continue
      }
      let isProbe = isProbe(order)
      endProbe(order, well: isValue)
      let row = row(of: start)
      loads.removeAll { $0.order == order }
      guard let row, let run = runs.removeValue(forKey: row) else { continue }
      guard isValue else {
        let cause = cause(start.row)
        pause(after: cause, inLaneOf: start.row)
        if !run.isOutdated, !goesBack(row, cause, asProbe: isProbe) {
          fail(row, cause, since: run.startedAt)
        }
        continue
      }
      loadTimes.append(Double(now - run.startedAt))
      values[row] = run.isOutdated
      valueArrives(row)
      live.loadedBy[row] = order
      lastUse[row] = pass
      failed.remove(row)
      failures[row] = nil
      refusals[row] = nil
    }
    arrived = []
    for start in startOrder where !lingering.contains(start.order) {
      guard let isValue = shownByRun[start.order] else { continue }
      // The row may have left its batch for good.
      guard let row = row(of: start) else { continue }
      runs[row]?.hasStep = true
      if isValue { runs[row]?.showsValue = true }
    }
    shownByRun = [:]
  }

  mutating func fail(_ row: Int, _ cause: FailureCause, since start: Int64) {
    // The load ran when the list or the network came back.
    if let lastResume, start < lastResume { isBack = true }
    if cause.isConnectivity, let lastNetwork, start < lastNetwork { hasNetworkBack = true }
    let isFirst =
      beginsAnew.remove(row) != nil || failures[row]?.contains { !$0.isShared } != true
    failures[row, default: []].append(Failure(cause: cause, time: now, isFirst: isFirst))
    let attempts = ownFailures(of: row).reversed().prefix { !$0.isFirst }.count + 1
    // A row that was given up before this display has this attempt alone.
    guard case .backoff(let delay) = settings.retry, isClaimed(row), cause.isRetryable,
      equalEnds(of: row) <= 3, let delay = delay(attempts - 1, 0, cause.retryAfter)
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

  /// Whether the next display retries no row, since three in a row ended with equal failures.
  func isGivenUp(_ row: Int) -> Bool {
    guard !neverRetries, let last = failures[row]?.last else { return true }
    return !last.cause.isRetryable || equalEnds(of: row) >= 3
  }

  /// How many displays in a row ended with the failure of the last one.
  private func equalEnds(of row: Int) -> Int {
    let all = ownFailures(of: row)
    // Each display ended with the failure before the first one of the next display.
    let ends = all.indices.filter { $0 + 1 == all.count || all[$0 + 1].isFirst }
    let kind = failures[row]?.last?.cause.kind
    return ends.reversed().prefix { all[$0].cause.kind == kind }.count
  }

  /// Whether a row that was given up has rested long enough for one more attempt.
  private func hasRested(_ row: Int) -> Bool {
    guard !neverRetries, let last = failures[row]?.last, last.cause.isRetryable else {
      return false
    }
    return last.time + settings.restOfGivenUp <= now
  }

  mutating func updateAppearances() {
    let displayed = displayedRows
    // An announcement is for the next display.
    prefetched.removeAll { displayed.contains($0) }
    var shown: [Int] = []
    for row in appeared where displayed.contains(row) && !displayedRowsBefore.contains(row) {
      displayedRowsBefore.insert(row)
      shown.append(row)
      if failed.contains(row), !isGivenUp(row) || hasRested(row) {
        failed.remove(row)
        beginsAnew.insert(row)
      }
      let isCounted = seenWithValue.remove(row) != nil && returning.contains(row)
      // Even if its load times out in this pass.
      if showsValue(row) {
        seenWithValue.insert(row)
        if !isCounted { firstValueTimes.append(0) }
      }
      displayOrder[row] = (pass, nextRank(), now)
    }
    appearedCount += shown.count
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

  mutating func updateClaims() {
    for index in loads.indices {
      let isKept = loads[index].members.contains { isClaimed($0) }
      loads[index].unclaimedSince = isKept ? nil : loads[index].unclaimedSince ?? now
    }
    for row in knownRows {
      if isClaimed(row) {
        lastUse[row] = nil
      } else {
        backoffs[row] = nil
        if lastUse[row] == nil { lastUse[row] = pass }
      }
      // The last failure counts again, also in a covered list, which starts nothing.
      let isIdle = runs[row] == nil && backoffs[row] == nil && !isOwed(row)
      if !mayStart(row), failures[row] != nil, isIdle { failed.insert(row) }
    }
    refusals = refusals.filter { isClaimed($0.key) }
    for (row, deadline) in backoffs where deadline <= now {
      backoffs[row] = nil
      if !mayStart(row), failures[row] != nil { failed.insert(row) }
    }
  }
}
