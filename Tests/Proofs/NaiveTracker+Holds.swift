import RowOperationsTesting

@testable import RowOperations

/// What holds loads back beside slots: pauses of servers, the rate of starts, and full lanes.
extension NaiveTracker {
  /// Whether a pause or the rate holds the load of a row.
  func isHeld(_ row: Int) -> Bool {
    let paused = [pauses[0], pauses[lane(row)]].contains { pause in
      pause.map { $0.end > now || $0.probe != nil } ?? false
    }
    let recent = starts.count { $0.time > now - 1_000_000_000 }
    return paused || recent >= startsPerSecond ?? .max
  }

  func isFull(_ lane: Int) -> Bool {
    guard lane > 0, let limit = settings.laneLimit else { return false }
    return loads.count { self.lane($0.rows[0]) == lane } >= limit
  }

  func hasPlace(for row: Int) -> Bool { hasFreeSlot && !isFull(lane(row)) }

  // MARK: Starts

  /// The first load after a pause is its probe.
  mutating func noteStart(of load: Load) {
    starts.append((load.order, now))
    for lane in Set([0, lane(load.rows[0])]) { pauses[lane]?.probe = load.order }
  }

  mutating func withdrawStart(of load: Load) { starts.removeAll { $0.order == load.order } }

  func isProbe(_ order: Int) -> Bool { pauses.values.contains { $0.probe == order } }

  mutating func endProbe(_ order: Int, well: Bool) {
    for (lane, pause) in pauses where pause.probe == order {
      if well { pauses[lane] = nil } else { pauses[lane]?.probe = nil }
    }
  }

  // MARK: Refusals

  private func pause(after cause: FailureCause) -> Int64? {
    guard !neverRetries, let wait = cause.retryAfter, wait <= .seconds(60) else { return nil }
    return max(wait, .seconds(1)).nanoseconds
  }

  mutating func pause(after cause: FailureCause, inLaneOf row: Int) {
    guard let pause = pause(after: cause) else { return }
    let lane = lane(row)
    pauses[lane] = (max(now + pause, pauses[lane]?.end ?? 0), nil)
  }

  /// Whether a refused row goes back into the line.
  mutating func goesBack(_ row: Int, _ cause: FailureCause, asProbe: Bool) -> Bool {
    guard pause(after: cause) != nil, cause.isRetryable else { return false }
    refusals[row, default: []].append(asProbe)
    let all = refusals[row] ?? []
    guard all.count == 5 || all.count(where: \.self) == 2 else { return true }
    refusals[row] = nil
    return false
  }
}
