extension TrackerEngine {
  // MARK: Waiting

  mutating func enterLine(_ row: RowID, at now: Int64) {
    rows[row].work = .waiting
    line.insert(row)
    if settings.laneLimit != nil { lanes.enteredLine(row) }
    report(.waiting(row), at: now)
  }

  mutating func leaveLine(_ row: RowID, at now: Int64) {
    line.remove(row)
    rest(row)
    report(.leftWaiting(row), at: now)
  }

  // MARK: Admission

  /// Gives a row its slot, if it still waits.
  mutating func admitWinner(_ row: RowID, at now: Int64) {
    if rows.contains(row), rows[row].work == .waiting { admit(row, at: now) }
  }

  mutating func admit(_ row: RowID, at now: Int64) {
    guard let claim = rows[row].claim?.kind else {
      // The app's code has ended the last claim during the turn.
      counts.cancelledWaiting += 1
      leaveLine(row, at: now)
      return setNeedsEvaluation(row)
    }
    guard settings.batchSize == 0 else { return admitBatch(beside: row, claim, at: now) }
    line.remove(row)
    let run = runs.admit(row, claim, generation: nextSerial(), at: now)
    tookSlot(run, for: row, at: now)
    rows[row].work = .running(run, .none)
    if claim == .prefetched { rows[row].isUnseenPrefetch = true }
    counts.started += 1
    counts.peakRunning = max(counts.peakRunning, runs.running)
    updatePhase(of: row)
    effects.append(.start(run))
  }

  mutating func updateClaim(of row: RowID, _ run: RunID) {
    if runs.setClaim(run, rows[row].claim?.kind) { effects.append(.claim(run)) }
  }

  mutating func made(_ run: RunID, _ generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation: generation) else { return false }
    guard runs[run].role == .single else { return batchMade(run, at: now) }
    runs.made(run)
    report(.started(run), at: now)
    loadBegan(runs[run].row, at: now)
    return true
  }

  /// Records that the app has neither an operation nor a value for the row of a run.
  mutating func foundNothing(_ run: RunID, _ generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation: generation) else { return false }
    let row = runs[run].row
    withdraw(run, at: now)
    if runs[run].isMember { memberLeft(load(of: run), at: now) }
    rows[row].isUnseenPrefetch = false
    failures.forget(row)
    dropValue(of: row, at: now)
    dropError(of: row)
    dropStream(of: row, at: now)
    rows[row].knowledge = .nothing
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    return true
  }

  mutating func withdraw(_ run: RunID, at now: Int64) {
    let row = runs[run].row
    counts.started -= 1
    leaveSlot(row, run)
    report(.leftWaiting(row), at: now)
    runs.end(run)
  }

  // MARK: Slots

  /// Cancels a load for a more urgent one.
  ///
  /// - Returns: Whether a load yielded.
  mutating func yieldSlot(
    _ yield: SlotTable.Yield, in lane: Int = 0, at now: Int64
  ) -> Bool {
    let yielding: RunID? =
      switch yield {
      case .unclaimed: runs.runs(in: .grace).first { lane == 0 || lanes.loads[$0] == lane }
      case .prefetch: leastPrefetch(choice(at: now), in: lane)?.run
      }
    guard let run = yielding else { return false }
    for row in cancelLoad(run, at: now) { evaluateAmidTurn(row, at: now) }
    evictExcess(at: now)
    openStreams(at: now)
    return true
  }

  /// Fills all free slots of a tracker that shares them with no other.
  ///
  /// - Returns: The bid that is left, with the highest urgency if rows wait that were not looked
  ///   at.
  @discardableResult
  package mutating func admitAll(_ slots: SlotTable, at now: Int64) -> SlotBid {
    var choice: Choice?
    while line.count > 0, !isSuspended {
      var bid = bidWithoutRequest
      let hasFree = slots.ledger(bid).hasFree
      guard hasFree || runs.inGrace > 0 || runs.prefetching > 0 else {
        bid.next = .highest
        return bid
      }
      var current = choice.take() ?? self.choice(at: now)
      let next = nextLoad(current)
      bid.next = next?.urgency
      bid.lane = next?.lane ?? 0
      if !hasFree { bid.leastLoss = leastPrefetch(current)?.loss }
      let lane = next.flatMap { $0.lane == 0 ? nil : use(of: $0.lane, current) }
      guard let next, let decision = slots.decide(bid, in: lane) else {
        if bid.next == nil, hasFree { filterRows(at: now) }
        return bid
      }
      if case .yield(_, let yield, let lane, _) = decision {
        guard yieldSlot(yield, in: lane, at: now) else { return bid }
        // The row that has yielded waits now, too, and does not get its slot back.
        if slots.ledger(bidWithoutRequest).hasFree { admitWinner(next.row, at: now) }
      } else {
        admit(next.row, at: now)
        removeCandidates(of: &current, startedWith: next.row)
        choice = isGuarded ? nil : current
      }
    }
    return bidWithoutRequest
  }

  private func removeCandidates(of choice: inout Choice, startedWith row: RowID) {
    if settings.batchSize == 0 {
      let index = choice.candidates.firstIndex { $0.row == row }
      if let index { choice.candidates.remove(at: index) }
    } else {
      choice.candidates.removeAll { rows[$0.row].work != .waiting }
    }
  }

  mutating func slotBid(at now: Int64) -> SlotBid {
    var bid = bidWithoutRequest
    let requests = line.count > 0 && !isSuspended
    guard requests || runs.prefetching > 0 else { return bid }
    let choice = choice(at: now)
    bid.leastLoss = leastPrefetch(choice)?.loss
    guard requests else { return bid }
    let next = nextLoad(choice)
    bid.next = next?.urgency
    bid.lane = next?.lane ?? 0
    if bid.next == nil { filterRows(at: now) }
    return bid
  }

  /// No motion lets a paused row start.
  private mutating func filterRows(at now: Int64) {
    isFiltering = isFiltering || line.rows.contains { !isStopped($0, at: now) }
  }

  /// Lets loads yield that have begun in the last turn, or in the turn of another tracker.
  mutating func admissionIsOver() { serialOfTurnStart = lastSerial }

  private var bidWithoutRequest: SlotBid {
    SlotBid(
      running: runs.running, lingering: runs.lingering, hasUnclaimed: runs.inGrace > 0,
      hasNews: !slotNews.isEmpty)
  }
}
