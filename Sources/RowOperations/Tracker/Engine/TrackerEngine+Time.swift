/// Deadlines and remaining work.
extension TrackerEngine {
  /// The time of the next turn that is needed without any input.
  ///
  /// O(running loads and rows in backoff) with a timeout, else O(rows in backoff).
  @inline(__always) package var nextDeadline: Int64? {
    var first = gate.quietDeadline ?? .max
    if waitingLoads > 0, !isSuspended {
      first = min(first, gate.nextReevaluation(after: lastTurn) ?? .max)
    }
    if let row = work.first(in: .grace), let end = graceEnd(row) { first = min(first, end) }
    if let timeout = settings.timeout {
      for row in runningAndInGrace { first = min(first, startOfRun(row) + timeout) }
    }
    for row in backoffs { first = min(first, backoffEnd(row) ?? .max) }
    if runningPrefetches > 0 {
      for row in work.elements(in: .running) { first = min(first, hangBegin(row) ?? .max) }
    }
    return first < .max ? first : nil
  }

  private var runningAndInGrace: [RowID] {
    Array(work.elements(in: .running)) + Array(work.elements(in: .grace))
  }

  private func graceEnd(_ row: RowID) -> Int64? { rows[row].run.flatMap { runs[$0].graceEnd } }

  func startOfRun(_ row: RowID) -> Int64 {
    rows[row].run.map { runs[$0].startedAt } ?? .max / 2
  }

  private func isMade(_ row: RowID) -> Bool {
    rows[row].run.map { runs[$0].stage == .current } ?? false
  }

  private func backoffEnd(_ row: RowID) -> Int64? {
    guard rows.contains(row), case .backoff(let end) = rows[row].work else { return nil }
    return end
  }

  /// The time at which a prefetched load counts as hung; `nil` if it already does or has other
  /// claims.
  private func hangBegin(_ row: RowID) -> Int64? {
    guard rows[row].usesPrefetchShare, let run = rows[row].run, !runs[run].isHung else {
      return nil
    }
    return runs[run].startedAt + gate.hangTime
  }

  /// Marks hung prefetches.
  ///
  /// O(running loads).
  mutating func markHungPrefetches(at now: Int64) {
    for row in work.elements(in: .running) {
      if let begin = hangBegin(row), begin <= now, let run = rows[row].run {
        runs[run].isHung = true
      }
    }
  }

  mutating func endGrace(at now: Int64) {
    while let row = work.first(in: .grace), let end = graceEnd(row), end <= now {
      cancelRun(of: row, at: now)
      evaluate(row, at: now)
    }
  }

  mutating func endTimeouts(at now: Int64) {
    guard let timeout = settings.timeout else { return }
    for row in runningAndInGrace where startOfRun(row) + timeout <= now && isMade(row) {
      cancelRun(of: row, isTimedOut: true, at: now)
      evaluate(row, at: now)
    }
  }

  mutating func endBackoffs(at now: Int64) {
    guard !backoffs.isEmpty else { return }
    backoffs = backoffs.filter { backoffEnd($0) != nil }
    for row in backoffs {
      guard let end = backoffEnd(row), end <= now else { continue }
      // In a covered list it waits for its next display.
      if rows[row].priority == nil { rest(row) } else { rows[row].work = .none }
      evaluate(row, at: now)
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
  package func progress(of row: RowID, mayPrefetch: Bool) -> LoadProgress {
    guard let kind = rows[row].priority?.kind else { return .over }
    switch rows[row].work {
    case .none, .backoff, .failed, .givenUp, .setAside: return .over
    case .running(let run, _): return .running(runs[run].generation)
    case .waiting: return isSuspended || kind == .prefetched && !mayPrefetch ? .over : .waiting
    }
  }

  /// Whether a row is loaded, has failed, or has nothing to load.
  package func isOver(_ row: RowID) -> Bool {
    switch rows[row].work {
    case .failed, .givenUp, .setAside: true
    case .none: rows[row].knowledge == .value || rows[row].knowledge == .nothing
    case .waiting, .running, .backoff: false
    }
  }
}
