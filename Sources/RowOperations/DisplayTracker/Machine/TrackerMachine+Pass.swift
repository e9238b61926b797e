/// The end of a pass: every row and load that something happened to is judged once.
extension TrackerMachine {
  /// All events of a pass are in: decides what follows from them, and from the time.
  ///
  /// O(rows and loads that something happened to).
  package mutating func passEnded(at now: Int64) {
    if let quiet = gate.quietDeadline, quiet <= now { scrollSettled() }
    noteAppearances(at: now)
    swap(&touchedRows, &judgedRows)
    for row in judgedRows where rows.contains(row) {
      rows[row].isTouched = false
      judge(rows[row].load, at: now)
      forgetIfUnused(row)
    }
    judgedRows.emptyForReuse()
    swap(&touchedLoads, &judgedLoads)
    for load in judgedLoads where loads.contains(load) {
      loads[load].isTouched = false
      judge(load, at: now)
    }
    judgedLoads.emptyForReuse()
    endGrace(at: now)
    endTimeouts(at: now)
    endBackoffs(at: now)
    trimMemory(at: now)
    pass += 1
  }

  /// Compares which rows are displayed with the end of the last pass.
  private mutating func noteAppearances(at now: Int64) {
    for row in touchedRows where rows.contains(row) {
      guard rows[row].wasDisplayed, rows[row].displays == 0 else { continue }
      rows[row].wasDisplayed = false
      displayedRows -= 1
    }
    var appeared = 0
    for row in appearedRows where rows.contains(row) {
      guard !rows[row].wasDisplayed, rows[row].displays > 0 else { continue }
      rows[row].wasDisplayed = true
      displayedRows += 1
      appeared += 1
      // What it was prefetched for has come true. A later prefetch is a new claim.
      prefetchCancelled(row)
      noteDisplay(of: rows[row].load, at: now)
      if loads[rows[row].load].hasFailed, settings.retry != .never {
        forgetFailure(of: rows[row].load)
      }
    }
    appearedRows.emptyForReuse()
    gate.rowsAppeared(appeared, at: now)
  }

  // MARK: Judging

  /// Brings a load in line with its claims.
  mutating func judge(_ load: LoadID, at now: Int64) {
    noteDisplay(of: load, at: now)
    if let place = loads[load].place {
      switch loads[load].work {
      case .none:
        if loads[load].wantsLoad {
          enterWaiting(load, at: place)
        }
      case .waiting:
        order.place(load, at: place)
      case .running:
        if running.list(of: load) == RunList.grace { running.append(load, to: RunList.claimed) }
      case .backoff:
        break
      }
    } else {
      switch loads[load].work {
      case .none:
        break
      case .waiting:
        leaveWaiting(load)
      case .running:
        if running.list(of: load) == RunList.claimed {
          loads[load].deadline = now + settings.grace
          running.append(load, to: RunList.grace)
        }
      case .backoff:
        loads[load].work = .none
        // Its next display begins a new series of attempts.
        loads[load].hasFailed = true
      }
    }
    updatePrefetchShare(of: load)
    remember(load)
    tellPhase(of: load)
    forgetIfUnused(load)
  }

  private mutating func enterWaiting(_ load: LoadID, at place: WaitingOrder.Place) {
    loads[load].work = .waiting
    order.place(load, at: place)
    noteWaiting(load)
  }

  /// Tells that a load waits, in the name of its leader.
  private mutating func noteWaiting(_ load: LoadID) {
    guard settings.notesWaiting, let row = leader(of: load) else { return }
    loads[load].waitingRow = row
    effects.enteredWaiting.append(row)
  }

  /// Tells that a load waits no longer, of the row that was told to.
  mutating func noteLeftWaiting(_ load: LoadID) {
    guard let row = loads[load].waitingRow else { return }
    loads[load].waitingRow = nil
    effects.leftWaiting.append(row)
  }

  /// Its last claim is gone before a slot was free for it.
  mutating func leaveWaiting(_ load: LoadID) {
    order.remove(load)
    loads[load].work = .none
    metrics.cancelledWaiting += 1
    noteLeftWaiting(load)
  }

  private mutating func noteDisplay(of load: LoadID, at now: Int64) {
    let isDisplayed = loads[load].displays > 0
    guard isDisplayed != loads[load].wasDisplayed else { return }
    loads[load].wasDisplayed = isDisplayed
    guard isDisplayed else { return }
    loads[load].displayPass = pass
    loads[load].displayRank = nextRank()
    loads[load].displayedAt = now
    if loads[load].isUnseenPrefetch {
      loads[load].isUnseenPrefetch = false
      metrics.prefetchedThenDisplayed += 1
    }
  }

  mutating func updatePrefetchShare(of load: LoadID) {
    var usesShare = false
    if loads[load].work == .running, case .prefetched = loads[load].place { usesShare = true }
    guard usesShare != loads[load].usesPrefetchShare else { return }
    loads[load].usesPrefetchShare = usesShare
    prefetchesRunning += usesShare ? 1 : -1
  }

  /// Keeps what nothing claims among the things that may be dropped, least recent first.
  private mutating func remember(_ load: LoadID) {
    guard !loads[load].isClaimed else { return memory.remove(load) }
    let list = memory.list(of: load)
    if loads[load].hasValue {
      if list != MemoryList.values { memory.append(load, to: MemoryList.values) }
    } else if loads[load].hasFailed {
      if list != MemoryList.failures { memory.append(load, to: MemoryList.failures) }
    } else {
      memory.remove(load)
    }
  }

  /// Has the load's cells rendered if what they show of it has changed.
  mutating func tellPhase(of load: LoadID) {
    let phase = loads[load].phase
    guard phase != loads[load].toldPhase else { return }
    loads[load].toldPhase = phase
    effects.changed.append(load)
  }

  // MARK: Forgetting

  /// A row without cells and claims is only kept if its load is its own and is kept.
  mutating func forgetIfUnused(_ row: RowID) {
    guard settings.sharesLoads, rows.contains(row) else { return }
    guard rows[row].bindings == 0, !rows[row].isClaimed else { return }
    let load = rows[row].load
    detach(row)
    forgetIfUnused(load)
  }

  mutating func forgetIfUnused(_ load: LoadID) {
    guard loads.contains(load), loads[load].work == .none, !loads[load].isClaimed,
      !loads[load].hasValue, !loads[load].hasFailed
    else { return }
    if let row = loads[load].firstRow {
      guard !settings.sharesLoads, rows[row].bindings == 0 else { return }
      detach(row)
    }
    memory.remove(load)
    loads.remove(load)
    effects.forgottenLoads.append(load)
  }

  mutating func detach(_ row: RowID) {
    let load = rows[row].load
    let wasWaiting = loads[load].waitingRow == row
    if wasWaiting { noteLeftWaiting(load) }
    let (previous, next) = (rows[row].previous, rows[row].next)
    if let previous { rows[previous].next = next } else { loads[load].firstRow = next }
    if let next { rows[next].previous = previous }
    loads[load].rows -= 1
    if rows[row].wasDisplayed { displayedRows -= 1 }
    // Its number may be used again before the pass ends.
    if !appearedRows.isEmpty { appearedRows.removeAll { $0 == row } }
    rows.remove(row)
    effects.forgottenRows.append(row)
    if wasWaiting { noteWaiting(load) }
  }

  // MARK: Memory

  private var keepsTooMuch: Bool {
    valueCount > settings.valueLimit ?? .max || valueCost > settings.costLimit ?? .max
  }

  mutating func trimMemory(at now: Int64) {
    while keepsTooMuch, let load = memory.first(in: MemoryList.values) { evict(load, at: now) }
    while memory.count(in: MemoryList.failures) > settings.failureLimit,
      let load = memory.first(in: MemoryList.failures)
    {
      forgetFailure(of: load)
      judge(load, at: now)
    }
  }

  private mutating func evict(_ load: LoadID, at now: Int64) {
    dropValue(of: load)
    // Cells that show it as the previous value are to let go of it, whatever the phase.
    effects.changed.append(load)
    judge(load, at: now)
  }

  /// Drops all values that no row claims.
  package mutating func evictAll() {
    for load in Array(loads.ids) where !loads[load].isClaimed && loads[load].hasValue {
      dropValue(of: load)
      effects.changed.append(load)
      touch(load)
    }
  }

  mutating func dropValue(of load: LoadID) {
    guard loads[load].hasValue else { return }
    valueCount -= 1
    valueCost -= loads[load].cost
    loads[load].knowledge = .unknown
    effects.evicted.append(load)
    if let row = leader(of: load) { effects.evictedRows.append(row) }
    notePrefetchInVain(load)
  }

  mutating func notePrefetchInVain(_ load: LoadID) {
    guard loads[load].isUnseenPrefetch else { return }
    loads[load].isUnseenPrefetch = false
    metrics.prefetchedInVain += 1
  }

  mutating func forgetFailure(of load: LoadID) {
    loads[load].hasFailed = false
    loads[load].failures = 0
  }
}
