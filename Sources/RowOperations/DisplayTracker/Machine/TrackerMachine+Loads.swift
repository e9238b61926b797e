/// Loads from their start to their end.
extension TrackerMachine {
  // MARK: Starting

  /// The load that is to start next, if any may: the strongest claim that the scroll policy admits.
  ///
  /// O(1).
  ///
  /// - Parameter mayPrefetch: Whether a slot is left for prefetching.
  package mutating func nextLoad(mayPrefetch: Bool, at now: Int64) -> LoadID? {
    guard !isSuspended else { return nil }
    if let load = order.firstLanding, admits(.landing, at: now) { return load }
    // While the list moves, the newest pass has the most time left on screen: if it is held back,
    // the older ones are.
    if let load = order.firstDisplayed(newestPassFirst: gate.isMoving),
      admits(.displayed(since: loads[load].displayedAt), at: now)
    {
      return load
    }
    if mayPrefetch, let load = order.firstPrefetched, admits(.prefetched, at: now) { return load }
    return nil
  }

  private mutating func admits(_ claim: ScrollGate.Claim, at now: Int64) -> Bool {
    gate.admits(claim, displayedRows: displayedRows, at: now)
  }

  /// A waiting load gets a slot.
  ///
  /// - Returns: The generation of its operation.
  package mutating func loadStarted(_ load: LoadID, at now: Int64) -> UInt64 {
    order.remove(load)
    // Being started says of a row that it waits no longer; it may be another one now.
    if loads[load].waitingRow == leader(of: load) { loads[load].waitingRow = nil }
    noteLeftWaiting(load)
    loads[load].work = .running
    loads[load].generation = nextSerial()
    loads[load].startedAt = now
    running.append(load, to: RunList.claimed)
    if case .prefetched = loads[load].place { loads[load].isUnseenPrefetch = true }
    updatePrefetchShare(of: load)
    metrics.started += 1
    metrics.peakRunning = max(metrics.peakRunning, runningLoads)
    tellPhase(of: load)
    return loads[load].generation
  }

  /// Whether that is the operation whose value the load is waiting for.
  package func isCurrent(_ generation: UInt64, of load: LoadID) -> Bool {
    loads.contains(load) && loads[load].work == .running && loads[load].generation == generation
  }

  /// A load gives way to one that is wanted more: the oldest that runs though nothing claims it, or
  /// else the last of those that are only prefetched, if these may give way.
  ///
  /// O(running loads).
  ///
  /// - Returns: Whether there was one.
  package mutating func yieldSlot(prefetchesYield: Bool, at now: Int64) -> Bool {
    guard
      let load = running.first(in: RunList.grace) ?? (prefetchesYield ? lastRunningPrefetch : nil)
    else { return false }
    cancelRun(of: load, at: now)
    judge(load, at: now)
    trimMemory(at: now)
    return true
  }

  private var lastRunningPrefetch: LoadID? {
    running.elements(in: RunList.claimed).filter { loads[$0].usesPrefetchShare }
      .max { loads[$0].prefetchRank < loads[$1].prefetchRank }
  }

  // MARK: Ending

  package enum Outcome: Hashable, Sendable {
    case value(cost: Int)
    case failure
  }

  /// A load has ended.
  ///
  /// - Returns: Whether it counts; if not, a newer load or value has taken its place.
  package mutating func loadEnded(
    _ load: LoadID, generation: UInt64, _ outcome: Outcome, at now: Int64
  ) -> Bool {
    guard isCurrent(generation, of: load) else {
      if case .value = outcome { metrics.refusedStale += 1 }
      return false
    }
    endRun(of: load)
    switch outcome {
    case .value(let cost):
      metrics.finished += 1
      if !loads[load].isClaimed { metrics.finishedOffScreen += 1 }
      gate.loadEnded(after: now - loads[load].startedAt)
      keepValue(of: load, cost: cost)
    case .failure:
      fail(load, at: now)
    }
    touch(load)
    return true
  }

  /// A load that was about to start turned out to have nothing to load.
  package mutating func nothingFound(for load: LoadID, generation: UInt64, at now: Int64) {
    guard isCurrent(generation, of: load) else { return }
    metrics.started -= 1
    endRun(of: load)
    if settings.notesWaiting, let row = leader(of: load) { effects.leftWaiting.append(row) }
    loads[load].isUnseenPrefetch = false
    // Nor is there what an out-of-date value would have been replaced by.
    dropValue(of: load)
    loads[load].knowledge = .nothing
    judge(load, at: now)
  }

  /// A value for the row came from elsewhere: set by the app, or found in its cache.
  package mutating func valueFound(for load: LoadID, cost: Int, at now: Int64) {
    switch loads[load].work {
    case .running: cancelRun(of: load, at: now)
    case .waiting:
      order.remove(load)
      noteLeftWaiting(load)
    case .backoff, .none: break
    }
    loads[load].work = .none
    keepValue(of: load, cost: cost)
    touch(load)
  }

  private mutating func keepValue(of load: LoadID, cost: Int) {
    if loads[load].hasValue {
      valueCost -= loads[load].cost
    } else {
      valueCount += 1
    }
    valueCost += cost
    loads[load].cost = cost
    loads[load].knowledge = .value
    forgetFailure(of: load)
    // Committed counts as recent; and its cells are to be rendered even if it was loaded before.
    memory.remove(load)
    loads[load].toldPhase = .loaded
    effects.changed.append(load)
  }

  private mutating func fail(_ load: LoadID, at now: Int64) {
    metrics.failed += 1
    notePrefetchInVain(load)
    loads[load].failures += 1
    guard case .backoff(let strategy) = settings.retry, loads[load].isClaimed,
      let delay = strategy.delay(
        beforeRetry: Int(loads[load].failures) - 1, chance: chance(for: load))
    else {
      loads[load].hasFailed = true
      return
    }
    loads[load].work = .backoff
    loads[load].deadline = now + delay.nanoseconds
    backoffs.append(load)
  }

  /// A number from 0 to 1 that differs from load to load and from device to device.
  private func chance(for load: LoadID) -> Double {
    // SplitMix64 by Steele, Lea and Flood.
    var z = settings.seed &+ loads[load].generation &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }

  /// Its operation no longer counts: it ended, or what it brings will be refused.
  private mutating func endRun(of load: LoadID) {
    running.remove(load)
    loads[load].work = .none
    updatePrefetchShare(of: load)
  }

  mutating func cancelRun(of load: LoadID, at now: Int64) {
    effects.cancelled.append(loads[load].generation)
    gate.loadCancelled(after: now - loads[load].startedAt)
    endRun(of: load)
    notePrefetchInVain(load)
  }

  // MARK: Time

  /// When the machine wants to be told the time though nothing has happened.
  ///
  /// O(running loads and loads to be tried again) with a timeout, else O(loads to be tried again).
  package var nextDeadline: Int64? {
    var first = gate.quietDeadline ?? .max
    if order.count > 0, !isSuspended { first = min(first, gate.nextJudgement ?? .max) }
    if let load = running.first(in: RunList.grace) { first = min(first, loads[load].deadline) }
    if let timeout = settings.timeout {
      for load in allRunning { first = min(first, loads[load].startedAt + timeout) }
    }
    for load in backoffs where isBackingOff(load) { first = min(first, loads[load].deadline) }
    return first < .max ? first : nil
  }

  private var allRunning: [LoadID] {
    Array(running.elements(in: RunList.claimed)) + Array(running.elements(in: RunList.grace))
  }

  mutating func endGrace(at now: Int64) {
    while let load = running.first(in: RunList.grace), loads[load].deadline <= now {
      cancelRun(of: load, at: now)
      judge(load, at: now)
    }
  }

  mutating func endTimeouts(at now: Int64) {
    guard let timeout = settings.timeout else { return }
    for load in allRunning where loads[load].startedAt + timeout <= now {
      effects.timedOut.append(
        Effects.TimeOut(load: load, generation: loads[load].generation))
      cancelRun(of: load, at: now)
      fail(load, at: now)
      judge(load, at: now)
    }
  }

  private func isBackingOff(_ load: LoadID) -> Bool {
    loads.contains(load) && loads[load].work == .backoff
  }

  mutating func endBackoffs(at now: Int64) {
    guard !backoffs.isEmpty else { return }
    backoffs = backoffs.filter { isBackingOff($0) }
    for load in backoffs where loads[load].deadline <= now {
      loads[load].work = .none
      judge(load, at: now)
    }
  }

  /// Whether nothing runs, and nothing is left that may start by itself.
  package mutating func isIdle(mayPrefetch: Bool, at now: Int64) -> Bool {
    !isPassOpen && runningLoads == 0 && !backoffs.contains { isBackingOff($0) }
      && nextLoad(mayPrefetch: mayPrefetch, at: now) == nil
  }
}

extension Duration {
  /// The whole duration in nanoseconds, as far as it fits.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min / 4 : .max / 4 }
    return product + attoseconds / 1_000_000_000
  }
}
