import Foundation

/// Loads of several rows: how they start, and how their answers are committed.
extension TrackerCore {
  static var missingFromBatch: OperationError {
    OperationError(
      code: .missingFromBatch,
      description: """
        The answer to a batch has no value for this row. Return a value for each row of \
        `batch.rows`, or throw an error.
        """)
  }

  /// Starts the operation of a batch, for the rows that the app's cache lacks.
  func startBatch(_ batch: RunID, _ state: RunState, _ leaves: BatchLeaves) {
    let now = time
    if looksUp {
      for run in books.engine.admittedMembers(of: batch) { lookUp(run, at: now) }
    }
    // The app's code may have ended the last claim of the load, or its cache had all values.
    guard books.isAdmitted(batch, state.generation) else { return books.turns.slotFreed() }
    let rows = books.engine.batchRows(of: batch)
    let operation = leaves.make(rows, state.generation)
    start(
      queue.claim(operation) ? operation : operation.failedStandIn(), batch, state.generation,
      at: now)
  }

  private func lookUp(_ run: RunID, at now: Int64) {
    guard let state = books.engine.state(of: run), state.stage == .admitted,
      books.wantsLookUp(state.row)
    else { return }
    _ = leaves.lookUp(state.row) { cost in
      record(.setValue(row: state.row))
      return books.engine.take(
        .foundValue(run, generation: state.generation, cost: cost), at: now)
    }
  }

  /// Commits the value of a row of a batch, or the end of a batch after its rows.
  func endInBatch(_ run: RunID, _ leaves: BatchLeaves, at now: Int64) {
    guard let state = books.engine.state(of: run) else { return }
    if state.role == .member {
      take(run, state, leaves, at: now)
    } else {
      endBatch(run, state, leaves, at: now)
    }
  }

  private func take(_ run: RunID, _ state: RunState, _ leaves: BatchLeaves, at now: Int64) {
    guard let operation = books.operation(ofMember: run) else { return }
    let place = books.engine.batches.place(of: run)
    call {
      leaves.take(operation, place, state.row) { cost in
        recordEnd(of: run, in: operation, .value(cost: cost))
        return books.engine.take(.end(run, .value(cost: cost), waited: 0), at: now)
      }
    }
  }

  private func endBatch(_ batch: RunID, _ state: RunState, _ leaves: BatchLeaves, at now: Int64) {
    guard let operation = books.operation(of: batch) else { return }
    let waited = slots.permits == nil ? 0 : operation.stageLog.waitedTime
    let stage = state.stage == .cancelled ? operation.stageLog.cancelledAt : nil
    var failed: [RowID] = []
    let error = call {
      leaves.end(operation, state.stage == .current) { outcome in
        let unanswered = books.engine.batches.members(of: batch)
          .filter { books.engine.state(of: $0)?.stage != .ended }
        for run in unanswered { recordEnd(of: run, in: operation, outcome, isMissing: true) }
        failed = books.engine.wantedMembers(of: batch).compactMap {
          books.engine.state(of: $0)?.row
        }
        let before = books.engine.counts(at: now).cancelledRunning
        books.engine.take(.end(batch, outcome, waited: waited), at: now)
        let stopped = books.engine.counts(at: now).cancelledRunning - before
        if let stage, case .failure = outcome, stopped > 0 {
          books.cancelledPerStage[stage, default: 0] += stopped
        }
      }
    }
    for row in failed { books.keepError(error ?? Self.missingFromBatch, of: row) }
  }

  /// Commits a progress of a batch, which each of its rows shows.
  func stepInBatch(_ run: RunID, _ operation: any TrackedUpdate, _ leaves: BatchLeaves) {
    let members = books.engine.currentMembers(of: run)
    let rows = members.compactMap { books.engine.state(of: $0)?.row }
    guard let first = members.first, leaves.step(operation, rows) else { return }
    if let recorder = books.recorder {
      let place = books.engine.batches.place(of: first)
      call { recorder.recordStep(of: operation, place: place, hasValue: false, at: time) }
    }
    books.engine.take(.step(run, hasValue: false), at: time)
  }

  /// Records the end of a row's load, with a value, with an error, or without either.
  private func recordEnd(
    of run: RunID, in operation: any TrackedUpdate, _ outcome: TrackerEngine.Outcome,
    isMissing: Bool = false
  ) {
    guard let recorder = books.recorder,
      books.engine.state(of: books.engine.batches.batch(of: run))?.stage != .timedOut
    else { return }
    let place = books.engine.batches.place(of: run)
    call {
      recorder.recordEnd(of: operation, place: place, outcome, isMissing: isMissing, at: time)
    }
  }

  /// Reports an event of a row.
  func report(_ report: TrackerEngine.Report, of run: RunID, _ leaves: BatchLeaves) {
    guard let operation = books.operation(ofMember: run), let state = books.engine.state(of: run)
    else { return }
    let isTimedOut = if case .timedOut = report.kind { true } else { false }
    leaves.report(
      BatchReport(
        report: report, operation: operation, place: books.engine.batches.place(of: run),
        generation: state.generation,
        error: isTimedOut ? Self.timeOut : Self.missingFromBatch))
  }
}

extension TrackerBooks {
  /// The operation of the batch of a member.
  mutating func operation(ofMember run: RunID) -> (any TrackedUpdate)? {
    operation(of: engine.batches.batch(of: run))
  }
}
