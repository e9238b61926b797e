import RowOperationsTesting

@testable import RowOperations

/// The ends of batches, in plain words.
extension NaiveTracker {
  /// Whether the oldest load of a row is that of a batch.
  func isInBatch(_ row: Int) -> Bool { hasBatches && oldest(row) != nil }

  mutating func answer(_ row: Int, _ answer: EngineDriver.Answer) {
    if let order = oldest(row) { answers[order, default: [:]][row] = answer }
  }

  /// Nothing but a request loads a row again that an answer lacks.
  private static let missing = FailureCause(kind: 3, isRetryable: false)

  mutating func commitBatches() {
    defer { answers = [:] }
    // All values are committed before any batch ends.
    for (order, answer) in answers where !hasFailed(answer) {
      guard let load = loads.first(where: { $0.order == order }) else { continue }
      for row in load.members where answer[load.name(of: row)] == .value {
        commitValue(of: row, inBatch: order)
      }
    }
    for (order, answer) in answers.sorted(by: { $0.key < $1.key }) {
      startOrder.removeAll { $0.order == order }
      lingering.removeAll { $0 == order }
      guard let batch = loads.first(where: { $0.order == order }) else { continue }
      loads.removeAll { $0.order == order }
      let failure = batch.rows.first { answer[$0] == .failure }
      let isProbe = isProbe(order)
      endProbe(order, well: failure == nil)
      if failure == nil { loadTimes.append(Double(now - batch.startedAt)) }
      var wanted: [Int] = []
      for row in batch.members {
        guard let run = runs[row], run.order == order else { continue }
        guard isClaimed(row) else {
          drop(row)
          continue
        }
        runs[row] = nil
        if !run.isOutdated { wanted.append(row) }
      }
      guard let failure else {
        for row in wanted { fail(row, Self.missing, since: batch.startedAt) }
        continue
      }
      let cause = cause(failure)
      pause(after: cause, inLaneOf: batch.rows[0])
      wanted.removeAll { goesBack($0, cause, asProbe: isProbe) }
      fail(wanted, of: batch, cause)
    }
  }

  private func hasFailed(_ answer: [Int: EngineDriver.Answer]) -> Bool {
    answer.values.contains(.failure)
  }

  private mutating func commitValue(of row: Int, inBatch order: Int) {
    guard let run = runs[row], run.order == order else { return }
    // Nobody waits for a value that is out of date.
    if run.isOutdated, !isClaimed(row) { return drop(row) }
    runs[row] = nil
    values[row] = run.isOutdated
    lastUse[row] = pass
    failed.remove(row)
    failures[row] = nil
    refusals[row] = nil
  }

  /// Fails the rows that waited for a load: those of a batch load again in two halves.
  mutating func fail(_ rows: [Int], of load: Load, _ cause: FailureCause) {
    guard load.rows.count > 1 else {
      for row in rows {
        fail(row, cause, since: load.startedAt)
        let part = nextRank()
        if hasBatches, let last = failures[row]?.indices.last { failures[row]?[last].part = part }
      }
      return
    }
    if let lastResume, load.startedAt < lastResume, !rows.isEmpty { isBack = true }
    if cause.isConnectivity, let lastNetwork, load.startedAt < lastNetwork, !rows.isEmpty {
      hasNetworkBack = true
    }
    let parts = [nextRank(), nextRank()]
    for (index, row) in rows.enumerated() {
      let half = index * 2 < rows.count ? 0 : 1
      failures[row, default: []].append(
        Failure(cause: cause, time: now, isFirst: false, isShared: true, part: parts[half]))
    }
    for row in rows {
      guard case .backoff(let delay) = settings.retry, cause.isRetryable,
        let delay = delay(0, 0, cause.retryAfter)
      else {
        failed.insert(row)
        continue
      }
      backoffs[row] = now + delay
    }
  }
}
