import RowOperations
import RowOperationsTesting

/// The end of a pass.
extension NaiveTracker {
  mutating func endPass(_ decisions: [Decision]) {
    let before = displayedKeysBefore
    commit()
    if isMoving, lastMove + settings.quietTime <= now {
      isMoving = false
      landing = []
    }
    addExpectations(decisions.compactMap { if case .expect(let row) = $0 { row } else { nil } })
    updateAppearances()
    heal()
    updateClaims()
    attached = Set(cells.values.compactMap(\.row) + prefetched + landing)
    for decision in decisions { check(decision) }
    checkNothingIsLeftToDo()
    updateBlanks(displayedBefore: before)
    (newlyPrefetched, returning) = ([], [])
    inLine = Set(droppable)
    pass += 1
  }

  /// Adds the blank time of the rows on screen up to now.
  package mutating func addBlankTime() {
    if !isSuspended {
      blankTime += blank.values.reduce(0) { $0 + Int64($1.rows) } * (now - blankTimeEnd)
    }
    blankTimeEnd = now
  }

  mutating func updateBlanks(displayedBefore: Set<Int>) {
    addBlankTime()
    for key in Set(displayedRows.map(key)) {
      guard values[key] != nil || runs[key]?.showsValue == true else {
        let rows = displayedRows.count { self.key($0) == key }
        blank[key] = (rows, displayOrder[key]?.since ?? now)
        continue
      }
      if let was = blank.removeValue(forKey: key) {
        // Time in suspension is no time on screen.
        if lastResume.map({ $0 <= was.since }) ?? true { firstValueTimes.append(now - was.since) }
      } else if !displayedBefore.contains(key), !returning.contains(key) {
        firstValueTimes.append(0)
      }
    }
    for key in blank.keys where !displayedRows.contains(where: { self.key($0) == key }) {
      blank[key] = nil
    }
  }

  mutating func commit() {
    for (order, isValue) in arrived {
      guard let start = startOrder.first(where: { $0.order == order }) else { continue }
      startOrder.removeAll { $0.order == order }
      guard !lingering.contains(where: { $0.order == order }) else {
        lingering.removeAll { $0.order == order }
        continue
      }
      guard let run = runs.removeValue(forKey: start.key) else { continue }
      guard isValue else {
        unseen.remove(start.key)
        if !run.isOutdated { fail(start.key, cause(start.key), since: run.startedAt) }
        continue
      }
      let time = Double(now - run.startedAt)
      recordLoadTime(time)
      values[start.key] = run.isOutdated
      jumpedOver.remove(start.key)
      lastUse[start.key] = pass
      failed.remove(start.key)
      failures[start.key] = nil
    }
    arrived = []
    for start in startOrder where !lingering.contains(where: { $0.order == start.order }) {
      guard let isValue = shownByRun[start.order] else { continue }
      runs[start.key]?.hasStep = true
      if isValue { runs[start.key]?.showsValue = true }
    }
    shownByRun = [:]
  }

  mutating func fail(_ key: Int, _ cause: FailureCause, since start: Int64) {
    // The load ran when the list or the network came back.
    if let lastResume, start < lastResume { isBack = true }
    if cause.isConnectivity, let lastNetwork, start < lastNetwork { hasNetworkBack = true }
    let isFirst = beginsAnew.remove(key) != nil || failures[key] == nil
    failures[key, default: []].append((cause, isFirst))
    let attempts = (failures[key] ?? []).reversed().prefix { !$0.isFirst }.count + 1
    guard case .backoff(let strategy) = settings.retry, isClaimed(key), cause.isRetryable,
      let delay = strategy.delay(
        beforeRetry: attempts - 1, chance: 0, retryAfter: cause.retryAfter)
    else {
      failed.insert(key)
      return
    }
    backoffs[key] = now + delay.nanoseconds
  }

  /// Whether only a request retries a key, since three displays in a row ended with equal failures.
  func isGivenUp(_ key: Int) -> Bool {
    guard settings.retry != .never, let all = failures[key], let last = all.last else {
      return true
    }
    guard last.cause.isRetryable else { return true }
    // Each display ended with the failure before the first one of the next display.
    let ends = all.indices.filter { $0 + 1 == all.count || all[$0 + 1].isFirst }
    return ends.reversed().prefix { all[$0].cause.kind == last.cause.kind }.count >= 3
  }

  mutating func updateAppearances() {
    let displayed = displayedRows
    let isJump =
      !displayedRowsBefore.isEmpty && !displayed.isEmpty
      && displayed.isDisjoint(with: displayedRowsBefore)
    var count = 0
    for row in appeared where displayed.contains(row) && !displayedRowsBefore.contains(row) {
      displayedRowsBefore.insert(row)
      count += 1
      // The display of a row ends its prefetch claim.
      prefetched.removeAll { $0 == row }
      if failed.contains(key(row)), !isGivenUp(key(row)) {
        failed.remove(key(row))
        beginsAnew.insert(key(row))
      }
      guard displayedKeysBefore.insert(key(row)).inserted else { continue }
      unseen.remove(key(row))
      displayOrder[key(row)] = (pass, nextRank(), now)
    }
    appearedCount += count
    endOldPrefetches(isJump: isJump)
    appeared = []
    displayedRowsBefore = displayed
    displayedKeysBefore = Set(displayed.map(key))
    if isMoving { appearances.append((now, count)) }
  }

  mutating func endOldPrefetches(isJump: Bool) {
    prefetched.removeAll { row in
      appearedCount - (prefetchedAfter[row] ?? 0) >= settings.prefetchLimit
        || isJump && !newlyPrefetched.contains(row)
    }
    guard isJump else { return }
    unseenRoom = nil
    for key in unseen where values[key] != nil && lastUse[key] != nil && runs[key] == nil {
      jumpedOver.insert(key)
      lastUse[key] = pass
    }
  }

  /// Whether a prefetch of a key can have an effect.
  func isToBePrefetched(_ key: Int) -> Bool {
    wantsLoad(key) || runs[key] != nil || backoffs[key] != nil || setAside.contains(key)
  }

  mutating func endUselessPrefetches() {
    prefetched = prefetched.filter { isToBePrefetched(key($0)) }
  }

  mutating func updateClaims() {
    endUselessPrefetches()
    for key in keys {
      let isClaimed = isClaimed(key)
      if isClaimed {
        runs[key]?.unclaimedSince = nil
        lastUse[key] = nil
        jumpedOver.remove(key)
      } else {
        if runs[key] != nil, runs[key]?.unclaimedSince == nil { runs[key]?.unclaimedSince = now }
        backoffs[key] = nil
        setAside.remove(key)
        // The last failure counts again.
        if failures[key] != nil, runs[key] == nil { failed.insert(key) }
        if lastUse[key] == nil { lastUse[key] = pass }
      }
    }
    for (key, deadline) in backoffs where deadline <= now {
      backoffs[key] = nil
      if !mayStart(key), failures[key] != nil { failed.insert(key) }
    }
    setAside = setAside.filter { claimRank($0)?.0 == 2 }
    let hangTime = loadTime.map { $0 * 2 } ?? 500_000_000
    for (key, run) in runs where claimRank(key)?.0 == 2 && Double(now - run.startedAt) >= hangTime {
      runs[key]?.isHung = true
    }
  }
}
