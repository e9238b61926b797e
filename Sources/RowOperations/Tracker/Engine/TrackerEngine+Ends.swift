/// Outcomes of loads: steps, values, failures and cancels.
extension TrackerEngine {
  @usableFromInline
  package enum Outcome: Hashable, Sendable {
    case value(cost: Int)
    case failure(FailureCause)
  }

  /// Sorts ended operations into the order of their commits: displayed rows come first.
  package mutating func sortedForCommit(_ ended: [RunID]) -> [RunID] {
    var offScreen = 0
    for run in ended where !isDisplayed(run) { offScreen += 1 }
    guard offScreen > 0, offScreen < ended.count else { return ended }
    return ended.filter { isDisplayed($0) } + ended.filter { !isDisplayed($0) }
  }

  // MARK: Steps

  /// Records a value or a progress that a running load shows before its end.
  ///
  /// The row's cells show it for as long as the load runs.
  package mutating func stepped(_ run: RunID, hasValue: Bool) {
    guard runs.contains(run), runs[run].stage == .current else { return }
    let row = runs[run].row
    rows[row].stepped(hasValue ? .value : .progress)
    if hasValue { rows[row].hasNewValue = true }
    raiseChangeNumber(of: row)
    setNeedsEvaluation(row)
  }

  // MARK: Ends

  // Inlined, since each call would otherwise copy the engine (figure B13).
  @inline(__always) private func isDisplayed(_ run: RunID) -> Bool {
    runs.contains(run) && rows.contains(runs[run].row) && rows[runs[run].row].displays > 0
  }

  /// Records the end of an operation.
  ///
  /// - Parameters:
  ///   - stage: The stage in which a cancelled operation stopped.
  ///   - waited: Its waiting time for stages in nanoseconds, which is not part of the load time.
  /// - Returns: Whether the outcome counts.
  package mutating func runEnded(
    _ run: RunID, _ outcome: Outcome, in stage: UpdateStage? = nil, after waited: Int64 = 0,
    at now: Int64
  ) -> Bool {
    guard runs.contains(run) else { return false }
    defer {
      runs[run].stage = .ended
      unused.runs.append(run)
    }
    if runs[run].stage == .cancelled || runs[run].stage == .timedOut {
      lingeringRuns -= 1
      if settings.limitsStages { gate.loadCancelled(after: now - runs[run].startedAt - waited) }
    }
    switch (runs[run].stage, outcome) {
    case (.current, .value(let cost)):
      commit(run, cost: cost, after: waited, at: now)
      return true
    case (.current, .failure) where runs[run].isOutdated:
      endRun(of: runs[run].row)
      report(.failed(run), at: now)
      failOutdated(runs[run].row)
      return false
    case (.current, .failure(let cause)):
      let row = runs[run].row
      endRun(of: row)
      report(.failed(run), at: now)
      fail(row, .error, cause, since: runs[run].startedAt, at: now)
      return true
    case (.cancelled, .value):
      metrics.refusedStale += 1
      report(.refused(run), at: now)
    case (.cancelled, .failure):
      metrics.cancelledRunning += 1
      if let stage { metrics.cancelledPerStage[stage, default: 0] += 1 }
      report(.stopped(run), at: now)
    case (.admitted, _), (.timedOut, _), (.ended, _):
      break
    }
    return false
  }

  private mutating func commit(_ run: RunID, cost: Int, after waited: Int64, at now: Int64) {
    let row = runs[run].row
    endRun(of: row)
    metrics.finished += 1
    if !rows[row].isClaimed { metrics.finishedOffScreen += 1 }
    gate.loadEnded(after: now - runs[run].startedAt - waited)
    keepValue(of: row, cost: cost, isStale: runs[run].isOutdated)
    loadedRows.append(row)
    report(.finished(run), at: now)
    if !runs[run].isOutdated { reportCompletion(row) }
    setNeedsEvaluation(row)
  }

  /// Ends the run of a row: the outcome of its operation no longer counts.
  mutating func endRun(of row: RowID) {
    work.remove(row)
    if rows[row].runEnded() { effects.append(.dropStep(row)) }
    updatePrefetchShare(of: row)
  }

  /// Cancels the operation of a running load.
  ///
  /// - Parameter isTimedOut: Whether the cancel is a timeout, which counts as a failure.
  mutating func cancelRun(of row: RowID, isTimedOut: Bool = false, at now: Int64) {
    guard let run = rows[row].run else { return }
    if runs[run].stage == .admitted {
      withdraw(run, at: now)
    } else {
      runs[run].stage = isTimedOut ? .timedOut : .cancelled
      lingeringRuns += 1
      effects.append(.cancel(run))
      report(isTimedOut ? .timedOut(run) : .cancelled(run), at: now)
      // With stage limits, its waiting time for stages is known only at the end of its body.
      if !settings.limitsStages { gate.loadCancelled(after: now - runs[run].startedAt) }
      endRun(of: row)
    }
    if isTimedOut, runs[run].isOutdated { return failOutdated(row) }
    countPrefetchInVain(row)
    guard !isTimedOut else {
      return fail(row, .timeOut, settings.timeOut, since: runs[run].startedAt, at: now)
    }
    rest(row)
    updatePhase(of: row)
  }

  /// Ends all work on a row.
  mutating func stopWork(on row: RowID, at now: Int64) {
    switch rows[row].work {
    case .running: cancelRun(of: row, at: now)
    case .waiting: leaveWaiting(row, at: now)
    case .backoff, .failed, .givenUp, .setAside: rows[row].work = .none
    case .none: break
    }
  }

  mutating func updatePrefetchShare(of row: RowID) {
    let usesShare = rows[row].run != nil && rows[row].priority?.kind == .prefetched
    guard usesShare != rows[row].usesPrefetchShare else { return }
    rows[row].usesPrefetchShare = usesShare
    runningPrefetches += usesShare ? 1 : -1
  }

  mutating func countPrefetchInVain(_ row: RowID) {
    guard rows[row].isUnseenPrefetch else { return }
    rows[row].isUnseenPrefetch = false
    metrics.prefetchedInVain += 1
  }
}
