extension TrackerEngine {
  // MARK: Failing

  mutating func fail(
    _ row: RowID, _ failure: Snapshot.Failure, _ cause: FailureCause, since start: Int64,
    at now: Int64
  ) {
    counts.failed += 1
    recordFailure(row, failure, cause, since: start, at: now)
  }

  mutating func recordFailure(
    _ row: RowID, _ failure: Snapshot.Failure, _ cause: FailureCause, since start: Int64,
    at now: Int64
  ) {
    countPrefetchInVain(row)
    let series = failures.add(cause, of: row, since: start, at: now)
    show(failure, of: row, retriedAfter: delay(after: series, of: row), at: now)
  }

  /// Shows a failure that is recorded.
  ///
  /// - Parameter delay: Before the next attempt; `nil` if none follows by itself.
  mutating func show(
    _ failure: Snapshot.Failure, of row: RowID, retriedAfter delay: Int64?, at now: Int64
  ) {
    rows[row].failure = failure
    rows[row].hasArrived = true
    if let delay {
      rows[row].work = .backoff(until: now + delay)
      failures.backoffs.append(row)
    } else {
      rest(row)
    }
    // Another failure is new content, though the phase is the same.
    contentChanged(of: row)
    setNeedsEvaluation(row)
  }

  /// Another load follows: the row was invalidated during its run, or was refused.
  mutating func failWithoutTrace(_ row: RowID) {
    counts.failed += 1
    countPrefetchInVain(row)
    setNeedsEvaluation(row)
  }

  /// `nil` if this display has no attempt left.
  func delay(after series: FailureSeries, of row: RowID) -> Int64? {
    guard case .backoff(let delay) = settings.retry, series.cause.isRetryable,
      !series.isGivenUpAgain, rows[row].isClaimed
    else { return nil }
    // A batch's failure is no attempt of its rows.
    return delay(max(series.attempts - 1, 0), chance(for: row), series.cause.retryAfter)
  }

  /// A number from 0 to 1 that differs between rows and devices.
  func chance(for row: RowID) -> Double {
    // SplitMix64 by Steele, Lea and Flood.
    let state = lastSerial &<< 20 ^ UInt64(truncatingIfNeeded: row.index)
    var z = settings.seed &+ state &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }

  /// The row is idle, or failed if its last attempt failed.
  mutating func rest(_ row: RowID) {
    guard !failures.series.isEmpty, let series = failures.series[row] else {
      rows[row].work = .none
      return dropError(of: row)
    }
    rows[row].work = neverRetries || series.isGivenUp ? .givenUp : .failed
  }

  var neverRetries: Bool {
    if case .never = settings.retry { true } else { false }
  }

  // MARK: Retries

  mutating func retryOnDisplay(_ row: RowID, at now: Int64) {
    switch rows[row].work {
    case .failed: break
    case .givenUp: guard let chance = nextChance(of: row), chance <= now else { return }
    case .none, .waiting, .running, .backoff: return
    }
    rows[row].work = .none
    failures.series[row]?.beginAnew()
  }

  func nextChance(of row: RowID) -> Int64? {
    neverRetries ? nil : failures.series[row]?.nextChance(after: settings.restOfGivenUp)
  }

  mutating func retried(_ row: RowID, at now: Int64) {
    restartStream(of: row, at: now)
    guard canRetry(row) else { return }
    rows[row].work = .none
    failures.forget(row)
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  // MARK: Heals

  /// Retries failed displayed rows soon after the list or network returned.
  ///
  /// A returned network clears the connectivity failures of all rows.
  mutating func heal(at now: Int64) {
    let heal = failures.takeHeal()
    if heal.list { resumeStreams(at: now) }
    guard !heal.isNone, !neverRetries else { return }
    for row in failures.series.keys.sorted(byNumber: { Double($0.index) }) {
      let isMended = heal.network && failures.series[row]?.isMendedByNetwork == true
      if isMended { failures.series[row] = nil }
      self.heal(row, isMended: isMended, at: now)
    }
    if heal.network { healStreams(at: now) }
  }

  private mutating func heal(_ row: RowID, isMended: Bool, at now: Int64) {
    switch rows[row].work {
    case .failed where rows[row].displays > 0, .failed where isMended, .givenUp where isMended:
      failures.series[row]?.beginAnew()
      if rows[row].claim != nil {
        rows[row].work = .backoff(until: failures.startOfHeal(at: now) + delayOfHeal(row))
        failures.backoffs.append(row)
      } else {
        rest(row)
      }
    case .backoff(let end) where isMended:
      let start = failures.startOfHeal(at: now) + delayOfHeal(row)
      rows[row].work = .backoff(until: min(end, start))
    case .none, .waiting, .running, .backoff, .failed, .givenUp:
      return
    }
    setNeedsEvaluation(row)
  }

  /// Spreads loads, so that many devices do not call a server at once.
  func delayOfHeal(_ row: RowID) -> Int64 {
    // The rows of a batch load again together.
    Int64(Double(settings.healSpread) * chance(for: settings.batchSize > 0 ? .none : row))
  }
}

extension FailureSeries {
  fileprivate var isMendedByNetwork: Bool { cause.isConnectivity && cause.isRetryable }
}
