/// Prefetch claims, and the suspension of the tracker.
extension TrackerEngine {
  // MARK: Prefetching

  /// Makes prefetch claims for rows, nearest first.
  ///
  /// The new claims go before all earlier ones, and an existing claim is renewed. Beyond the limit
  /// the oldest claims end.
  mutating func prefetched(_ wanted: [RowID], at now: Int64) {
    let rows = wanted.prefix(settings.prefetchLimit)
    for row in rows { report(.prefetched(row), at: now) }
    // The nearest row gets the strongest claim, which is the newest.
    for row in rows.reversed() { prefetched(row) }
    while claims.count > settings.prefetchLimit, let oldest = claims.oldestPrefetch {
      prefetchCancelled(oldest)
    }
  }

  private mutating func prefetched(_ row: RowID) {
    rows[row].isAnnounced = true
    rows[row].prefetchedAfter = claims.appearedCount
    claims.prefetch(row)
    setPrefetchRank(of: row, orderRank(of: row))
    // A value that exists is needed soon, so it is dropped last.
    if let list = kept.listOfValue(of: row) { kept.append(row, to: list) }
    setNeedsEvaluation(row)
  }

  /// Ranks a row by how soon it comes on screen, if a window holds it.
  ///
  /// Other rows go before these, the newest first.
  mutating func setPrefetchRank(of row: RowID, _ rank: UInt64?) {
    rows[row].prefetchRank = rank.map { .firstOrderRank + $0 } ?? claims.nextRank()
    line.rankChanges(of: row, .prefetched)
  }

  /// Ends the claim of an announced row.
  ///
  /// Its other claims stay.
  @inline(never)
  mutating func prefetchCancelled(_ row: RowID) {
    guard rows[row].isAnnounced else { return }
    rows[row].isAnnounced = false
    claims.endPrefetch(of: row)
    setNeedsEvaluation(row)
  }

  /// Ends all prefetch claims of a row.
  mutating func endPrefetch(of row: RowID) {
    guard rows[row].isPrefetched else { return }
    withdrawPrefetch(of: row)
    setNeedsEvaluation(row)
  }

  /// Ends the prefetch claims of a row under evaluation.
  mutating func withdrawPrefetch(of row: RowID) {
    if rows[row].isAnnounced { claims.endPrefetch(of: row) }
    if rows[row].isExpected { claims.expected -= 1 }
    rows[row].isAnnounced = false
    rows[row].isExpected = false
  }

  /// Ends outdated claims: `prefetchLimit` other rows have appeared since, or the list has jumped.
  mutating func endOldPrefetches(isJump: Bool) {
    while let row = claims.oldestPrefetch,
      claims.appearedCount &- rows[row].prefetchedAfter >= UInt32(clamping: settings.prefetchLimit)
    {
      prefetchCancelled(row)
    }
    if isJump {
      kept.unseenRoom = nil
      while claims.newestOldPrefetch != nil, let row = claims.oldestPrefetch {
        prefetchCancelled(row)
      }
      while let row = kept.first(in: .unseen) { kept.append(row, to: .values) }
      for row in loadedRows where rows.contains(row) && rows[row].isUnseenPrefetch {
        kept.append(row, to: .values)
      }
    }
    claims.turnEnded()
  }

  // MARK: Suspending

  /// Suspends the tracker: all lists rest, nothing starts, and only displayed rows keep their
  /// claims.
  mutating func suspended(at now: Int64) {
    addBlankTime(until: now)
    isSuspended = true
    allSettled()
    while let row = claims.oldestPrefetch { prefetchCancelled(row) }
    endExpectations()
    suspendStreams(at: now)
  }

  mutating func resumed(at now: Int64) {
    addBlankTime(until: now)
    isSuspended = false
    failures.listReturned(at: now)
  }

  @inline(__always)
  mutating func addBlankTime(until now: Int64) { blanks.add(until: now, isSuspended: isSuspended) }
}
