/// Failed loads and their retries.
extension TrackerEngine {
  /// The shortest time between two heals, in nanoseconds.
  static let healInterval: Int64 = 2_000_000_000

  // MARK: Failing

  /// - Parameter start: The start of the attempt.
  mutating func fail(
    _ row: RowID, _ failure: Snapshot.Failure, _ cause: FailureCause, since start: Int64,
    at now: Int64
  ) {
    metrics.failed += 1
    countPrefetchInVain(row)
    let series = recordFailure(of: row, cause)
    rows[row].failure = failure
    rows[row].hasArrived = true
    if let delay = delay(after: series, of: row) {
      rows[row].work = .backoff(until: now + delay)
      backoffs.append(row)
    } else {
      rest(row)
    }
    // The attempt already ran when the list or the network returned.
    pendingHeal.list = pendingHeal.list || lastResume.map { start < $0 } ?? false
    if cause.isConnectivity, cause.isRetryable { hasLackedNetwork = true }
    pendingHeal.network =
      pendingHeal.network || cause.isConnectivity && lastNetwork.map { start < $0 } ?? false
    // Another failure is new content, though the phase is the same.
    _ = rows[row].updatePhase()
    raiseChangeNumber(of: row)
    setNeedsEvaluation(row)
  }

  /// Records the failure of a row that was invalidated during its run: another load follows
  /// anyway.
  mutating func failOutdated(_ row: RowID) {
    metrics.failed += 1
    countPrefetchInVain(row)
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  private mutating func recordFailure(of row: RowID, _ cause: FailureCause) -> FailureSeries {
    var series = failures[row] ?? FailureSeries()
    series.add(cause)
    failures[row] = series
    return series
  }

  /// The delay before the next attempt; `nil` if this display has none left.
  private func delay(after series: FailureSeries, of row: RowID) -> Int64? {
    guard case .backoff(let strategy) = settings.retry, series.cause.isRetryable,
      rows[row].isClaimed
    else { return nil }
    return strategy.delay(
      beforeRetry: series.attempts - 1, chance: chance(for: row),
      retryAfter: series.cause.retryAfter
    )?.nanoseconds
  }

  /// A number from 0 to 1 that differs between rows and between devices.
  private func chance(for row: RowID) -> Double {
    // SplitMix64 by Steele, Lea and Flood.
    let state = lastSerial &<< 20 ^ UInt64(truncatingIfNeeded: row.index)
    var z = settings.seed &+ state &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }

  /// Marks a row as idle, or as failed if its last attempt failed.
  mutating func rest(_ row: RowID) {
    guard !failures.isEmpty, let series = failures[row] else {
      rows[row].work = .none
      return dropError(of: row)
    }
    rows[row].work = settings.retry == .never || series.isGivenUp ? .givenUp : .failed
    reportCompletion(row)
  }

  /// Forgets the failures of a row, so that its next one counts as the first.
  mutating func forgetFailures(of row: RowID) {
    if !failures.isEmpty { failures[row] = nil }
  }

  // MARK: Retries

  /// Retries a failed load, since one of its rows came on screen.
  mutating func retryOnDisplay(_ row: RowID) {
    guard rows[row].work == .failed else { return }
    rows[row].work = .none
    failures[row]?.beginAnew()
  }

  /// Whether a row failed and no attempt runs or waits for a slot.
  package func canRetry(_ row: RowID) -> Bool {
    switch rows[row].work {
    case .failed, .givenUp, .backoff: true
    case .none, .waiting, .running, .setAside: false
    }
  }

  /// Retries a failed load.
  package mutating func retried(_ row: RowID) {
    guard canRetry(row) else { return }
    rows[row].work = .none
    forgetFailures(of: row)
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  // MARK: Heals

  /// The reasons to retry failed loads: the list or the network is back.
  package struct Heal: Hashable, Sendable {
    package var list = false
    package var network = false

    var isNone: Bool { !list && !network }
  }

  /// Records that the network is back.
  mutating func networkReturned(at now: Int64) {
    lastNetwork = now
    pendingHeal.network = true
  }

  /// Retries failed displayed rows soon after the list or the network has returned.
  ///
  /// A returned network also clears connectivity failures, of displayed rows and of others.
  ///
  /// O(failed loads).
  mutating func heal(at now: Int64) {
    let hasNetwork = pendingHeal.network
    pendingHeal = Heal()
    guard settings.retry != .never else { return }
    for row in failures.keys.sorted(by: { $0.index < $1.index }) {
      let isMended = hasNetwork && failures[row]?.isMendedByNetwork == true
      if isMended { failures[row] = nil }
      heal(row, isMended: isMended, at: now)
    }
  }

  private mutating func heal(_ row: RowID, isMended: Bool, at now: Int64) {
    switch rows[row].work {
    case .failed where rows[row].displays > 0, .failed where isMended, .givenUp where isMended:
      failures[row]?.beginAnew()
      if rows[row].priority != nil {
        rows[row].work = .backoff(until: startOfHeal(at: now) + delayOfHeal(row))
        backoffs.append(row)
      } else {
        rest(row)
      }
    case .backoff(let end) where isMended:
      rows[row].work = .backoff(until: min(end, startOfHeal(at: now) + delayOfHeal(row)))
    case .none, .waiting, .running, .backoff, .failed, .givenUp, .setAside:
      return
    }
    updatePhase(of: row)
    setNeedsEvaluation(row)
  }

  /// Spreads loads, so that many devices do not call a server at once.
  private func delayOfHeal(_ row: RowID) -> Int64 {
    Int64(Double(settings.healSpread) * chance(for: row))
  }

  /// The start of the loads of a heal: now, or `healInterval` after the last heal.
  ///
  /// All loads healed at one time get the same start.
  private mutating func startOfHeal(at now: Int64) -> Int64 {
    if let last = lastHeal, last >= now { return last }
    guard let last = lastHeal, now < last + Self.healInterval else {
      lastHeal = now
      return now
    }
    lastHeal = last + Self.healInterval
    return last + Self.healInterval
  }
}

extension FailureSeries {
  fileprivate var isMendedByNetwork: Bool { cause.isConnectivity && cause.isRetryable }
}
