extension TrackerEngine {
  /// The next turn that no input requests.
  ///
  /// At most O(running loads, rows in backoff, live rows and waiting rows).
  package var nextDeadline: Int64? {
    mutating get {
      var first = Int64.max
      if gate.isMoving { first = gate.quietDeadline ?? .max }
      if let end = runs.endOfFirstGrace { first = min(first, end) }
      if let timeout = settings.timeout, let start = runs.firstStart {
        first = min(first, start + timeout)
      }
      for row in failures.backoffs { first = min(first, backoffEnd(row) ?? .max) }
      if holds.isInUse, let end = endOfFirstHold { first = min(first, end) }
      if settings.streams != nil, let next = nextStreamDeadline { first = min(first, next) }
      return first < .max ? first : nil
    }
  }

  private func backoffEnd(_ row: RowID) -> Int64? {
    guard rows.contains(row), case .backoff(let end) = rows[row].work else { return nil }
    return end
  }

  var hasBackoffs: Bool { failures.backoffs.contains { backoffEnd($0) != nil } }

  mutating func endGrace(at now: Int64) {
    while let run = runs.first(in: .grace), let end = runs[run].graceEnd, end <= now {
      for row in cancelLoad(run, at: now) { evaluate(row, at: now) }
    }
  }

  mutating func endTimeouts(at now: Int64) {
    guard let timeout = settings.timeout else { return }
    for run in runs.started(by: now - timeout) {
      for row in cancelLoad(run, isTimedOut: true, at: now) { evaluate(row, at: now) }
    }
  }

  mutating func endBackoffs(at now: Int64) {
    guard !failures.backoffs.isEmpty else { return }
    let waiting = failures.backoffs.filter { backoffEnd($0) != nil }
    failures.backoffs = waiting
    for row in waiting {
      guard let end = backoffEnd(row), end <= now else { continue }
      // In a covered list it waits for its next display.
      if rows[row].claim == nil { rest(row) } else { rows[row].work = .none }
      evaluate(row, at: now)
    }
  }
}
