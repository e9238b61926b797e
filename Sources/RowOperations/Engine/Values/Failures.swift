/// The failures of rows, and when the rows are tried again.
package struct Failures: Sendable {
  /// The reasons to retry failed rows: the list or the network is back.
  package struct Heal: Hashable, Sendable {
    package var list = false
    package var network = false

    var isNone: Bool { !list && !network }
  }

  /// The shortest time between two heals, in nanoseconds.
  private static let healInterval: Int64 = 2_000_000_000

  /// The failures of each row since its last value.
  package internal(set) var series: [RowID: FailureSeries] = [:]
  /// The rows in backoff, and some that were.
  package internal(set) var backoffs: [RowID] = []
  /// The start of the loads of the last heal, which may lie in the future.
  package private(set) var lastHeal: Int64?
  /// The heals that are due at the end of this turn.
  package private(set) var pendingHeal = Heal()
  /// The times of the last resume of the list and of the last return of the network.
  package private(set) var lastResume: Int64?
  package private(set) var lastNetwork: Int64?
  /// Whether a load has failed for lack of a network.
  private(set) var hasLackedNetwork = false

  // MARK: Series

  /// Adds a failure, for which the next heal may already be due.
  ///
  /// - Parameter start: The start of the attempt.
  mutating func add(_ cause: FailureCause, of row: RowID, since start: Int64) -> FailureSeries {
    noteHeal(cause, since: start)
    var failures = series[row] ?? FailureSeries()
    failures.add(cause)
    series[row] = failures
    return failures
  }

  /// Adds the failure of a batch to one of its rows.
  ///
  /// - Parameter part: The part of the batch with which the row loads again.
  mutating func addShared(
    _ cause: FailureCause, of row: RowID, part: UInt64, since start: Int64
  ) {
    noteHeal(cause, since: start)
    series[row, default: FailureSeries()].addShared(cause, part: part)
  }

  /// The part of a failed batch with which a row loads again; 0 if it may load with any row.
  package func part(of row: RowID) -> UInt64 { series.isEmpty ? 0 : series[row]?.part ?? 0 }

  /// Notes whether the next heal is already due for a failure.
  private mutating func noteHeal(_ cause: FailureCause, since start: Int64) {
    // The attempt already ran when the list or the network returned.
    if let lastResume, start < lastResume { pendingHeal.list = true }
    if cause.isConnectivity {
      if cause.isRetryable { hasLackedNetwork = true }
      if let lastNetwork, start < lastNetwork { pendingHeal.network = true }
    }
  }

  /// Forgets the failures of a row, so that its next one counts as the first.
  @inline(__always)
  mutating func forget(_ row: RowID) {
    if !series.isEmpty { series[row] = nil }
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

  /// Whether a display that began at a time was on screen ever since.
  func isContinuous(since start: Int64) -> Bool { lastResume.map { $0 <= start } ?? true }

  mutating func takeHeal() -> Heal {
    defer { pendingHeal = Heal() }
    return pendingHeal
  }

  /// The start of the loads of a heal: now, or a while after the last heal.
  ///
  /// All loads healed at one time get the same start.
  mutating func startOfHeal(at now: Int64) -> Int64 {
    if let last = lastHeal, last >= now { return last }
    let start = lastHeal.map { max($0 + Self.healInterval, now) } ?? now
    lastHeal = start
    return start
  }
}
