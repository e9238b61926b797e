extension TrackerEngine {
  // MARK: Prefetching

  /// Claims rows, nearest first, before all earlier claims; an existing claim is renewed.
  ///
  /// Beyond the window's limit the oldest claims end.
  mutating func prefetched(_ wanted: [RowID], at now: Int64) {
    let rows = wanted.prefix(settings.prefetchWindow.limit)
    for row in rows { report(.prefetched(row), at: now) }
    guard !isSuspended else { return }
    // The nearest row gets the newest and so the strongest claim.
    for row in rows.reversed() { announced(row) }
    while claims.announcedCount > settings.prefetchWindow.limit,
      let oldest = claims.oldestAnnounced
    {
      prefetchCancelled(oldest)
    }
  }

  mutating func announced(_ row: RowID) {
    rows[row].isAnnounced = true
    rows[row].prefetchedAfter = claims.appearedCount
    rows[row].announcedRank = claims.announce(row)
    if !leftOut.isEmpty { leftOut.remove(row) }
    setNeedsEvaluation(row)
  }

  /// Ends the oldest claims of announced rows for which windows leave no room.
  mutating func endExcess() {
    guard claims.announcedCount > 0 else { return }
    var left = settings.prefetchWindow.limit
    for row in claims.expected where !rows[row].isAnnounced { left -= 1 }
    while claims.announcedCount > left, let oldest = claims.oldestAnnounced {
      // A window goes on with the claim.
      if rows[oldest].isExpected { left -= 1 }
      prefetchCancelled(oldest)
    }
  }

  /// Other claims of the row stay.
  @inline(never)
  mutating func prefetchCancelled(_ row: RowID) {
    guard rows[row].isAnnounced else { return }
    rows[row].isAnnounced = false
    claims.endAnnouncement(of: row)
    setNeedsEvaluation(row)
  }

  // MARK: Suspending

  /// All lists rest, nothing starts, and only displayed rows keep their claims.
  mutating func suspended(at now: Int64) {
    addBlankTime(until: now)
    isSuspended = true
    allSettled()
    while let row = claims.oldestAnnounced { prefetchCancelled(row) }
    expect([])
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
