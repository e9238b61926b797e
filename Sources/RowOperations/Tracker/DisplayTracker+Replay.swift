/// Loads that end when a recording says so.
extension DisplayTracker {
  /// Keeps operations from starting: loads end by ``endLoad(of:with:)`` alone.
  package func holdOperations() { core.queue.isSuspended = true }

  /// Ends the load of a row that has run the longest, cancelled ones included.
  ///
  /// - Returns: Whether there was one.
  package func endLoad(
    of row: Row, with result: (RowToken<Row>) -> Result<Value, any Error>
  ) -> Bool {
    for run in startedRuns where core.books.engine.runs[run].stage != .timedOut {
      if end(run, of: row, result) { return true }
    }
    return false
  }

  /// Ends the loads that ran out of time.
  package func endTimedOutLoads() {
    for run in startedRuns where core.books.engine.runs[run].stage == .timedOut {
      _ = end(run, of: nil) { _ in .failure(CancellationError()) }
    }
  }

  /// The runs of operations that have not come to their end, the oldest first.
  var startedRuns: [RunID] {
    let runs = core.books.engine.runs
    return runs.ids.filter { runs[$0].stage != .admitted && runs[$0].stage != .ended }
      .sorted { runs[$0].generation < runs[$1].generation }
  }

  private func end(
    _ run: RunID, of row: Row?, _ result: (RowToken<Row>) -> Result<Value, any Error>
  ) -> Bool {
    guard let update = core.books.operation(of: run) as? UpdateOperation<Row, Value>,
      row == nil || update.token.row == row,
      // As the operation does when it finishes. A held one would do so after its start.
      let report = update.body.takeReport()
    else { return false }
    if !update.isCancelled { update.finish(with: result(update.token)) }
    report.owner.updateEnded(report.id)
    return true
  }
}
