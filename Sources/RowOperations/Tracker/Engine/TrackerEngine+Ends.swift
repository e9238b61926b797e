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
  /// All rows of the load show it, for as long as the load runs.
  package mutating func stepped(_ run: RunID, hasValue: Bool) {
    guard runs.contains(run), runs[run].stage == .current else { return }
    let load = runs[run].load
    loads[load].stepped(hasValue ? .value : .progress)
    raiseChangeNumber(of: load)
    setNeedsEvaluation(load)
  }

  // MARK: Ends

  // Inlined, since each call would otherwise copy the engine (figure B13).
  @inline(__always) private func isDisplayed(_ run: RunID) -> Bool {
    runs.contains(run) && loads.contains(runs[run].load) && loads[runs[run].load].displays > 0
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
      endRun(of: runs[run].load)
      report(.failed(run), at: now)
      failOutdated(runs[run].load)
      return false
    case (.current, .failure(let cause)):
      let load = runs[run].load
      endRun(of: load)
      report(.failed(run), at: now)
      fail(load, .error, cause, since: runs[run].startedAt, at: now)
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
    let load = runs[run].load
    endRun(of: load)
    metrics.finished += 1
    if !loads[load].isClaimed { metrics.finishedOffScreen += 1 }
    gate.loadEnded(after: now - runs[run].startedAt - waited)
    keepValue(of: load, cost: cost, isStale: runs[run].isOutdated)
    committedLoads.append(load)
    report(.finished(run), at: now)
    if !runs[run].isOutdated { reportCompletion(load) }
    setNeedsEvaluation(load)
  }

  /// Ends the run of a load: the outcome of its operation no longer counts.
  mutating func endRun(of load: LoadID) {
    work.remove(load)
    if loads[load].runEnded() { effects.append(.dropStep(load)) }
    updatePrefetchShare(of: load)
  }

  /// Cancels the operation of a running load.
  ///
  /// - Parameter isTimedOut: Whether the cancel is a timeout, which counts as a failure.
  mutating func cancelRun(of load: LoadID, isTimedOut: Bool = false, at now: Int64) {
    guard let run = loads[load].run else { return }
    if runs[run].stage == .admitted {
      withdraw(run, at: now)
    } else {
      runs[run].stage = isTimedOut ? .timedOut : .cancelled
      lingeringRuns += 1
      effects.append(.cancel(run))
      report(isTimedOut ? .timedOut(run) : .cancelled(run), at: now)
      // With stage limits, its waiting time for stages is known only at the end of its body.
      if !settings.limitsStages { gate.loadCancelled(after: now - runs[run].startedAt) }
      endRun(of: load)
    }
    if isTimedOut, runs[run].isOutdated { return failOutdated(load) }
    countPrefetchInVain(load)
    guard !isTimedOut else {
      return fail(load, .timeOut, settings.timeOut, since: runs[run].startedAt, at: now)
    }
    rest(load)
    updatePhase(of: load)
  }

  /// Ends all work on a load.
  mutating func stopWork(on load: LoadID, at now: Int64) {
    switch loads[load].work {
    case .running: cancelRun(of: load, at: now)
    case .waiting: leaveWaiting(load, at: now)
    case .backoff, .failed, .givenUp, .setAside: loads[load].work = .none
    case .none: break
    }
  }

  mutating func updatePrefetchShare(of load: LoadID) {
    let usesShare = loads[load].run != nil && loads[load].priority?.kind == .prefetched
    guard usesShare != loads[load].usesPrefetchShare else { return }
    loads[load].usesPrefetchShare = usesShare
    runningPrefetches += usesShare ? 1 : -1
  }

  mutating func countPrefetchInVain(_ load: LoadID) {
    guard loads[load].isUnseenPrefetch else { return }
    loads[load].isUnseenPrefetch = false
    metrics.prefetchedInVain += 1
  }
}
