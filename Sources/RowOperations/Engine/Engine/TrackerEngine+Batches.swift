/// Loads of several rows; a batch is a run that holds a slot.
///
/// Each of its rows has a run of its own, the member, with the row's generation and no slot.
extension TrackerEngine {
  // MARK: Admission

  /// Gives a row and its riders a slot, and requests their operation.
  mutating func admitBatch(beside lead: RowID, _ claim: ClaimKind, at now: Int64) {
    let all = [lead] + riders(beside: lead, claim, at: now)
    // The lead is the most urgent row; another may have a stronger claim.
    let strongest = all.compactMap { rows[$0].claim?.kind }.min() ?? claim
    let batch = runs.admitBatch(strongest, generation: nextSerial(), at: now)
    tookSlot(batch, for: lead, at: now)
    for row in all {
      line.remove(row)
      let claim = rows[row].claim?.kind ?? claim
      let run = runs.admitMember(of: batch, row, claim, generation: nextSerial(), at: now)
      rows[row].work = .running(run, .none)
      if claim == .prefetched { rows[row].isUnseenPrefetch = true }
      updatePhase(of: row)
    }
    counts.started += all.count
    counts.peakRunning = max(counts.peakRunning, runs.running)
    effects.append(.start(batch))
  }

  /// The waiting rows that load with one, in the order of claims.
  ///
  /// Prefetched rows ride only beside a prefetched one. Rows that are held back do not ride, nor
  /// those of other lanes. After a failure a row rides only with rows of the same half.
  private func riders(beside lead: RowID, _ claim: ClaimKind, at now: Int64) -> [RowID] {
    guard settings.batchSize > 1 else { return [] }
    let part = failures.part(of: lead)
    let riders = choice(at: now).candidates.filter { candidate in
      candidate.row != lead && !candidate.isHeld
        && rows[candidate.row].claim != nil && failures.part(of: candidate.row) == part
        && lane(of: candidate.row) == lane(of: lead)
        && (candidate.claim.kind == .prefetched) == (claim == .prefetched)
    }
    return riders.sorted { $0.claim.goesBefore($1.claim) }.prefix(settings.batchSize - 1).map(\.row)
  }

  mutating func batchMade(_ batch: RunID, at now: Int64) -> Bool {
    let members = admittedMembers(of: batch)
    runs.made(batch)
    runs.setMembers(of: batch, members)
    counts.batches += 1
    for run in members {
      runs.made(run)
      report(.joined(run), at: now)
      report(.started(run), at: now)
    }
    return true
  }

  // MARK: Claims

  /// A batch has the strongest claim of its rows, and goes on while a list keeps one of them.
  ///
  /// Once in a turn; later changes are evaluated in the next one.
  mutating func updateBatch(of run: RunID, at now: Int64) {
    let batch = load(of: run)
    guard runs.evaluates(batch, inTurn: counts.turns) else { return }
    let loading = batchRows(of: batch)
    if runs.setClaim(batch, loading.compactMap { rows[$0].claim?.kind }.min()) {
      effects.append(.claim(batch))
    }
    if loading.contains(where: { rows[$0].isClaimed }) {
      runs.claimed(batch)
    } else {
      runs.unclaimed(batch, until: now + settings.grace)
    }
  }

  /// A member has left its batch: the answer for it no longer counts.
  ///
  /// The end of the turn evaluates whether the batch goes on.
  mutating func memberLeft(_ batch: RunID, at now: Int64) {
    guard let row = batchRows(of: batch).first else { return stopBatch(batch, at: now) }
    setNeedsEvaluation(row)
  }

  /// The row no longer waits for its batch.
  mutating func dropMember(_ run: RunID, at now: Int64) {
    leave(run, at: now)
    countPrefetchInVain(runs[run].row)
    rest(runs[run].row)
  }

  // MARK: Cancels

  /// Cancels the operation of a batch, or withdraws it before.
  private mutating func stopBatch(_ batch: RunID, isTimedOut: Bool = false, at now: Int64) {
    runs.leaveSlot(batch)
    leftSlot(batch, well: false)
    guard runs[batch].stage != .admitted else { return runs.end(batch) }
    runs.cancelled(batch, isTimedOut: isTimedOut)
    effects.append(.cancel(batch))
  }

  /// - Returns: The rows that the batch had.
  private mutating func stopAll(_ batch: RunID, at now: Int64) -> [RowID] {
    let members = admittedMembers(of: batch) + currentMembers(of: batch)
    for run in members { dropMember(run, at: now) }
    stopBatch(batch, at: now)
    return members.map { runs[$0].row }
  }

  /// The load yields, or its grace or its time is over.
  ///
  /// - Returns: The rows that it had, which the caller evaluates.
  mutating func cancelLoad(_ run: RunID, isTimedOut: Bool = false, at now: Int64) -> [RowID] {
    guard runs[run].role == .single else {
      return isTimedOut ? timeOutBatch(run, at: now) : stopAll(run, at: now)
    }
    cancelRun(of: runs[run].row, isTimedOut: isTimedOut, at: now)
    return [runs[run].row]
  }

  private mutating func timeOutBatch(_ batch: RunID, at now: Int64) -> [RowID] {
    let (members, start) = (currentMembers(of: batch), runs[batch].startedAt)
    let size = runs.members(of: batch).count
    stopBatch(batch, isTimedOut: true, at: now)
    var failed: [RowID] = []
    for run in members {
      let row = runs[run].row
      guard rows[row].isClaimed else {
        dropMember(run, at: now)
        setNeedsEvaluation(row)
        continue
      }
      leave(run, isTimedOut: true, at: now)
      if runs[run].isOutdated { failWithoutTrace(row) } else { failed.append(row) }
    }
    fail(failed, ofBatchWith: size, .timeOut, settings.timeOut, since: start, at: now)
    return members.map { runs[$0].row }
  }

  // MARK: Ends

  mutating func batchStepped(_ batch: RunID) -> Bool {
    for run in currentMembers(of: batch) {
      let row = runs[run].row
      rows[row].stepped(.progress)
      contentChanged(of: row)
      setNeedsEvaluation(row)
    }
    return true
  }

  /// Records the end of a batch, or the value of one row before it.
  mutating func batchEnded(
    _ run: RunID, _ state: RunState, _ outcome: Outcome, at now: Int64
  ) -> Bool {
    switch (state.role, outcome) {
    case (.batch, _): endBatch(run, state, outcome, at: now)
    case (_, .value(let cost)): return memberEnded(run, state, cost: cost, at: now)
    case (_, .failure): return false
    }
    return true
  }

  private mutating func memberEnded(
    _ run: RunID, _ state: RunState, cost: Int, at now: Int64
  ) -> Bool {
    let row = state.row
    switch state.stage {
    case .current where state.isOutdated && !rows[row].isClaimed:
      // The row has left: nobody waits for an outdated value.
      dropMember(run, at: now)
      setNeedsEvaluation(row)
      refuse(run, at: now)
      return false
    case .current:
      commit(run, state, cost: cost, at: now)
    case .cancelled:
      refuse(run, at: now)
      return false
    case .timedOut: break
    case .admitted, .ended: return false
    }
    runs.end(run)
    return state.stage == .current
  }

  private mutating func refuse(_ run: RunID, at now: Int64) {
    counts.refusedStale += 1
    report(.refused(run), at: now)
    runs.end(run)
  }

  /// The values have been taken: the rows that still wait have none.
  private mutating func endBatch(
    _ batch: RunID, _ state: RunState, _ outcome: Outcome, at now: Int64
  ) {
    guard state.stage != .ended, state.stage != .admitted else { return }
    var isProbe: Bool?
    if state.stage == .current {
      var isValue = true
      if case .failure(let cause) = outcome {
        isProbe = pause(after: cause, of: batch, at: now)
        isValue = false
      }
      runs.leaveSlot(batch)
      leftSlot(batch, well: isValue)
      if isValue { gate.loadEnded(after: now - state.startedAt) }
    }
    let members = runs.members(of: batch)
    var failed: [RowID] = []
    for run in members {
      let row = runs[run].row
      switch runs[run].stage {
      case .current where rows[row].isClaimed:
        leaveSlot(row, run)
        report(.failed(run), at: now)
        if runs[run].isOutdated { failWithoutTrace(row) } else { failed.append(row) }
      case .current:
        dropMember(run, at: now)
        setNeedsEvaluation(row)
        stopped(run, at: now)
      case .cancelled: stopped(run, at: now)
      case .timedOut: break
      case .admitted, .ended: continue
      }
      runs.end(run)
    }
    switch outcome {
    case .value:
      for row in failed {
        fail(row, .error, settings.missingFromBatch, since: state.startedAt, at: now)
      }
    case .failure(let cause):
      failed.removeAll { loadsAgain($0, cause, asProbe: isProbe) }
      fail(failed, ofBatchWith: members.count, .error, cause, since: state.startedAt, at: now)
    }
    runs.end(batch)
  }

  private mutating func stopped(_ run: RunID, at now: Int64) {
    counts.cancelledRunning += 1
    report(.stopped(run), at: now)
  }

  // MARK: Failures

  /// Fails the rows that waited for a batch.
  ///
  /// They load again in two halves, all at one time, so that the row at fault is soon alone. Only a
  /// row that fails alone comes nearer to being given up.
  private mutating func fail(
    _ failed: [RowID], ofBatchWith size: Int, _ failure: Snapshot.Failure, _ cause: FailureCause,
    since start: Int64, at now: Int64
  ) {
    guard size > 1, let first = failed.first else {
      for row in failed {
        fail(row, failure, cause, since: start, at: now)
        let part = nextSerial()
        failures.series[row]?.part = part
      }
      return
    }
    let parts = (nextSerial(), nextSerial())
    let middle = (failed.count + 1) / 2
    for (index, row) in failed.enumerated() {
      let part = index < middle ? parts.0 : parts.1
      failures.addShared(cause, of: row, part: part, since: start)
    }
    let wait = failures.series[first].flatMap { delay(after: $0, of: first) }
    for row in failed {
      counts.failed += 1
      countPrefetchInVain(row)
      show(failure, of: row, retriedAfter: wait, at: now)
    }
  }

  // MARK: Questions

  /// The run that holds the slot of a run: its batch, or itself.
  package func load(of run: RunID) -> RunID {
    if case .member(let batch, _) = runs[run].role { batch } else { run }
  }

  func admittedMembers(of batch: RunID) -> [RunID] {
    runs.members(of: batch).filter { runs[$0].stage == .admitted }
  }

  /// The rows that wait for the answer, those that have left included.
  func currentMembers(of batch: RunID) -> [RunID] {
    runs.members(of: batch).filter { runs[$0].stage == .current }
  }

  func wantedMembers(of batch: RunID) -> [RunID] {
    currentMembers(of: batch).filter { rows[runs[$0].row].isClaimed && !runs[$0].isOutdated }
  }

  /// Those that have left included.
  func batchRows(of batch: RunID) -> [RowID] {
    (admittedMembers(of: batch) + currentMembers(of: batch)).map { runs[$0].row }
  }

  /// As ``sortedForCommit(_:)``, with rows before their batches.
  func batchesSortedForCommit(_ ended: [RunID]) -> [RunID] {
    let members = ended.flatMap { runs.contains($0) ? runs.members(of: $0) : [] }
    let isDisplayed = { (run: RunID) in
      runs[run].stage == .current && rows[runs[run].row].displays > 0
    }
    return members.filter(isDisplayed) + members.filter { !isDisplayed($0) } + ended
  }
}
