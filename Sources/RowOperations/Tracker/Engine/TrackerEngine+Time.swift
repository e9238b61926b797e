/// Deadlines and remaining work.
extension TrackerEngine {
  /// The time of the next turn that is needed without any input.
  ///
  /// O(running loads and loads in backoff) with a timeout, else O(loads in backoff).
  @inline(__always) package var nextDeadline: Int64? {
    var first = gate.quietDeadline ?? .max
    if waitingLoads > 0, !isSuspended {
      first = min(first, gate.nextReevaluation(after: lastTurn) ?? .max)
    }
    if let load = work.first(in: .grace), let end = graceEnd(load) { first = min(first, end) }
    if let timeout = settings.timeout {
      for load in runningAndInGrace { first = min(first, startOfRun(load) + timeout) }
    }
    for load in backoffs { first = min(first, backoffEnd(load) ?? .max) }
    if runningPrefetches > 0 {
      for load in work.elements(in: .running) { first = min(first, hangBegin(load) ?? .max) }
    }
    return first < .max ? first : nil
  }

  private var runningAndInGrace: [LoadID] {
    Array(work.elements(in: .running)) + Array(work.elements(in: .grace))
  }

  private func graceEnd(_ load: LoadID) -> Int64? { loads[load].run.flatMap { runs[$0].graceEnd } }

  func startOfRun(_ load: LoadID) -> Int64 {
    loads[load].run.map { runs[$0].startedAt } ?? .max / 2
  }

  private func isMade(_ load: LoadID) -> Bool {
    loads[load].run.map { runs[$0].stage == .current } ?? false
  }

  private func backoffEnd(_ load: LoadID) -> Int64? {
    guard loads.contains(load), case .backoff(let end) = loads[load].work else { return nil }
    return end
  }

  /// The time at which a prefetched load counts as hung; `nil` if it already does or has other
  /// claims.
  private func hangBegin(_ load: LoadID) -> Int64? {
    guard loads[load].usesPrefetchShare, let run = loads[load].run, !runs[run].isHung else {
      return nil
    }
    return runs[run].startedAt + gate.hangTime
  }

  /// Marks hung prefetches.
  ///
  /// O(running loads).
  mutating func markHungPrefetches(at now: Int64) {
    for load in work.elements(in: .running) {
      if let begin = hangBegin(load), begin <= now, let run = loads[load].run {
        runs[run].isHung = true
      }
    }
  }

  mutating func endGrace(at now: Int64) {
    while let load = work.first(in: .grace), let end = graceEnd(load), end <= now {
      cancelRun(of: load, at: now)
      evaluate(load, at: now)
    }
  }

  mutating func endTimeouts(at now: Int64) {
    guard let timeout = settings.timeout else { return }
    for load in runningAndInGrace where startOfRun(load) + timeout <= now && isMade(load) {
      cancelRun(of: load, isTimedOut: true, at: now)
      evaluate(load, at: now)
    }
  }

  mutating func endBackoffs(at now: Int64) {
    guard !backoffs.isEmpty else { return }
    backoffs = backoffs.filter { backoffEnd($0) != nil }
    for load in backoffs {
      guard let end = backoffEnd(load), end <= now else { continue }
      // In a covered list it waits for its next display.
      if loads[load].priority == nil { rest(load) } else { loads[load].work = .none }
      evaluate(load, at: now)
    }
  }

  /// Whether nothing runs and nothing can start without an input.
  package mutating func isIdle(mayPrefetch: Bool, at now: Int64) -> Bool {
    !needsTurn && runs.count == 0 && !backoffs.contains { backoffEnd($0) != nil }
      && nextLoad(mayPrefetch: mayPrefetch, at: now) == nil
  }

  /// The progress of a load at the end of a turn.
  ///
  /// - Parameter mayPrefetch: Whether prefetching can ever get a slot.
  package func progress(of load: LoadID, mayPrefetch: Bool) -> LoadProgress {
    guard let kind = loads[load].priority?.kind else { return .over }
    switch loads[load].work {
    case .none, .backoff, .failed, .givenUp, .setAside: return .over
    case .running(let run, _): return .running(runs[run].generation)
    case .waiting: return isSuspended || kind == .prefetched && !mayPrefetch ? .over : .waiting
    }
  }

  /// Whether a load has succeeded, failed, or has nothing to load.
  package func isOver(_ load: LoadID) -> Bool {
    switch loads[load].work {
    case .failed, .givenUp, .setAside: true
    case .none: loads[load].knowledge == .value || loads[load].knowledge == .nothing
    case .waiting, .running, .backoff: false
    }
  }
}
