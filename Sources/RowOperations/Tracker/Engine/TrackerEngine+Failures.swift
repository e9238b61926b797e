/// Failed loads and their retries.
extension TrackerEngine {
  /// The shortest time between two heals, in nanoseconds.
  static let healInterval: Int64 = 2_000_000_000

  // MARK: Failing

  /// - Parameter start: The start of the attempt.
  mutating func fail(
    _ load: LoadID, _ failure: LoadState.Failure, _ cause: FailureCause, since start: Int64,
    at now: Int64
  ) {
    metrics.failed += 1
    countPrefetchInVain(load)
    let series = recordFailure(of: load, cause)
    loads[load].failure = failure
    loads[load].hasArrived = true
    if let delay = delay(after: series, of: load) {
      loads[load].work = .backoff(until: now + delay)
      backoffs.append(load)
    } else {
      rest(load)
    }
    // The attempt already ran when the list or the network returned.
    pendingHeal.list = pendingHeal.list || lastResume.map { start < $0 } ?? false
    if cause.isConnectivity, cause.isRetryable { hasLackedNetwork = true }
    pendingHeal.network =
      pendingHeal.network || cause.isConnectivity && lastNetwork.map { start < $0 } ?? false
    // Another failure is new content, though the phase is the same.
    _ = loads[load].updatePhase()
    raiseChangeNumber(of: load)
    setNeedsEvaluation(load)
  }

  /// Records the failure of a load that was invalidated during its run: another load follows
  /// anyway.
  mutating func failOutdated(_ load: LoadID) {
    metrics.failed += 1
    countPrefetchInVain(load)
    updatePhase(of: load)
    setNeedsEvaluation(load)
  }

  private mutating func recordFailure(of load: LoadID, _ cause: FailureCause) -> FailureSeries {
    var series = failures[load] ?? FailureSeries()
    series.add(cause)
    failures[load] = series
    return series
  }

  /// The delay before the next attempt; `nil` if this display has none left.
  private func delay(after series: FailureSeries, of load: LoadID) -> Int64? {
    guard case .backoff(let strategy) = settings.retry, series.cause.isRetryable,
      loads[load].isClaimed
    else { return nil }
    return strategy.delay(
      beforeRetry: series.attempts - 1, chance: chance(for: load),
      retryAfter: series.cause.retryAfter
    )?.nanoseconds
  }

  /// A number from 0 to 1 that differs between loads and between devices.
  private func chance(for load: LoadID) -> Double {
    // SplitMix64 by Steele, Lea and Flood.
    let state = lastSerial &<< 20 ^ UInt64(truncatingIfNeeded: load.index)
    var z = settings.seed &+ state &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }

  /// Marks a load as idle, or as failed if its last attempt failed.
  mutating func rest(_ load: LoadID) {
    guard !failures.isEmpty, let series = failures[load] else {
      loads[load].work = .none
      return dropError(of: load)
    }
    loads[load].work = settings.retry == .never || series.isGivenUp ? .givenUp : .failed
    reportCompletion(load)
  }

  /// Forgets the failures of a load, so that its next one counts as the first.
  mutating func forgetFailures(of load: LoadID) {
    if !failures.isEmpty { failures[load] = nil }
  }

  // MARK: Retries

  /// Retries a failed load, since one of its rows came on screen.
  mutating func retryOnDisplay(_ load: LoadID) {
    guard loads[load].work == .failed else { return }
    loads[load].work = .none
    failures[load]?.beginAnew()
  }

  /// Whether a load failed and no attempt runs or waits for a slot.
  package func canRetry(_ load: LoadID) -> Bool {
    switch loads[load].work {
    case .failed, .givenUp, .backoff: true
    case .none, .waiting, .running, .setAside: false
    }
  }

  /// Retries a failed load.
  package mutating func retried(_ load: LoadID) {
    guard canRetry(load) else { return }
    loads[load].work = .none
    forgetFailures(of: load)
    updatePhase(of: load)
    setNeedsEvaluation(load)
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
    for load in failures.keys.sorted(by: { $0.index < $1.index }) {
      let isMended = hasNetwork && failures[load]?.isMendedByNetwork == true
      if isMended { failures[load] = nil }
      heal(load, isMended: isMended, at: now)
    }
  }

  private mutating func heal(_ load: LoadID, isMended: Bool, at now: Int64) {
    switch loads[load].work {
    case .failed where loads[load].displays > 0, .failed where isMended, .givenUp where isMended:
      failures[load]?.beginAnew()
      if loads[load].priority != nil {
        loads[load].work = .backoff(until: startOfHeal(at: now) + delayOfHeal(load))
        backoffs.append(load)
      } else {
        rest(load)
      }
    case .backoff(let end) where isMended:
      loads[load].work = .backoff(until: min(end, startOfHeal(at: now) + delayOfHeal(load)))
    case .none, .waiting, .running, .backoff, .failed, .givenUp, .setAside:
      return
    }
    updatePhase(of: load)
    setNeedsEvaluation(load)
  }

  /// Spreads loads, so that many devices do not call a server at once.
  private func delayOfHeal(_ load: LoadID) -> Int64 {
    Int64(Double(settings.healSpread) * chance(for: load))
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
