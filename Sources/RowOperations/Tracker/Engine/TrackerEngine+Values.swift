/// Rows, and the app's calls for them.
extension TrackerEngine {
  // MARK: Rows

  /// Adds a row that the engine does not know.
  ///
  /// - Parameter load: The load that it shares with known rows.
  package mutating func rowAppeared(sharing load: LoadID? = nil) -> RowID {
    let load = load ?? loads.insert(LoadState())
    let row = rows.insert(RowState(load: load, next: loads[load].firstRow))
    if let next = loads[load].firstRow { rows[next].previous = row }
    if loads[load].rows > 0 { metrics.shared += 1 }
    loads[load].firstRow = row
    loads[load].rows += 1
    // The end of the turn forgets the row if nothing claims it.
    setNeedsEvaluation(row)
    return row
  }

  /// The rows that share a load.
  ///
  /// O(1) a row.
  package func rows(of load: LoadID) -> some Sequence<RowID> {
    rows.chain(from: loads[load].firstRow)
  }

  /// The row with the strongest claim, which the load runs for.
  @inline(__always)
  package func leader(of load: LoadID) -> RowID? {
    guard let first = loads[load].firstRow else { return nil }
    return rows[first].next == nil ? first : rows.strongest(from: first)
  }

  // MARK: Values

  /// Whether the app's own cache may have a value that the tracker lacks.
  package func wantsLookUp(_ load: LoadID) -> Bool {
    guard loads[load].knowledge == .unknown else { return false }
    guard let run = loads[load].run else { return true }
    return runs[run].stage == .admitted
  }

  /// Stores a value that the app set or found in its cache.
  package mutating func valueFound(for load: LoadID, cost: Int, at now: Int64) {
    forgetFailures(of: load)
    stopWork(on: load, at: now)
    countPrefetchInVain(load)
    keepValue(of: load, cost: cost)
    reportCompletion(load)
    setNeedsEvaluation(load)
  }

  /// Marks the value of a load as stale: cells show it until a new one is loaded.
  ///
  /// A load that runs goes on. Its value is out of date as well, and one more load follows, however
  /// often this is called meanwhile: a load that would be cancelled each time never ends.
  package mutating func invalidated(_ load: LoadID, at now: Int64) {
    forgetFailures(of: load)
    switch loads[load].work {
    case .running(let run, _) where runs[run].stage == .current: runs[run].isOutdated = true
    case .running, .backoff, .failed, .givenUp: stopWork(on: load, at: now)
    case .none, .waiting, .setAside: break
    }
    switch loads[load].knowledge {
    case .value: loads[load].knowledge = .staleValue
    case .nothing: loads[load].knowledge = .unknown
    case .unknown, .staleValue: break
    }
    updatePhase(of: load)
    setNeedsEvaluation(load)
  }

  /// Stores a value from the app's cache in place of making an operation.
  package mutating func valueFound(
    _ run: RunID, generation: UInt64, cost: Int, at now: Int64
  ) -> Bool {
    guard isAdmitted(run, generation) else { return false }
    let load = runs[run].load
    loads[load].isUnseenPrefetch = false
    withdraw(run, at: now)
    keepValue(of: load, cost: cost)
    reportCompletion(load)
    evaluate(load, at: now)
    evictExcess(at: now)
    return true
  }

  mutating func keepValue(of load: LoadID, cost: Int, isStale: Bool = false) {
    if loads[load].hasValue {
      valueCost &-= loads[load].cost
    } else {
      keptValues += 1
    }
    loads[load].cost = min(max(cost, 0), .highestCost)
    valueCost &+= loads[load].cost
    loads[load].knowledge = isStale ? .staleValue : .value
    forgetFailures(of: load)
    dropError(of: load)
    loads[load].hasArrived = true
    _ = loads[load].updatePhase()
    raiseChangeNumber(of: load)
    kept.remove(load)
  }

  mutating func dropValue(of load: LoadID, at now: Int64) {
    guard loads[load].hasValue else { return }
    keptValues -= 1
    valueCost &-= loads[load].cost
    loads[load].knowledge = .unknown
    // Cells that show the value as `previous` release it, in any phase.
    _ = loads[load].updatePhase()
    raiseChangeNumber(of: load)
    effects.append(.dropValue(load))
    if let row = leader(of: load) { report(.evicted(row), at: now) }
    countPrefetchInVain(load)
  }

  mutating func dropError(of load: LoadID) {
    guard loads[load].failure != .none else { return }
    loads[load].failure = .none
    effects.append(.dropError(load))
  }

  /// Reports that the rows of a load are complete: only another event can change them.
  mutating func reportCompletion(_ load: LoadID) {
    guard reportsCompletedRows else { return }
    for row in rows(of: load) { effects.append(.rowCompleted(row)) }
  }

  // MARK: Removing

  /// Removes a row with its claims, and its load unless another row uses it.
  ///
  /// Its cells are unbound. Those on screen stay so for their next row.
  package mutating func removed(_ row: RowID, at now: Int64) {
    while let cell = rows[row].firstCell { rowRemoved(from: cell, at: now) }
    prefetchCancelled(row)
    dropLanding(of: row)
    // Its return counts as another appearance.
    if rows[row].wasDisplayed {
      addBlankTime(until: now)
      rows[row].wasDisplayed = false
      countDisplay(of: row, -1)
    }
    forgetAppearance(of: row)
    let load = rows[row].load
    if isOnlyRow(row) { discard(load, at: now) } else { setNeedsEvaluation(load) }
    if settings.sharesLoads { forgetIfUnused(row, at: now) }
  }

  private mutating func forgetAppearance(of row: RowID) {
    guard rows[row].hasAppeared else { return }
    rows[row].hasAppeared = false
    appearedRows.removeAll { $0 == row }
  }

  /// Whether no other row uses the load of a row.
  private func isOnlyRow(_ row: RowID) -> Bool {
    guard rows[row].previous != nil || rows[row].next != nil else { return true }
    return rows(of: rows[row].load).allSatisfy { other in
      other == row || rows[other].isForgetting && isUnused(other)
    }
  }

  /// Drops the value, error and work of a load, and forgets the load unless a row uses it.
  package mutating func discard(_ load: LoadID, at now: Int64) {
    if loads[load].work == .waiting { metrics.cancelledWaiting += 1 }
    forgetFailures(of: load)
    stopWork(on: load, at: now)
    dropValue(of: load, at: now)
    if loads[load].knowledge == .nothing { loads[load].knowledge = .unknown }
    dropError(of: load)
    loads[load].wasDisplayed = false
    dropBlanks(of: load, at: now)
    kept.remove(load)
    updatePhase(of: load)
    if loads[load].isUnused || settings.sharesLoads { forgetIfUnused(load, at: now) }
  }

  /// Drops the values of all unclaimed loads.
  package mutating func evictAll(at now: Int64) {
    for load in Array(loads.ids) where !loads[load].isClaimed && loads[load].hasValue {
      dropValue(of: load, at: now)
      setNeedsEvaluation(load)
    }
  }

  // MARK: Keeping and forgetting

  /// Adds an unclaimed load to the kept lists, whose least recent entries are dropped first.
  mutating func remember(_ load: LoadID) {
    if loads[load].hasValue {
      if !kept.contains(load, in: .values), !kept.contains(load, in: .unseen) {
        // While a prefetch runs, the value is from an earlier load.
        let isUnseen = loads[load].isUnseenPrefetch && loads[load].run == nil
        kept.append(load, to: isUnseen ? .unseen : .values)
      }
    } else if loads[load].hasFailed || loads[load].knowledge == .nothing {
      if !kept.contains(load, in: .failures) { kept.append(load, to: .failures) }
    } else {
      kept.remove(load)
    }
  }

  private var keepsTooMuch: Bool {
    keptValues > settings.valueLimit ?? .max || valueCost > settings.costLimit ?? .max
  }

  /// The next prefetched and undisplayed value to drop.
  ///
  /// Without retention, `prefetchLimit` of them are still kept.
  private mutating func unseenToDrop() -> LoadID? {
    if settings.valueLimit == 0, kept.count(in: .unseen) <= settings.prefetchLimit { return nil }
    return kept.first(in: .unseen)
  }

  mutating func evictExcess(at now: Int64) {
    while keepsTooMuch, let load = kept.first(in: .values) {
      dropValue(of: load, at: now)
      evaluate(load, at: now)
    }
    // Undisplayed prefetches are dropped after all others.
    while keepsTooMuch, let load = unseenToDrop() {
      dropValue(of: load, at: now)
      kept.remove(load)
      shrinkUnseenRoom()
      evaluate(load, at: now)
    }
    while kept.count(in: .failures) > settings.failureLimit, let load = kept.first(in: .failures) {
      forgetFailures(of: load)
      rest(load)
      loads[load].knowledge = .unknown
      evaluate(load, at: now)
    }
  }

  /// Whether a row can be forgotten: it has no cells or claims, and no kept load of its own.
  @inline(__always) private func isUnused(_ row: RowID) -> Bool {
    guard rows[row].bindings == 0, !rows[row].isClaimed else { return false }
    return settings.sharesLoads || loads[rows[row].load].isUnused
  }

  mutating func forgetIfUnused(_ row: RowID, at now: Int64) {
    guard isUnused(row) else { return }
    if settings.reportsEvents { passOnWaiting(from: row, at: now) }
    guard !rows[row].isForgetting else { return }
    rows[row].isForgetting = true
    unused.rows.append(row)
  }

  mutating func forgetIfUnused(_ load: LoadID, at now: Int64) {
    if let row = loads[load].firstRow {
      if !settings.sharesLoads { forgetIfUnused(row, at: now) }
    } else {
      forgetRowless(load)
    }
  }

  private mutating func forgetRowless(_ load: LoadID) {
    guard !loads[load].isForgetting, loads[load].isUnused else { return }
    loads[load].isForgetting = true
    unused.loads.append(load)
  }

  mutating func forgetNow(_ row: RowID) -> Bool {
    guard rows.contains(row) else { return false }
    // A row that left the screen is forgotten after the turn that evaluates it.
    guard isUnused(row), !rows[row].wasDisplayed else {
      rows[row].isForgetting = false
      return false
    }
    forgetAppearance(of: row)
    let load = rows[row].load
    if settings.sharesLoads { unlink(row, from: load) } else { remove(load) }
    rows.remove(row)
    return true
  }

  private mutating func unlink(_ row: RowID, from load: LoadID) {
    let (previous, next) = (rows[row].previous, rows[row].next)
    if let previous { rows[previous].next = next } else { loads[load].firstRow = next }
    if let next { rows[next].previous = previous }
    loads[load].rows -= 1
    if loads[load].rows == 0 { forgetRowless(load) }
  }

  mutating func forgetNow(_ load: LoadID) -> Bool {
    guard loads.contains(load) else { return false }
    loads[load].isForgetting = false
    guard loads[load].rows == 0, loads[load].isUnused else { return false }
    remove(load)
    return true
  }

  private mutating func remove(_ load: LoadID) {
    forgetFailures(of: load)
    dropError(of: load)
    kept.remove(load)
    loads.remove(load)
  }
}

extension Slab<RowState> {
  /// A row and the rows after it in the list of their load.
  fileprivate func chain(from first: RowID?) -> some Sequence<RowID> {
    sequence(state: first) { next in
      guard let row = next else { return nil }
      next = self[row].next
      return row
    }
  }

  /// The first displayed row, else the first landing row, else the first prefetched one.
  fileprivate func strongest(from first: RowID) -> RowID {
    let all = chain(from: first)
    return all.first { self[$0].displays > 0 } ?? all.first { self[$0].isLanding }
      ?? all.first { self[$0].isPrefetched } ?? first
  }
}

extension Int {
  /// The highest cost that counts: 2^40, a terabyte if costs are bytes.
  static var highestCost: Int { 1 << 40 }
}
