/// Rows that wait for a slot, and their admission.
extension TrackerEngine {
  // MARK: Waiting

  /// Inserts a row into a waiting list, by its strongest claim.
  ///
  /// O(1) for a new claim, which belongs at the end of the list or, among prefetches, beside the
  /// last insertion. A returning claim walks past the newer ones.
  private mutating func insertWaiting(_ row: RowID, _ priority: Priority) {
    let list = WorkList(priority.kind)
    guard list != .prefetched else { return insertPrefetched(row, priority.rank) }
    var neighbour = work.last(in: list)
    if neighbour == row { neighbour = work.previous(of: row) }
    while let other = neighbour, other == row || rank(of: other, in: list) > priority.rank {
      neighbour = work.previous(of: other)
    }
    work.insert(row, into: list, after: neighbour)
  }

  /// Inserts a prefetch, starting from the last insertion: the next row of a call belongs beside
  /// it.
  private mutating func insertPrefetched(_ row: RowID, _ rank: UInt64) {
    work.remove(row)
    var neighbour = lastInsertedPrefetch.flatMap { work.contains($0, in: .prefetched) ? $0 : nil }
    while let other = neighbour, rows[other].prefetchRank > rank {
      neighbour = work.previous(of: other)
    }
    while let next = neighbour.map({ work.next(of: $0) }) ?? work.first(in: .prefetched),
      rows[next].prefetchRank < rank
    {
      neighbour = next
    }
    work.insert(row, into: .prefetched, after: neighbour)
    lastInsertedPrefetch = row
  }

  private func rank(of row: RowID, in list: WorkList) -> UInt64 {
    switch list {
    case .landing: rows[row].landingRank
    case .displayed: rows[row].displayRank
    case .prefetched, .running, .grace: rows[row].prefetchRank
    }
  }

  mutating func enterWaiting(_ row: RowID, _ priority: Priority, at now: Int64) {
    rows[row].work = .waiting
    insertWaiting(row, priority)
    reportWaiting(row, at: now)
  }

  /// Moves a waiting load after a possible change of its strongest claim.
  mutating func moveWaiting(_ row: RowID, _ priority: Priority) {
    // A load that stays in a list keeps its rank there.
    if !work.contains(row, in: WorkList(priority.kind)) { insertWaiting(row, priority) }
  }

  /// Removes a row with a renewed claim from its waiting list until its evaluation, so that the
  /// list stays sorted.
  mutating func rankChanged(of row: RowID, _ kind: Priority.Kind) {
    let list = WorkList(kind)
    if work.contains(row, in: list) { work.remove(row) }
  }

  mutating func leaveWaiting(_ row: RowID, at now: Int64) {
    work.remove(row)
    rest(row)
    reportLeftWaiting(row, at: now)
  }

  private mutating func reportWaiting(_ row: RowID, at now: Int64) {
    guard settings.reportsEvents else { return }
    rows[row].isReportedWaiting = true
    report(.waiting(row), at: now)
  }

  private mutating func reportLeftWaiting(_ row: RowID, at now: Int64) {
    guard rows[row].isReportedWaiting else { return }
    rows[row].isReportedWaiting = false
    report(.leftWaiting(row), at: now)
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
  ) -> (row: RowID, kind: Priority.Kind)? {
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
    guard mayPrefetch, let row = work.first(in: .prefetched), admits(row, .prefetched, at: now)
    else { return nil }
    return (row, .prefetched)
  }

  private mutating func isStaying(_ row: RowID, at now: Int64) -> Bool {
    gate.isStaying(
      displayedSince: rows[row].displayedAt, displayedRows: displayedRows, at: now)
  }

  /// Picks the displayed row to load next.
  ///
  /// While the list moves, rows of the newest turn have the most time left on screen. If the policy
  /// holds these back, it holds back the older ones as well.
  ///
  /// At rest the oldest go first.
  private mutating func nextDisplayed() -> RowID? {
    guard gate.isMoving, let last = work.last(in: .displayed) else {
      return work.first(in: .displayed)
    }
    var first = last
    while let row = work.previous(of: first), rows[row].displayPass == rows[last].displayPass {
      first = row
    }
    return first
  }

  @inline(__always)
  private mutating func admits(_ row: RowID, _ kind: Priority.Kind, at now: Int64) -> Bool {
    // At rest every row starts. Calling the gate here would copy it (figure B12).
    !gate.isMoving
      || gate.admits(
        kind, displayedSince: rows[row].displayedAt, displayedRows: displayedRows, at: now)
  }

  /// The strength of a running load's claim, in the order of admissions.
  ///
  /// - Returns: `nil` without a claim.
  package mutating func stageClaim(of row: RowID, at now: Int64) -> StageClaim? {
    guard let priority = rows[row].priority else { return nil }
    let isDisplayed = priority.kind == .displayed
    return StageClaim(
      kind: isDisplayed && isStaying(row, at: now) ? .staying : priority.kind,
      pass: isDisplayed && gate.isMoving ? .max - rows[row].displayPass : 0,
      rank: priority.rank)
  }

  /// All waiting rows, strongest claim first.
  ///
  /// O(waiting rows).
  package var waitingByPriority: [RowID] {
    var displayed = Array(work.elements(in: .displayed))
    if gate.isMoving {
      displayed.sort {
        let (a, b) = (rows[$0], rows[$1])
        return a.displayPass != b.displayPass
          ? a.displayPass > b.displayPass : a.displayRank < b.displayRank
      }
    }
    return Array(work.elements(in: .landing)) + displayed + Array(work.elements(in: .prefetched))
  }

  /// Gives the strongest waiting load a slot and requests its operation.
  package mutating func admitNext(mayPrefetch: Bool, at now: Int64) {
    guard let row = nextLoad(mayPrefetch: mayPrefetch, at: now)?.row else { return }
    admit(row, at: now)
  }

  package mutating func admit(_ row: RowID, at now: Int64) {
    guard rows[row].priority != nil else {
      // The app's code has ended the last claim during the turn.
      metrics.cancelledWaiting += 1
      leaveWaiting(row, at: now)
      return setNeedsEvaluation(row)
    }
    work.append(row, to: .running)
    let run = runs.insert(
      RunState(row: row, generation: nextSerial(), startedAt: now))
    rows[row].work = .running(run, .none)
    if rows[row].priority?.kind == .prefetched { rows[row].isUnseenPrefetch = true }
    updatePrefetchShare(of: row)
    metrics.started += 1
    metrics.peakRunning = max(metrics.peakRunning, runningLoads)
    updatePhase(of: row)
    effects.append(.start(run))
  }

  /// Records that the app's closure has made the operation of a run.
  ///
  /// - Returns: Whether to start the operation. If `false`, it never starts.
  package mutating func operationMade(_ run: RunID, generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation) else { return false }
    let row = runs[run].row
    runs[run].stage = .current
    // The start event ends the waiting.
    rows[row].isReportedWaiting = false
    report(.started(run), at: now)
    return true
  }

  package func isAdmitted(_ run: RunID, _ generation: UInt64) -> Bool {
    runs.contains(run) && runs[run].generation == generation && runs[run].stage == .admitted
  }

  /// Records that the app has neither an operation nor a value for the row of a run.
  package mutating func nothingFound(_ run: RunID, generation: UInt64, at now: Int64) {
    guard isAdmitted(run, generation) else { return }
    let row = runs[run].row
    withdraw(run, at: now)
    rows[row].isUnseenPrefetch = false
    forgetFailures(of: row)
    dropValue(of: row, at: now)
    dropError(of: row)
    rows[row].knowledge = .nothing
    reportCompletion(row)
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
  }

  /// Ends a run before its operation is made.
  mutating func withdraw(_ run: RunID, at now: Int64) {
    metrics.started -= 1
    endRun(of: runs[run].row)
    reportLeftWaiting(runs[run].row, at: now)
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
    guard let row = loadToYield(yield) else { return false }
    cancelRun(of: row, at: now)
    if yield != .unclaimed {
      rows[row].work = .setAside
      reportCompletion(row)
    }
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    return true
  }

  private func loadToYield(_ yield: SlotTable.Yield) -> RowID? {
    let prefetched = work.elements(in: .running).filter { rows[$0].usesPrefetchShare }
    switch yield {
    case .unclaimed: return work.first(in: .grace)
    case .hungPrefetch: return prefetched.filter(isHung).min { startOfRun($0) < startOfRun($1) }
    case .weakestPrefetch:
      return prefetched.max { rows[$0].prefetchRank < rows[$1].prefetchRank }
    }
  }

  private func isHung(_ row: RowID) -> Bool {
    rows[row].usesPrefetchShare && (rows[row].run.map { runs[$0].isHung } ?? false)
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
