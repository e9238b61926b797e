extension DisplayTracker {
  /// Loads then end by ``endLoad(of:with:)`` alone.
  package func holdOperations() {
    core.queue.isSuspended = true
    core.slots.reportsHeld = false
  }

  /// Ends the longest-running load of a row, cancelled ones included.
  ///
  /// - Returns: Whether there was one.
  package func endLoad(
    of row: Row, with result: (RowToken<Row>) -> Result<Value, any Error>
  ) -> Bool {
    for run in startedRuns where core.state.engine.runs[run].stage != .timedOut {
      if end(run, of: row, result) { return true }
    }
    return false
  }

  /// Plays an element or the end of a row's stream.
  ///
  /// - Parameter news: An element, `nil` for an end, or the end's error.
  /// - Returns: Whether the row has an open stream.
  package func play(_ news: Result<Value?, any Error>, inStreamOf row: Row) -> Bool {
    guard let id = knownID(of: row),
      let stream = core.streams[id]?.stream as? RowStream<Row, Value>
    else { return false }
    switch news {
    case .success(let value?): stream.take(value)
    case .success(nil): stream.end(.ended)
    case .failure(let error): stream.end(.failed(error))
    }
    return true
  }

  package func endTimedOutLoads() {
    for run in startedRuns where core.state.engine.runs[run].stage == .timedOut {
      if core.state.engine.runs[run].role == .batch {
        _ = endBatch(run) { _ in .failure(CancellationError()) }
      } else {
        _ = end(run, of: nil) { _ in .failure(CancellationError()) }
      }
    }
  }

  /// The runs whose operations have not ended, the oldest first.
  var startedRuns: [RunID] {
    let runs = core.state.engine.runs
    return runs.ids.filter {
      runs[$0].stage != .admitted && runs[$0].stage != .ended && !runs[$0].isMember
    }
    .sorted(byNumber: { Double(runs[$0].generation) })
  }

  private func end(
    _ run: RunID, of row: Row?, _ result: (RowToken<Row>) -> Result<Value, any Error>
  ) -> Bool {
    guard let update = core.operation(of: run) as? UpdateOperation<Row, Value>,
      row == nil || update.token.row == row,
      // As the operation does at its end; a held one would do so after its start.
      let report = update.body.takeReport()
    else { return false }
    if !update.isCancelled { update.finish(with: result(update.token)) }
    report.owner.updateEnded(report.id)
    return true
  }

  /// The longest-running batch of a row that a condition admits.
  package func batch(of row: Row, where isMeant: (UInt64) -> Bool) -> UInt64? {
    for run in startedRuns where isBatch(run, of: row) {
      let load = core.state.engine.runs[run]
      if load.stage != .timedOut, isMeant(load.generation) { return load.generation }
    }
    return nil
  }

  private func isBatch(_ run: RunID, of row: Row) -> Bool {
    guard core.state.engine.runs[run].role == .batch,
      let update = core.operation(of: run) as? UpdateOperation<[Row], [Row: Value]>
    else { return false }
    return update.token.row.contains(row)
  }

  /// - Returns: Whether it ran.
  package func endBatch(
    _ generation: UInt64, with result: Result<[Row: Value], any Error>
  ) -> Bool {
    guard
      let run = startedRuns.first(where: { core.state.engine.runs[$0].generation == generation })
    else { return false }
    return endBatch(run) { _ in result }
  }

  package func endCancelledBatches(of row: Row) {
    for run in startedRuns
    where core.state.engine.runs[run].stage == .cancelled && isBatch(run, of: row) {
      _ = endBatch(run) { _ in .failure(CancellationError()) }
    }
  }

  private func endBatch(
    _ run: RunID, _ result: (RowToken<[Row]>) -> Result<[Row: Value], any Error>
  ) -> Bool {
    guard let update = core.operation(of: run) as? UpdateOperation<[Row], [Row: Value]>,
      let report = update.body.takeReport()
    else { return false }
    if !update.isCancelled { update.finish(with: result(update.token)) }
    report.owner.updateEnded(report.id)
    return true
  }
}
