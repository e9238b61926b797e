/// The failures of rows, and when rows are tried again.
struct Failures: Sendable {
  /// Why failed rows are retried: the list or the network is back.
  struct Heal: Hashable, Sendable {
    var list = false
    var network = false

    var isNone: Bool { !list && !network }
  }

  /// Between two heals, in nanoseconds.
  private static let healInterval: Int64 = 2_000_000_000

  /// Since a row's last value.
  var series: [RowID: FailureSeries] = [:]
  /// The rows in backoff, and some that were.
  var backoffs: [RowID] = []
  /// The loads of the last heal start then, perhaps in the future.
  private(set) var lastHeal: Int64?
  /// Due at the end of this turn.
  private(set) var pendingHeal = Heal()
  /// The last resume of the list, and the last return of the network.
  private(set) var lastResume: Int64?
  private(set) var lastNetwork: Int64?
  private(set) var hasLackedNetwork = false

  /// Since the row's last value or request, or since its last claim began.
  private(set) var refusals: [RowID: Refusals] = [:]

  struct Refusals: Hashable, Sendable {
    var asProbe = 0
    var all = 0
  }

  // MARK: Series

  /// The next heal may already be due for the failure.
  ///
  /// - Parameter start: That of the attempt.
  mutating func add(
    _ cause: FailureCause, of row: RowID, since start: Int64, at now: Int64
  ) -> FailureSeries {
    noteHeal(cause, since: start)
    var failures = series[row] ?? FailureSeries()
    failures.add(cause, at: now)
    series[row] = failures
    return failures
  }

  /// - Parameter part: The part of the batch that the row loads with.
  mutating func addShared(
    _ cause: FailureCause, of row: RowID, part: UInt64, since start: Int64
  ) {
    noteHeal(cause, since: start)
    series[row, default: FailureSeries()].addShared(cause, part: part)
  }

  /// See ``FailureSeries/part``.
  func part(of row: RowID) -> UInt64 { series.isEmpty ? 0 : series[row]?.part ?? 0 }

  /// The next heal may already be due for a failure.
  private mutating func noteHeal(_ cause: FailureCause, since start: Int64) {
    // The attempt ran when the list or network returned.
    if let lastResume, start < lastResume { pendingHeal.list = true }
    if cause.isConnectivity {
      if cause.isRetryable { hasLackedNetwork = true }
      if let lastNetwork, start < lastNetwork { pendingHeal.network = true }
    }
  }

  /// The next failure of the row counts as the first.
  @inline(__always)
  mutating func forget(_ row: RowID) {
    if !series.isEmpty { series[row] = nil }
    forgetRefusals(of: row)
  }

  @inline(__always)
  mutating func forgetRefusals(of row: RowID) {
    if !refusals.isEmpty { refusals[row] = nil }
  }

  /// - Returns: Whether the row has failed: refused twice as a probe, or five times in all.
  mutating func refused(_ row: RowID, asProbe: Bool) -> Bool {
    var count = refusals[row] ?? Refusals()
    count.all += 1
    if asProbe { count.asProbe += 1 }
    let hasFailed = count.asProbe == 2 || count.all == 5
    refusals[row] = hasFailed ? nil : count
    return hasFailed
  }

  // MARK: Heals

  mutating func listReturned(at now: Int64) {
    lastResume = now
    pendingHeal.list = true
  }

  mutating func lackedNetwork() { hasLackedNetwork = true }

  mutating func networkReturned(at now: Int64) {
    lastNetwork = now
    pendingHeal.network = true
  }

  /// Whether a display that began then was never suspended.
  func isContinuous(since start: Int64) -> Bool { lastResume.map { $0 <= start } ?? true }

  mutating func takeHeal() -> Heal {
    defer { pendingHeal = Heal() }
    return pendingHeal
  }

  /// Now, or a while after the last heal; all loads healed at one time get the same start.
  mutating func startOfHeal(at now: Int64) -> Int64 {
    if let last = lastHeal, last >= now { return last }
    let start = lastHeal.map { max($0 + Self.healInterval, now) } ?? now
    lastHeal = start
    return start
  }
}
