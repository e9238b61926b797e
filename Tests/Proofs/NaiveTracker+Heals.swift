@testable import RowOperations

extension NaiveTracker {
  /// Retries failed rows on screen, at most once in two seconds, and all connectivity failures
  /// after a return of the network.
  mutating func heal() {
    defer { (isBack, hasNetworkBack) = (false, false) }
    healStreams()
    guard isBack || hasNetworkBack, !neverRetries else { return }
    for (row, all) in failures {
      let isMended =
        hasNetworkBack && all.last.map { $0.cause.isConnectivity && $0.cause.isRetryable } == true
      let isOnScreen = displayedRows.contains(row) && !isGivenUp(row)
      if isMended {
        failures[row] = nil
        if let end = backoffs[row] { backoffs[row] = min(end, startOfHeal()) }
      }
      guard failed.contains(row), isMended || isOnScreen else { continue }
      failed.remove(row)
      beginsAnew.insert(row)
      if mayStart(row) { backoffs[row] = startOfHeal() }
    }
  }

  mutating func startOfHeal() -> Int64 {
    if let last = lastHeal, last >= now { return last }
    let start = lastHeal.map { max($0 + 2_000_000_000, now) } ?? now
    lastHeal = start
    return start
  }
}
