extension TrackerEngine {
  // MARK: Steps

  /// Records a step of a running load, which cells show while it runs.
  mutating func stepped(_ run: RunID, hasValue: Bool) -> Bool {
    guard runs.contains(run), runs[run].stage == .current else { return false }
    guard runs[run].role == .single else { return batchStepped(run) }
    let row = runs[run].row
    rows[row].stepped(hasValue ? .value : .progress)
    let isNew = hasValue ? rows[row].valueChanged() : rows[row].contentChanged()
    if isNew { changedRows.append(row) }
    setNeedsEvaluation(row)
    return true
  }

  // MARK: Ends

  mutating func ended(_ run: RunID, _ outcome: Outcome, at now: Int64) -> Bool {
    guard runs.contains(run) else { return false }
    let state = runs[run]
    guard state.role == .single else { return batchEnded(run, state, outcome, at: now) }
    defer { runs.end(run) }
    switch (state.stage, outcome) {
    case (.current, .value(let cost)):
      gate.loadEnded(after: now - state.startedAt)
      if settings.streams?.isLoad == true { streams.loaded(state.row, by: run) }
      commit(run, state, cost: cost, at: now)
      return true
    case (.current, .failure(let cause)):
      let isProbe = pause(after: cause, of: run, at: now)
      leaveSlot(state.row, run)
      report(.failed(run), at: now)
      if state.isOutdated {
        failWithoutTrace(state.row)
        return false
      }
      if loadsAgain(state.row, cause, asProbe: isProbe) { return false }
      fail(state.row, .error, cause, since: state.startedAt, at: now)
      return true
    case (.cancelled, .value):
      counts.refusedStale += 1
      report(.refused(run), at: now)
    case (.cancelled, .failure):
      counts.cancelledRunning += 1
      report(.stopped(run), at: now)
    case (.admitted, _), (.timedOut, _), (.ended, _):
      break
    }
    return false
  }

  mutating func commit(_ run: RunID, _ state: RunState, cost: Int, at now: Int64) {
    let row = state.row
    leaveSlot(row, run, well: true)
    counts.finished += 1
    if !rows[row].isClaimed { counts.finishedOffScreen += 1 }
    keepValue(of: row, cost: cost, isStale: state.isOutdated)
    loadedRows.append(row)
    report(.finished(run), at: now)
    setNeedsEvaluation(row)
  }

  /// The outcome of the operation no longer counts.
  mutating func leaveSlot(_ row: RowID, _ run: RunID, well: Bool = false) {
    runs.leaveSlot(run)
    leftSlot(run, well: well)
    if rows[row].runEnded() { effects.append(.dropStep(row)) }
  }

  /// - Parameter isTimedOut: A timeout counts as a failure.
  mutating func cancelRun(of row: RowID, isTimedOut: Bool = false, at now: Int64) {
    guard let run = rows[row].run else { return }
    let state = runs[run]
    if case .member(let batch, _) = state.role {
      dropMember(run, at: now)
      return memberLeft(batch, at: now)
    }
    leave(run, isTimedOut: isTimedOut, at: now)
    if isTimedOut, state.isOutdated { return failWithoutTrace(row) }
    countPrefetchInVain(row)
    guard !isTimedOut else {
      return fail(row, .timeOut, settings.timeOut, since: state.startedAt, at: now)
    }
    rest(row)
    updatePhase(of: row)
  }

  /// The row no longer waits for its run.
  mutating func leave(_ run: RunID, isTimedOut: Bool = false, at now: Int64) {
    guard runs[run].stage != .admitted else { return withdraw(run, at: now) }
    runs.cancelled(run, isTimedOut: isTimedOut)
    if !runs[run].isMember { effects.append(.cancel(run)) }
    report(isTimedOut ? .timedOut(run) : .cancelled(run), at: now)
    leaveSlot(runs[run].row, run)
  }

  mutating func stopWork(on row: RowID, at now: Int64) {
    switch rows[row].work {
    case .running: cancelRun(of: row, at: now)
    case .waiting: leaveLine(row, at: now)
    case .backoff, .failed, .givenUp: rows[row].work = .none
    case .none: break
    }
  }

  mutating func countPrefetchInVain(_ row: RowID) {
    guard rows[row].isUnseenPrefetch else { return }
    rows[row].isUnseenPrefetch = false
    counts.prefetchedInVain += 1
  }
}
