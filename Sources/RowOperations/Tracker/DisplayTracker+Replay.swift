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
      guard let update = core.operation(of: run) as? UpdateOperation<Row, Value>, update.row == row
      else { continue }
      if end(update, with: { result(update.token) }) { return true }
    }
    return false
  }

  /// Plays an element or the end of a row's stream.
  ///
  /// - Parameter news: An element, `nil` for an end, or the end's error.
  /// - Returns: Whether the row has an open stream.
  package func play(_ news: Result<Value?, any Error>, inStreamOf row: Row) -> Bool {
    guard let id = knownID(of: row),
      let stream = core.streams[id]?.stream
    else { return false }
    switch news {
    case .success(let value?): stream.take(ValueBox(value))
    case .success(nil): stream.end(.ended)
    case .failure(let error): stream.end(.failed(error))
    }
    return true
  }

  package func endTimedOutLoads() {
    for run in startedRuns where core.state.engine.runs[run].stage == .timedOut {
      core.operation(of: run)?.tracked.reportEnd()
    }
  }

  /// The runs with unfinished operations, the oldest first.
  var startedRuns: [RunID] {
    let runs = core.state.engine.runs
    return runs.ids.filter {
      runs[$0].stage != .admitted && runs[$0].stage != .ended && !runs[$0].isMember
    }
    .sorted(byNumber: { Double(runs[$0].generation) })
  }

  /// Ends an item as its operation would; a held one would do so after its start.
  ///
  /// - Returns: Whether it had not ended.
  private func end<Item, Output>(
    _ update: UpdateOperation<Item, Output>, with result: () -> Result<Output, any Error>
  ) -> Bool {
    guard update.tracked.reportEnd() else { return false }
    if !update.isCancelled { update.finish(with: result()) }
    return true
  }

  // MARK: Batches

  private func batch(_ run: RunID, of row: Row) -> TrackerStore<Row, Value>.Batch? {
    let batch = core.operation(of: run) as? TrackerStore<Row, Value>.Batch
    return batch?.row.contains(row) == true ? batch : nil
  }

  /// The longest-running batch of a row that a condition admits.
  package func batch(of row: Row, where isMeant: (UInt64) -> Bool) -> UInt64? {
    for run in startedRuns where batch(run, of: row) != nil {
      let load = core.state.engine.runs[run]
      if load.stage != .timedOut, isMeant(load.generation) { return load.generation }
    }
    return nil
  }

  /// - Returns: Whether it ran.
  package func endBatch(
    _ generation: UInt64, with result: Result<[Row: Value], any Error>
  ) -> Bool {
    for run in startedRuns where core.state.engine.runs[run].generation == generation {
      guard let batch = core.operation(of: run) as? TrackerStore<Row, Value>.Batch else { continue }
      return end(batch) { result }
    }
    return false
  }

  package func endCancelledBatches(of row: Row) {
    for run in startedRuns where core.state.engine.runs[run].stage == .cancelled {
      if let batch = batch(run, of: row) { _ = end(batch) { .failure(CancellationError()) } }
    }
  }
}
