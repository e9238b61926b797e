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

  /// The rows are those that the app's cache lacks.
  ///
  /// - Returns: `nil` if there are none.
  func makeBatch(
    _ batch: RunID, _ load: RunState, _ closures: BatchClosures
  ) -> (any TrackedUpdate)? {
    if looksUp {
      for run in state.engine.admittedMembers(of: batch) {
        // The look-ups before may have ended it.
        guard let load = state.engine.state(of: run), load.stage == .admitted else { continue }
        lookUp(run, load)
      }
    }
    // The app's code may have ended the last claim, or its cache had all values.
    guard state.engine.isAdmitted(batch, generation: load.generation) else { return nil }
    return closures.make(state.engine.batchRows(of: batch), load.generation)
  }

  /// A batch ends after its rows.
  func endInBatch(_ run: RunID, _ closures: BatchClosures, at now: Int64) {
    guard let load = state.engine.state(of: run) else { return }
    if load.isMember {
      take(run, load, closures, at: now)
    } else {
      endBatch(run, load, closures, at: now)
    }
  }

  private func take(_ run: RunID, _ load: RunState, _ closures: BatchClosures, at now: Int64) {
    guard let operation = operation(ofMember: run) else { return }
    let place = state.engine.runs[run].place
    call {
      closures.take(operation, place, load.row) { cost in
        recordEnd(of: run, in: operation, .value(cost: cost))
        return state.engine.take(.end(run, .value(cost: cost)), at: now)
      }
    }
  }

  private func endBatch(_ batch: RunID, _ load: RunState, _ closures: BatchClosures, at now: Int64)
  {
    guard let operation = operation(of: batch) else { return }
    let stage = load.stage == .cancelled ? operation.stageLog.cancelledAt : nil
    var failed: [RowID] = []
    let error = call {
      closures.end(operation, load.stage == .current) { outcome in
        let unanswered = state.engine.runs.members(of: batch)
          .filter { state.engine.state(of: $0)?.stage != .ended }
        for run in unanswered { recordEnd(of: run, in: operation, outcome, isMissing: true) }
        failed = state.engine.wantedMembers(of: batch).compactMap {
          state.engine.state(of: $0)?.row
        }
        let before = state.engine.counts(at: now).cancelledRunning
        state.engine.take(.end(batch, outcome), at: now)
        let stopped = state.engine.counts(at: now).cancelledRunning - before
        if let stage, case .failure = outcome {
          cancelledPerStage[stage, default: 0] += stopped
        }
      }
    }
    for row in failed { keepError(error ?? Self.missingFromBatch, of: row) }
  }

  /// Each row of the batch shows the progress.
  func stepInBatch(_ run: RunID, _ operation: any TrackedUpdate, _ closures: BatchClosures) {
    let members = state.engine.currentMembers(of: run)
    let rows = members.compactMap { state.engine.state(of: $0)?.row }
    guard let first = members.first, closures.step(operation, rows) else { return }
    if let recorder = state.recorder {
      let place = state.engine.runs[first].place
      call { recorder.recordStep(of: operation, place: place, hasValue: false, at: time) }
    }
    state.engine.take(.step(run, hasValue: false), at: time)
  }

  /// The end has a value, an error, or neither.
  private func recordEnd(
    of run: RunID, in operation: any TrackedUpdate, _ outcome: TrackerEngine.Outcome,
    isMissing: Bool = false
  ) {
    guard let recorder = state.recorder,
      state.engine.state(of: state.engine.load(of: run))?.stage != .timedOut
    else { return }
    let place = state.engine.runs[run].place
    call {
      recorder.recordEnd(of: operation, place: place, outcome, isMissing: isMissing, at: time)
    }
  }

  /// - Parameter error: The error if the operation does not have it.
  func report(
    _ report: TrackerEngine.Report, of run: RunID, _ error: (any Error)?, _ closures: BatchClosures
  ) {
    guard let operation = operation(ofMember: run), let load = state.engine.state(of: run) else {
      return
    }
    closures.report(
      BatchReport(
        report: report, operation: operation, place: state.engine.runs[run].place,
        generation: load.generation, error: error ?? Self.missingFromBatch))
  }

  private func operation(ofMember run: RunID) -> (any TrackedUpdate)? {
    operation(of: state.engine.load(of: run))
  }
}
