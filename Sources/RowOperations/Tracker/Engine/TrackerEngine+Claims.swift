/// Claims of rows that are not displayed yet, and the motion of the list.
extension TrackerEngine {
  // MARK: Prefetching

  /// Rows are likely to be displayed soon, nearest first.
  ///
  /// Existing claims stay as they are. Beyond the limit the oldest claims end.
  package mutating func prefetched(_ wanted: some Sequence<RowID>, at now: Int64) {
    for row in wanted.prefix(settings.prefetchLimit) {
      report(.prefetched(row), at: now)
      guard !rows[row].isPrefetched else { continue }
      rows[row].isPrefetched = true
      prefetchedRows.append(row, to: .prefetched)
      let load = rows[row].load
      if loads[load].prefetches == 0 {
        loads[load].prefetchRank = nextRank()
        rankChanged(of: load, .prefetched)
      }
      loads[load].prefetches += 1
      touch(row)
    }
    while prefetchedRows.count(in: .prefetched) > settings.prefetchLimit,
      let oldest = prefetchedRows.first(in: .prefetched)
    {
      prefetchCancelled(oldest)
    }
  }

  /// A row is not expected any more.
  ///
  /// Only its prefetch claim ends.
  package mutating func prefetchCancelled(_ row: RowID) {
    guard rows[row].isPrefetched else { return }
    rows[row].isPrefetched = false
    prefetchedRows.remove(row)
    loads[rows[row].load].prefetches -= 1
    touch(row)
  }

  // MARK: Motion

  /// A finger takes hold of the list.
  ///
  /// Where it was about to land no longer counts.
  package mutating func scrollBegan(at now: Int64) {
    dropLanding()
    gate.moved(at: now)
  }

  package mutating func scrollMoved(at now: Int64) {
    gate.moved(at: now)
  }

  /// The finger let go, and the list will come to rest with these rows on screen.
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
      touch(row)
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
    touch(row)
  }

  // MARK: Suspending

  /// The list is out of sight: nothing starts, and only displayed rows keep their claims.
  package mutating func suspended() {
    isSuspended = true
    dropLanding()
    while let row = prefetchedRows.first(in: .prefetched) { prefetchCancelled(row) }
  }

  package mutating func resumed() { isSuspended = false }
}
