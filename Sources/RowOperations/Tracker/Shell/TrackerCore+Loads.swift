import Foundation

/// Loads of one row or several: how they start, and how their steps and ends are committed.
extension TrackerCore {
  func operation(of run: RunID) -> (any TrackedUpdate)? { state.operation(of: run) }

  // MARK: Starts

  /// Makes the operation of an admitted run.
  ///
  /// - Returns: `nil` if its rows need none any more.
  func operationToStart(_ run: RunID) -> AsyncOperation? {
    guard let load = state.engine.state(of: run) else { return nil }
    guard let operation = makeOperation(run, load) else {
      state.engine.turns.slotFreed()
      return nil
    }
    let ready = operation.claim(by: queue) ? operation : operation.failedReplacement()
    guard let claim = state.made(ready, run, load.generation, at: time) else { return nil }
    ready.tracked.report(
      to: inbox, as: UpdateID(index: run.index, generation: load.generation),
      claim: RowClaim(claim), qualityOfService: qualityOfService,
      clock: state.engine.settings.reportsEvents ? state.clock.now : nil)
    return ready
  }

  private func makeOperation(_ run: RunID, _ load: RunState) -> (any TrackedUpdate)? {
    let isBatch = load.role == .batch
    if looksUp {
      for run in isBatch ? state.engine.admittedMembers(of: run) : [run] { lookUp(rowOf: run) }
      // The app's code may have ended the last claim, or its cache had all values.
      guard state.engine.isAdmitted(run, generation: load.generation) else { return nil }
    }
    let rows = isBatch ? state.engine.batchRows(of: run) : [load.row]
    let made = makeUpdate(rows, load.generation)
    if made == nil {
      record(.setValue(row: load.row))
      state.engine.take(.foundNothing(run, generation: load.generation), at: time)
    }
    return made
  }

  /// A value of the app's cache ends the load before it begins.
  private func lookUp(rowOf run: RunID) {
    // The look-ups before may have ended it.
    guard let load = state.engine.state(of: run), load.stage == .admitted,
      state.engine.wantsLookUp(load.row), let value = store.cached(load.row)
    else { return }
    let cost = cost(of: value)
    record(.setValue(row: load.row))
    let input = TrackerEngine.News.foundValue(run, generation: load.generation, cost: cost)
    if state.engine.take(input, at: time) { state.keep(value, of: load.row) }
  }

  // MARK: Steps and ends

  func commit(_ news: [UpdateNews], at now: Int64) {
    // No `map`: its closure would check its actor at run time (figure B13).
    var ended: [RunID] = []
    for case .ended(let id) in news {
      if let run = run(id) { ended.append(run) }
    }
    for run in state.engine.sortedForCommit(ended) { end(run, at: now) }
    // Of a load that has ended, only the end is shown.
    for case .stepped(let id) in news { step(id) }
  }

  /// `nil` if another run has the number.
  private func run(_ id: UpdateID) -> RunID? {
    let run = RunID(index: id.index)
    return state.engine.state(of: run, generation: id.generation) == nil ? nil : run
  }

  /// Does nothing if no row waits for the update any more.
  private func step(_ id: UpdateID) {
    guard let run = run(id), let (load, operation) = state.load(of: run), load.stage == .current
    else { return }
    let runs = load.role == .batch ? state.engine.currentMembers(of: run) : [run]
    guard let first = runs.first, let step = operation.tracked.takeStep() else { return }
    for run in runs {
      if let row = state.engine.state(of: run)?.row { state.keep(step, of: row) }
    }
    let hasValue = step.value != nil
    record(first, in: operation) { hasValue ? .show(row: $0) : .report(row: $0) }
    state.engine.take(.step(run, hasValue: hasValue), at: time)
  }

  /// A batch ends after its rows.
  private func end(_ run: RunID, at now: Int64) {
    guard let (load, operation) = state.load(of: run) else { return }
    if load.role == .batch { return endBatch(run, load, operation, at: now) }
    let result = readOutcome(operation, (load.place, load.row))
    let value = try? result.get()
    // The end of the batch is that of a row without a value.
    if load.isMember, value == nil { return }
    let stage = load.stage == .cancelled ? operation.tracked.stages.cancelledAt : nil
    let outcome = outcome(of: result, isCurrent: load.stage == .current)
    recordEnd(of: run, in: operation, outcome)
    let isAccepted = state.engine.take(.end(run, outcome), at: now)
    if let stage, case .failure = outcome { cancelledPerStage[stage, default: 0] += 1 }
    guard isAccepted else { return }
    if let value { state.keep(value, of: load.row) }
    if let error = result.failure { keep(error, of: load.row) }
  }

  private func endBatch(
    _ batch: RunID, _ load: RunState, _ operation: any TrackedUpdate, at now: Int64
  ) {
    let stage = load.stage == .cancelled ? operation.tracked.stages.cancelledAt : nil
    let result = readOutcome(operation, nil)
    let outcome = outcome(of: result, isCurrent: load.stage == .current)
    for run in state.engine.runs.members(of: batch)
    where state.engine.state(of: run)?.stage != .ended {
      recordEnd(of: run, in: operation, outcome, isMissing: true)
    }
    let failed = state.engine.wantedMembers(of: batch).compactMap {
      state.engine.state(of: $0)?.row
    }
    let before = state.engine.counts(at: now).cancelledRunning
    state.engine.take(.end(batch, outcome), at: now)
    let stopped = state.engine.counts(at: now).cancelledRunning - before
    if let stage, case .failure = outcome { cancelledPerStage[stage, default: 0] += stopped }
    // Rows that go back into the line have not failed.
    for row in failed where state.engine.failure(of: row) == .error {
      keep(result.failure ?? Self.missingFromBatch, of: row)
    }
  }

  private func outcome(of result: Outcome, isCurrent: Bool) -> TrackerEngine.Outcome {
    switch result {
    case .success(nil): return .value(cost: 0)
    case .success(let value?): return .value(cost: cost(of: value))
    case .failure(let error):
      // The error of a cancelled load is not the row's.
      return .failure(isCurrent ? cause(of: error) : FailureCause(error, isRetryable: true))
    }
  }

  func cause(of error: any Error) -> FailureCause {
    let (isRetryable, retryAfter) = call {
      (store.allowsRetry(after: error), store.retryAfter(error))
    }
    return FailureCause(error, isRetryable: isRetryable, retryAfter: retryAfter)
  }

  private func recordEnd(
    of run: RunID, in operation: any TrackedUpdate, _ outcome: TrackerEngine.Outcome,
    isMissing: Bool = false
  ) {
    record(run, in: operation) { row in
      switch outcome {
      case .value: isMissing ? .miss(row: row) : .finish(row: row)
      case .failure: .fail(row: row)
      }
    }
  }

  /// Under the row that the load ran for.
  private func record(
    _ run: RunID, in operation: any TrackedUpdate, _ input: (Int) -> TrackerInput<Int, Int>
  ) {
    guard let recorder = state.recorder,
      state.engine.state(of: state.engine.load(of: run))?.stage != .timedOut
    else { return }
    let place = state.engine.runs[run].place
    call { recorder.record(operation, place: place, at: time, input) }
  }

  // MARK: Events

  func report(_ report: TrackerEngine.Report) {
    guard case .run(let run) = report.kind.subject else { return store.report(report, of: nil) }
    guard let (load, operation) = state.load(of: run) else { return }
    var error: (any Error)?
    if case .failed = report.kind {
      error = readOutcome(operation, nil).failure ?? Self.missingFromBatch
    }
    if case .timedOut = report.kind { error = Self.timeOut }
    let batch = load.isMember ? state.engine.runs[state.engine.load(of: run)].generation : 0
    store.report(
      report,
      of: ReportedLoad(
        operation: operation, place: load.place, generation: load.generation, batch: batch,
        error: error))
  }
}
