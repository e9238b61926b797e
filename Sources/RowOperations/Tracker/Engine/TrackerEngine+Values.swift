/// Rows, and the app's calls for them.
extension TrackerEngine {
  // MARK: Rows

  /// Adds a row that the engine does not know.
  package mutating func rowAppeared() -> RowID {
    let row = rows.insert(RowState())
    // The end of the turn forgets the row if nothing claims it.
    setNeedsEvaluation(row)
    return row
  }

  // MARK: Values

  /// Whether the app's own cache may have a value that the tracker lacks.
  package func wantsLookUp(_ row: RowID) -> Bool {
    guard rows[row].knowledge == .unknown else { return false }
    guard let run = rows[row].run else { return true }
    return runs[run].stage == .admitted
  }

  /// Stores a value that the app set or found in its cache.
  package mutating func valueFound(for row: RowID, cost: Int, at now: Int64) {
    forgetFailures(of: row)
    stopWork(on: row, at: now)
    countPrefetchInVain(row)
    keepValue(of: row, cost: cost)
    reportCompletion(row)
    setNeedsEvaluation(row)
  }

  /// Marks the value of a row as stale: cells show it until a new one is loaded.
  ///
  /// A load that runs goes on. Its value is out of date as well, and one more load follows, however
  /// often this is called meanwhile: a load that would be cancelled each time never ends.
  package mutating func invalidated(_ row: RowID, at now: Int64) {
    forgetFailures(of: row)
    switch rows[row].work {
    case .running(let run, _) where runs[run].stage == .current: runs[run].isOutdated = true
    case .running, .backoff, .failed, .givenUp: stopWork(on: row, at: now)
    case .none, .waiting, .setAside: break
    }
    switch rows[row].knowledge {
    case .value: rows[row].knowledge = .staleValue
    case .nothing: rows[row].knowledge = .unknown
    case .unknown, .staleValue: break
    }
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  /// Stores a value from the app's cache in place of making an operation.
  package mutating func valueFound(
    _ run: RunID, generation: UInt64, cost: Int, at now: Int64
  ) -> Bool {
    guard isAdmitted(run, generation) else { return false }
    let row = runs[run].row
    rows[row].isUnseenPrefetch = false
    withdraw(run, at: now)
    keepValue(of: row, cost: cost)
    reportCompletion(row)
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    return true
  }

  mutating func keepValue(of row: RowID, cost: Int, isStale: Bool = false) {
    if rows[row].hasValue {
      valueCost &-= rows[row].cost
    } else {
      keptValues += 1
    }
    rows[row].cost = min(max(cost, 0), .highestCost)
    valueCost &+= rows[row].cost
    rows[row].knowledge = isStale ? .staleValue : .value
    forgetFailures(of: row)
    dropError(of: row)
    rows[row].hasArrived = true
    rows[row].hasNewValue = true
    _ = rows[row].updatePhase()
    raiseChangeNumber(of: row)
    kept.remove(row)
  }

  mutating func dropValue(of row: RowID, at now: Int64) {
    guard rows[row].hasValue else { return }
    keptValues -= 1
    valueCost &-= rows[row].cost
    rows[row].knowledge = .unknown
    // Cells that show the value as `previous` release it, in any phase.
    _ = rows[row].updatePhase()
    raiseChangeNumber(of: row)
    effects.append(.dropValue(row))
    report(.evicted(row), at: now)
    countPrefetchInVain(row)
  }

  mutating func dropError(of row: RowID) {
    guard rows[row].failure != .none else { return }
    rows[row].failure = .none
    effects.append(.dropError(row))
  }

  /// Reports that a row is complete: only another event can change it.
  mutating func reportCompletion(_ row: RowID) {
    if reportsCompletedRows { effects.append(.rowCompleted(row)) }
  }

  // MARK: Removing

  /// Removes a row with its claims, its work and its value.
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
      displayedRows -= 1
    }
    forgetAppearance(of: row)
    discard(row, at: now)
  }

  private mutating func forgetAppearance(of row: RowID) {
    guard rows[row].hasAppeared else { return }
    rows[row].hasAppeared = false
    appearedRows.removeAll { $0 == row }
  }

  /// Drops the value, the error and the work of a row.
  private mutating func discard(_ row: RowID, at now: Int64) {
    if rows[row].work == .waiting { metrics.cancelledWaiting += 1 }
    forgetFailures(of: row)
    stopWork(on: row, at: now)
    dropValue(of: row, at: now)
    if rows[row].knowledge == .nothing { rows[row].knowledge = .unknown }
    dropError(of: row)
    dropBlanks(of: row, at: now)
    kept.remove(row)
    updatePhase(of: row)
    forgetIfUnused(row)
  }

  /// Drops the values of all unclaimed rows.
  package mutating func evictAll(at now: Int64) {
    for row in Array(rows.ids) where !rows[row].isClaimed && rows[row].hasValue {
      dropValue(of: row, at: now)
      setNeedsEvaluation(row)
    }
  }

  // MARK: Keeping and forgetting

  /// Adds an unclaimed row to the kept lists, whose least recent entries are dropped first.
  mutating func remember(_ row: RowID) {
    if rows[row].hasValue {
      if !kept.contains(row, in: .values), !kept.contains(row, in: .unseen) {
        // While a prefetch runs, the value is from an earlier load.
        let isUnseen = rows[row].isUnseenPrefetch && rows[row].run == nil
        kept.append(row, to: isUnseen ? .unseen : .values)
      }
    } else if rows[row].hasFailed || rows[row].knowledge == .nothing {
      if !kept.contains(row, in: .failures) { kept.append(row, to: .failures) }
    } else {
      kept.remove(row)
    }
  }

  private var keepsTooMuch: Bool {
    keptValues > settings.valueLimit ?? .max || valueCost > settings.costLimit ?? .max
  }

  /// The next prefetched and undisplayed value to drop.
  ///
  /// Without retention, `prefetchLimit` of them are still kept.
  private mutating func unseenToDrop() -> RowID? {
    if settings.valueLimit == 0, kept.count(in: .unseen) <= settings.prefetchLimit { return nil }
    return kept.first(in: .unseen)
  }

  mutating func evictExcess(at now: Int64) {
    while keepsTooMuch, let row = kept.first(in: .values) {
      dropValue(of: row, at: now)
      kept.remove(row)
      evaluateAmidTurn(row, at: now)
    }
    // Undisplayed prefetches are dropped after all others.
    while keepsTooMuch, let row = unseenToDrop() {
      dropValue(of: row, at: now)
      kept.remove(row)
      shrinkUnseenRoom()
      evaluateAmidTurn(row, at: now)
    }
    while kept.count(in: .failures) > settings.failureLimit, let row = kept.first(in: .failures) {
      kept.remove(row)
      forgetFailures(of: row)
      rest(row)
      rows[row].knowledge = .unknown
      evaluateAmidTurn(row, at: now)
    }
  }

  mutating func forgetIfUnused(_ row: RowID) {
    guard rows[row].isUnused, !rows[row].isForgetting else { return }
    rows[row].isForgetting = true
    unused.rows.append(row)
  }

  mutating func forgetNow(_ row: RowID) -> Bool {
    guard rows.contains(row) else { return false }
    // A row that left the screen is forgotten after the turn that evaluates it.
    guard rows[row].isUnused, !rows[row].wasDisplayed else {
      rows[row].isForgetting = false
      return false
    }
    forgetAppearance(of: row)
    forgetFailures(of: row)
    dropError(of: row)
    kept.remove(row)
    rows.remove(row)
    return true
  }
}

extension Int {
  /// The highest cost that counts: 2^40, a terabyte if costs are bytes.
  static var highestCost: Int { 1 << 40 }
}
