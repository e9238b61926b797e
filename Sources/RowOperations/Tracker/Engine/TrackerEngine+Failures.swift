/// Failed loads, and how they are tried again.
extension TrackerEngine {
  /// At least so long after one heal comes the next.
  static let healInterval: Int64 = 2_000_000_000

  // MARK: Failing

  /// - Parameter start: When the attempt started.
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
    // The attempt was under way when the list or the network came back.
    pendingHeal.list = pendingHeal.list || lastResume.map { start < $0 } ?? false
    if cause.isConnectivity, cause.isRetryable { hasLackedNetwork = true }
    pendingHeal.network =
      pendingHeal.network || cause.isConnectivity && lastNetwork.map { start < $0 } ?? false
    // Another failure is something else to show, though the phase is the same.
    _ = loads[load].updatePhase()
    raiseChangeNumber(of: load)
    setNeedsEvaluation(load)
  }

  /// A load that was invalidated while it ran has failed: another one follows all the same.
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

  /// How long to wait for the next attempt; `nil` if none is made for this display.
  private func delay(after series: FailureSeries, of load: LoadID) -> Int64? {
    guard case .backoff(let strategy) = settings.retry, series.cause.isRetryable,
      loads[load].isClaimed
    else { return nil }
    return strategy.delay(beforeRetry: series.attempts - 1, chance: chance(for: load))?.nanoseconds
  }

  /// A number from 0 to 1 that differs from load to load and from device to device.
  private func chance(for load: LoadID) -> Double {
    // SplitMix64 by Steele, Lea and Flood.
    let state = lastSerial &<< 20 ^ UInt64(truncatingIfNeeded: load.index)
    var z = settings.seed &+ state &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }

  /// Nothing is being done about a load any more.
  ///
  /// A load whose last attempt failed has still failed.
  mutating func rest(_ load: LoadID) {
    guard !failures.isEmpty, let series = failures[load] else {
      loads[load].work = .none
      return dropError(of: load)
    }
    loads[load].work = settings.retry == .never || series.isGivenUp ? .givenUp : .failed
    reportCompletion(load)
  }

  /// The next failure of a load is its first one.
  mutating func forgetFailures(of load: LoadID) {
    if !failures.isEmpty { failures[load] = nil }
  }

  // MARK: Trying again

  /// A row came on screen.
  mutating func retryOnDisplay(_ load: LoadID) {
    guard loads[load].work == .failed else { return }
    loads[load].work = .none
    failures[load]?.beginAnew()
  }

  /// Whether a load failed, and is not being tried again at the moment.
  package func canRetry(_ load: LoadID) -> Bool {
    switch loads[load].work {
    case .failed, .givenUp, .backoff: true
    case .none, .waiting, .running, .setAside: false
    }
  }

  /// A failed load is to be tried again now.
  package mutating func retried(_ load: LoadID) {
    guard canRetry(load) else { return }
    loads[load].work = .none
    forgetFailures(of: load)
    updatePhase(of: load)
    setNeedsEvaluation(load)
  }

  // MARK: Heals

  /// The list or the network is back.
  package struct Heal: Hashable, Sendable {
    package var list = false
    package var network = false

    var isNone: Bool { !list && !network }
  }

  /// The network is back.
  mutating func networkReturned(at now: Int64) {
    lastNetwork = now
    pendingHeal.network = true
  }

  /// Rows on screen that failed are tried again soon, if the list or the network has come back.
  ///
  /// A network that is back also mends what failed for want of one, on screen or not.
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
      if loads[load].isClaimed {
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

  /// Loads are spread, so that not all devices ask a server at once.
  private func delayOfHeal(_ load: LoadID) -> Int64 {
    Int64(Double(settings.healSpread) * chance(for: load))
  }

  /// When the loads of a heal begin: at once, or when the last heal is long enough ago.
  ///
  /// The same for all loads that are healed at one time.
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
