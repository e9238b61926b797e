/// Prefetch and landing claims, and the motion of the list.
extension TrackerEngine {
  // MARK: Prefetching

  /// Makes prefetch claims for rows, nearest first.
  ///
  /// The new claims go before all earlier ones, and an existing claim is renewed. Beyond the limit
  /// the oldest claims end.
  package mutating func prefetched(_ wanted: some BidirectionalCollection<RowID>, at now: Int64) {
    let rows = wanted.prefix(settings.prefetchLimit)
    for row in rows { report(.prefetched(row), at: now) }
    // The nearest row gets the strongest claim, which is the newest.
    for row in rows.reversed() { prefetched(row) }
    while prefetchedRows.count(in: .prefetched) > settings.prefetchLimit,
      let oldest = prefetchedRows.first(in: .prefetched)
    {
      prefetchCancelled(oldest)
    }
  }

  private mutating func prefetched(_ row: RowID) {
    let load = rows[row].load
    if !rows[row].isPrefetched {
      rows[row].isPrefetched = true
      loads[load].prefetches += 1
    }
    rows[row].prefetchedAfter = appearedCount
    takeOut(row)
    prefetchedRows.append(row, to: .prefetched)
    setPrefetchRank(of: row)
    // A value that exists is needed soon, so it is dropped last.
    if let list = kept.list(of: load), list != .failures { kept.append(load, to: list) }
    setNeedsEvaluation(row)
  }

  /// Ranks a row by how soon it comes on screen, if a list's order contains it.
  ///
  /// Other rows go before these, the newest first.
  private mutating func setPrefetchRank(of row: RowID) {
    let load = rows[row].load
    if let rank = orderRank(of: row) {
      loads[load].prefetchRank = .firstOrderRank + rank
    } else {
      newestPrefetchRank -= 1
      loads[load].prefetchRank = newestPrefetchRank
    }
    rankChanged(of: load, .prefetched)
  }

  /// Ranks the prefetches of a list anew after a change of direction or a jump.
  ///
  /// O(prefetched rows).
  mutating func rankPrefetches(in list: ListNumber) {
    var row = prefetchedRows.first(in: .prefetched)
    while let known = row {
      row = prefetchedRows.next(of: known)
      guard rows[known].list == list, rows[known].orderIndex >= 0 else { continue }
      setPrefetchRank(of: known)
      setNeedsEvaluation(known)
    }
  }

  /// Ends the prefetch claim of a row.
  ///
  /// Its other claims stay.
  package mutating func prefetchCancelled(_ row: RowID) {
    if endPrefetch(of: row) { setNeedsEvaluation(row) }
  }

  /// - Returns: Whether there was a claim.
  private mutating func endPrefetch(of row: RowID) -> Bool {
    guard rows[row].isPrefetched else { return false }
    rows[row].isPrefetched = false
    takeOut(row)
    loads[rows[row].load].prefetches -= 1
    return true
  }

  /// Ends the prefetch claims of all rows of a load that needs no loading.
  ///
  /// The load is under evaluation, so its rows need none.
  mutating func endPrefetches(of load: LoadID, at now: Int64) {
    var row = loads[load].firstRow
    while let known = row {
      row = rows[known].next
      guard endPrefetch(of: known) else { continue }
      if settings.sharesLoads { forgetIfUnused(known, at: now) }
    }
  }

  /// Ends outdated claims: `prefetchLimit` other rows have appeared since, or the list has jumped.
  mutating func endOldPrefetches(isJump: Bool) {
    while let row = prefetchedRows.first(in: .prefetched),
      appearedCount &- rows[row].prefetchedAfter >= UInt32(clamping: settings.prefetchLimit)
    {
      prefetchCancelled(row)
    }
    if isJump {
      unseenRoom = nil
      while newestOldPrefetch != nil, let row = prefetchedRows.first(in: .prefetched) {
        prefetchCancelled(row)
      }
      while let load = kept.first(in: .unseen) { kept.append(load, to: .values) }
      for load in committedLoads where loads.contains(load) && loads[load].isUnseenPrefetch {
        kept.append(load, to: .values)
      }
    }
    newestOldPrefetch = prefetchedRows.last(in: .prefetched)
  }

  private mutating func takeOut(_ row: RowID) {
    if newestOldPrefetch == row { newestOldPrefetch = prefetchedRows.previous(of: row) }
    prefetchedRows.remove(row)
  }

  // MARK: Motion

  /// Records that a finger holds the list.
  ///
  /// The landing claims end.
  package mutating func scrollBegan(at now: Int64) {
    dropLanding()
    gate.moved(at: now)
  }

  package mutating func scrollMoved(at now: Int64) {
    gate.moved(at: now)
  }

  /// Records that the finger lifted, and claims the rows on screen when the list rests.
  package mutating func scrollWillEnd(landingOn wanted: some Sequence<RowID>, at now: Int64) {
    dropLanding()
    gate.moved(at: now)
    for row in wanted {
      report(.landing(row), at: now)
      guard !isSuspended, !rows[row].isLanding else { continue }
      rows[row].isLanding = true
      landingRows.append(row)
      let load = rows[row].load
      if loads[load].landings == 0 {
        loads[load].landingRank = nextRank()
        rankChanged(of: load, .landing)
      }
      loads[load].landings += 1
      setNeedsEvaluation(row)
    }
  }

  package mutating func scrollSettled() {
    dropLanding()
    gate.settled()
  }

  private mutating func dropLanding() {
    for row in landingRows where rows.contains(row) { dropLanding(of: row) }
    landingRows = []
  }

  mutating func dropLanding(of row: RowID) {
    guard rows[row].isLanding else { return }
    rows[row].isLanding = false
    loads[rows[row].load].landings -= 1
    setNeedsEvaluation(row)
  }

  // MARK: Suspending

  /// Suspends the tracker: nothing starts, and only displayed rows keep their claims.
  package mutating func suspended(at now: Int64) {
    addBlankTime(until: now)
    isSuspended = true
    dropLanding()
    while let row = prefetchedRows.first(in: .prefetched) { prefetchCancelled(row) }
  }

  package mutating func resumed(at now: Int64) {
    addBlankTime(until: now)
    // Prefetching ended with the suspension.
    if isSuspended { for list in orders.indices { resetWindow(ListNumber(list)) } }
    isSuspended = false
    lastResume = now
    pendingHeal.list = true
  }
}
