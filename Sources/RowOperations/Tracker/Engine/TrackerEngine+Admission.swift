/// Loads that wait for a slot, and their admission.
extension TrackerEngine {
  // MARK: Waiting

  /// Inserts a load into a waiting list, by its strongest claim.
  ///
  /// O(1) for a new claim, which belongs at the end of the list or, among prefetches, beside the
  /// last insertion. A returning claim walks past the newer ones.
  private mutating func insertWaiting(_ load: LoadID, _ priority: Priority) {
    let list = WorkList(priority.kind)
    guard list != .prefetched else { return insertPrefetched(load, priority.rank) }
    var neighbour = work.last(in: list)
    if neighbour == load { neighbour = work.previous(of: load) }
    while let other = neighbour, other == load || rank(of: other, in: list) > priority.rank {
      neighbour = work.previous(of: other)
    }
    work.insert(load, into: list, after: neighbour)
  }

  /// Inserts a prefetch, starting from the last insertion: the next row of a call belongs beside
  /// it.
  private mutating func insertPrefetched(_ load: LoadID, _ rank: UInt64) {
    work.remove(load)
    var neighbour = lastInsertedPrefetch.flatMap { work.contains($0, in: .prefetched) ? $0 : nil }
    while let other = neighbour, loads[other].prefetchRank > rank {
      neighbour = work.previous(of: other)
    }
    while let next = neighbour.map({ work.next(of: $0) }) ?? work.first(in: .prefetched),
      loads[next].prefetchRank < rank
    {
      neighbour = next
    }
    work.insert(load, into: .prefetched, after: neighbour)
    lastInsertedPrefetch = load
  }

  private func rank(of load: LoadID, in list: WorkList) -> UInt64 {
    switch list {
    case .landing: loads[load].landingRank
    case .displayed: loads[load].displayRank
    case .prefetched, .running, .grace: loads[load].prefetchRank
    }
  }

  mutating func enterWaiting(_ load: LoadID, _ priority: Priority, at now: Int64) {
    loads[load].work = .waiting
    insertWaiting(load, priority)
    reportWaiting(load, at: now)
  }

  /// Moves a waiting load after a possible change of its strongest claim.
  mutating func moveWaiting(_ load: LoadID, _ priority: Priority) {
    // A load that stays in a list keeps its rank there.
    if !work.contains(load, in: WorkList(priority.kind)) { insertWaiting(load, priority) }
  }

  /// Removes a load with a renewed claim from its waiting list until its evaluation, so that the
  /// list stays sorted.
  mutating func rankChanged(of load: LoadID, _ kind: Priority.Kind) {
    let list = WorkList(kind)
    if work.contains(load, in: list) { work.remove(load) }
  }

  mutating func leaveWaiting(_ load: LoadID, at now: Int64) {
    work.remove(load)
    rest(load)
    reportLeftWaiting(load, at: now)
  }

  /// Reports that a load waits, as an event of its leader.
  private mutating func reportWaiting(_ load: LoadID, at now: Int64) {
    guard settings.reportsEvents, let row = leader(of: load) else { return }
    loads[load].waitingRow = row
    report(.waiting(row), at: now)
  }

  private mutating func reportLeftWaiting(_ load: LoadID, at now: Int64) {
    guard let row = loads[load].waitingRow else { return }
    loads[load].waitingRow = nil
    report(.leftWaiting(row), at: now)
  }

  /// Hands the reported waiting of a row on to another row before the first one is forgotten.
  mutating func passOnWaiting(from row: RowID, at now: Int64) {
    let load = rows[row].load
    guard loads[load].waitingRow == row else { return }
    reportLeftWaiting(load, at: now)
    if loads[load].work == .waiting, leader(of: load) != row { reportWaiting(load, at: now) }
  }

  // MARK: Admission

  /// The load with the strongest claim that the scroll policy admits.
  ///
  /// Displayed rows that stay on screen for long go first, then landing rows, other displayed rows,
  /// and prefetched rows.
  ///
  /// O(1), and while the list moves O(waiting rows of the newest turn).
  ///
  /// - Parameter mayPrefetch: Whether a slot is left for prefetching.
  @inline(__always)
  package mutating func nextLoad(
    mayPrefetch: Bool, at now: Int64
  ) -> (load: LoadID, kind: Priority.Kind)? {
    guard !isSuspended else { return nil }
    let landing = work.first(in: .landing)
    let displayed = nextDisplayed()
    if landing != nil, let displayed, isStaying(displayed, at: now),
      admits(displayed, .staying, at: now)
    {
      return (displayed, .staying)
    }
    if let landing, admits(landing, .landing, at: now) { return (landing, .landing) }
    if let displayed, admits(displayed, .displayed, at: now) { return (displayed, .displayed) }
    guard mayPrefetch, let load = work.first(in: .prefetched), admits(load, .prefetched, at: now)
    else { return nil }
    return (load, .prefetched)
  }

  private mutating func isStaying(_ load: LoadID, at now: Int64) -> Bool {
    gate.isStaying(
      displayedSince: loads[load].displayedAt, displayedRows: displayedRows, at: now)
  }

  /// Picks the displayed row to load next.
  ///
  /// While the list moves, rows of the newest turn have the most time left on screen. If the policy
  /// holds these back, it holds back the older ones as well.
  ///
  /// At rest the oldest go first.
  private mutating func nextDisplayed() -> LoadID? {
    guard gate.isMoving, let last = work.last(in: .displayed) else {
      return work.first(in: .displayed)
    }
    var first = last
    while let load = work.previous(of: first), loads[load].displayPass == loads[last].displayPass {
      first = load
    }
    return first
  }

  @inline(__always)
  private mutating func admits(_ load: LoadID, _ kind: Priority.Kind, at now: Int64) -> Bool {
    // At rest every row starts. Calling the gate here would copy it (figure B12).
    !gate.isMoving
      || gate.admits(
        kind, displayedSince: loads[load].displayedAt, displayedRows: displayedRows, at: now)
  }

  /// The strength of a running load's claim, in the order of admissions.
  ///
  /// - Returns: `nil` without a claim.
  package mutating func stageClaim(of load: LoadID, at now: Int64) -> StageClaim? {
    guard let priority = loads[load].priority else { return nil }
    let isDisplayed = priority.kind == .displayed
    return StageClaim(
      kind: isDisplayed && isStaying(load, at: now) ? .staying : priority.kind,
      pass: isDisplayed && gate.isMoving ? .max - loads[load].displayPass : 0,
      rank: priority.rank)
  }

  /// All waiting loads, strongest claim first.
  ///
  /// O(waiting loads).
  package var waitingByPriority: [LoadID] {
    var displayed = Array(work.elements(in: .displayed))
    if gate.isMoving {
      displayed.sort {
        let (a, b) = (loads[$0], loads[$1])
        return a.displayPass != b.displayPass
          ? a.displayPass > b.displayPass : a.displayRank < b.displayRank
      }
    }
    return Array(work.elements(in: .landing)) + displayed + Array(work.elements(in: .prefetched))
  }

  /// Gives the strongest waiting load a slot and requests its operation.
  package mutating func admitNext(mayPrefetch: Bool, at now: Int64) {
    guard let load = nextLoad(mayPrefetch: mayPrefetch, at: now)?.load else { return }
    admit(load, at: now)
  }

  package mutating func admit(_ load: LoadID, at now: Int64) {
    guard loads[load].priority != nil, let row = leader(of: load) else {
      // The app's code has ended the last claim during the turn.
      metrics.cancelledWaiting += 1
      leaveWaiting(load, at: now)
      return setNeedsEvaluation(load)
    }
    work.append(load, to: .running)
    let run = runs.insert(
      RunState(load: load, row: row, generation: nextSerial(), startedAt: now))
    loads[load].work = .running(run, .none)
    if loads[load].priority?.kind == .prefetched { loads[load].isUnseenPrefetch = true }
    updatePrefetchShare(of: load)
    metrics.started += 1
    metrics.peakRunning = max(metrics.peakRunning, runningLoads)
    updatePhase(of: load)
    effects.append(.start(run))
  }

  /// Records that the app's closure has made the operation of a run.
  ///
  /// - Returns: Whether to start the operation. If `false`, it never starts.
  package mutating func operationMade(_ run: RunID, generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation) else { return false }
    let load = runs[run].load
    runs[run].stage = .current
    // The start event ends the waiting of its row, which may differ from the reported row by now.
    if loads[load].waitingRow == runs[run].row { loads[load].waitingRow = nil }
    reportLeftWaiting(load, at: now)
    report(.started(run), at: now)
    return true
  }

  package func isAdmitted(_ run: RunID, _ generation: UInt64) -> Bool {
    runs.contains(run) && runs[run].generation == generation && runs[run].stage == .admitted
  }

  /// Records that the app has neither an operation nor a value for the row of a run.
  package mutating func nothingFound(_ run: RunID, generation: UInt64, at now: Int64) {
    guard isAdmitted(run, generation) else { return }
    let load = runs[run].load
    withdraw(run, at: now)
    loads[load].isUnseenPrefetch = false
    forgetFailures(of: load)
    dropValue(of: load, at: now)
    dropError(of: load)
    loads[load].knowledge = .nothing
    reportCompletion(load)
    evaluate(load, at: now)
    evictExcess(at: now)
  }

  /// Ends a run before its operation is made.
  mutating func withdraw(_ run: RunID, at now: Int64) {
    metrics.started -= 1
    endRun(of: runs[run].load)
    reportLeftWaiting(runs[run].load, at: now)
    runs[run].stage = .ended
    unused.runs.append(run)
  }

  /// Cancels a load so that its slot goes to a stronger claim.
  ///
  /// A prefetched load that yields is not prefetched again, since it would take the slot once more.
  ///
  /// O(running loads).
  ///
  /// - Returns: Whether a load yielded.
  package mutating func yieldSlot(_ yield: SlotTable.Yield, at now: Int64) -> Bool {
    guard let load = loadToYield(yield) else { return false }
    cancelRun(of: load, at: now)
    if yield != .unclaimed {
      loads[load].work = .setAside
      reportCompletion(load)
    }
    evaluate(load, at: now)
    evictExcess(at: now)
    return true
  }

  private func loadToYield(_ yield: SlotTable.Yield) -> LoadID? {
    let prefetched = work.elements(in: .running).filter { loads[$0].usesPrefetchShare }
    switch yield {
    case .unclaimed: return work.first(in: .grace)
    case .hungPrefetch: return prefetched.filter(isHung).min { startOfRun($0) < startOfRun($1) }
    case .weakestPrefetch:
      return prefetched.max { loads[$0].prefetchRank < loads[$1].prefetchRank }
    }
  }

  private func isHung(_ load: LoadID) -> Bool {
    loads[load].usesPrefetchShare && (loads[load].run.map { runs[$0].isHung } ?? false)
  }

  /// Fills all free slots of a tracker that shares them with no other.
  package mutating func admitAll(_ slots: SlotTable, at now: Int64) {
    while true {
      let bid = CollectionOfOne(slotBid(at: now))
      switch slots.decide(bid) {
      case .start: admitNext(mayPrefetch: SlotLedger(bid, slots).mayPrefetch, at: now)
      case .yield(_, let yield):
        guard yieldSlot(yield, at: now) else { return }
      case nil: return
      }
    }
  }

  /// The tracker's use of the slots and its strongest request.
  package mutating func slotBid(at now: Int64) -> SlotBid {
    SlotBid(
      running: runningLoads, prefetching: runningPrefetches, lingering: lingeringRuns,
      hasUnclaimed: work.count(in: .grace) > 0,
      hasHungPrefetch: runningPrefetches > 0 && work.elements(in: .running).contains(where: isHung),
      next: nextLoad(mayPrefetch: true, at: now)?.kind)
  }
}
