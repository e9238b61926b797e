import RowOperationsTesting

@testable import RowOperations

/// The operations of several rows: how they start, and how they end.
///
/// The first end of a row in a turn ends its batch with that turn.
extension EngineDriver {
  /// What the answer to a batch has for a row.
  package enum Answer: Hashable, Sendable {
    case value
    case missing
    /// The batch fails with the error of this row.
    case failure
  }

  // MARK: Starts

  func startBatch(_ batch: RunID, _ state: RunState) {
    for run in engine.admittedMembers(of: batch) { lookUp(run) }
    // The app's closure that makes the operation.
    callApp()
    guard engine.take(.made(batch, generation: state.generation), at: now) else {
      return engine.turns.slotFreed()
    }
    let members = engine.runs.members(of: batch)
    runs[batch] = Run(row: -1, generation: state.generation)
    claims[batch] = engine.claim(of: batch)
    for run in members {
      let state = engine.runs[run]
      let generation = state.generation
      if runs.values.contains(where: { $0.generation == generation }) {
        violations.append(Violation(.endsOnce, "generation \(generation) is used again"))
      }
      runs[run] = Run(row: rowNumbers[state.row] ?? -1, generation: generation)
    }
    decisions.append(.startBatch(rows: rows(ofBatch: batch)))
  }

  private func lookUp(_ run: RunID) {
    let state = engine.runs[run]
    guard let row = rowNumbers[state.row], origin(row) == .cache, engine.wantsLookUp(state.row),
      engine.take(.foundValue(run, generation: state.generation, cost: 1), at: now)
    else { return }
    keepLocalEdit(of: state.row, row)
  }

  /// The rows of a request.
  private func rows(ofBatch batch: RunID) -> [Int] {
    engine.runs.members(of: batch).compactMap { runs[$0]?.row }
  }

  func recordCancel(ofBatch batch: RunID) {
    let rows = rows(ofBatch: batch)
    let isTimedOut = engine.runs[batch].stage == .timedOut
    decisions.append(
      isTimedOut ? .timeOutBatch(rows: rows) : .cancelBatch(rows: rows, place: place(of: batch)))
    cancelledRuns.insert(batch)
  }

  // MARK: Loads

  /// Whether a run is an operation: that of one row, or of a batch.
  package func isLoad(_ run: RunID) -> Bool { !engine.runs[run].isMember }

  /// The rows of an operation.
  package func rows(of run: RunID) -> [Int] {
    engine.runs[run].role == .batch ? rows(ofBatch: run) : [runs[run]?.row ?? -1]
  }

  /// Ends an operation with the values of all its rows, or with an error.
  package func endLoad(_ run: RunID, withValue isValue: Bool) {
    guard engine.runs[run].role == .batch else { return end(run, withValue: isValue) }
    for member in engine.runs.members(of: run) { end(member, withValue: isValue) }
  }

  /// Whether the end of an operation is to be committed.
  package func isEnding(_ run: RunID) -> Bool {
    inbox.contains { $0.run == run } || answers[run] != nil
  }

  // MARK: Ends

  var answeredBatches: [RunID] {
    answers.keys.sorted { engine.runs[$0].generation < engine.runs[$1].generation }
  }

  func isAnswered(_ member: RunID) -> Bool { answers.values.contains { $0[member] != nil } }

  func miss(_ row: Int) {
    guard let (run, _) = oldestRun(of: row), engine.runs[run].isMember else { return }
    answer(run, .missing)
  }

  func answer(_ member: RunID, _ answer: Answer) {
    guard engine.runs[member].isMember else { return }
    answers[engine.load(of: member), default: [:]][member] = answer
  }

  /// The row whose error fails a batch; that of the first place in the request.
  private func failedRow(of batch: RunID) -> Int? {
    let failed = engine.runs.members(of: batch).first { answers[batch]?[$0] == .failure }
    return failed.flatMap { runs[$0]?.row }
  }

  /// Commits the value of a row, or the end of a batch after its rows.
  func commitBatch(_ run: RunID) {
    guard engine.runs[run].isMember else {
      let outcome: TrackerEngine.Outcome =
        failedRow(of: run).map { .failure(cause($0)) } ?? .value(cost: 0)
      engine.take(.end(run, outcome), at: now)
      return
    }
    let batch = engine.load(of: run)
    guard failedRow(of: batch) == nil, answers[batch]?[run] == .value, let row = runs[run]?.row
    else { return }
    let (id, generation) = (engine.runs[run].row, engine.runs[run].generation)
    if engine.take(.end(run, .value(cost: 1)), at: now) {
      keep(generation, for: id, row: rowNumbers[id] ?? row)
    }
  }

  /// Whether the value of a run may be shown.
  func isToBeShown(_ run: RunID) -> Bool {
    guard engine.runs.contains(run) else { return true }
    switch engine.runs[run].role {
    case .single: return true
    case .member: return engine.runs[run].stage == .current
    case .batch: return false
    }
  }

  // MARK: Steps

  func postStep(ofBatchWith member: RunID, _ take: (inout Step, Int) -> Void) {
    let batch = engine.load(of: member)
    var step = posted[batch] ?? Step(generation: engine.runs[batch].generation)
    take(&step, nextStep())
    // A batch shows no values before its end.
    guard step.value == nil else { return }
    posted[batch] = step
    stepped.insert(batch)
  }

  func takeStep(ofBatch batch: RunID, _ step: Step) {
    engine.take(.step(batch, hasValue: false), at: now)
    for run in engine.currentMembers(of: batch) {
      posted[run] = Step(generation: engine.runs[run].generation, progress: step.progress)
      steps[engine.runs[run].row] = posted[run]
    }
  }

  // MARK: Checks

  /// The claim that the operation of a run has to know.
  func expectedClaim(of run: RunID) -> ClaimKind? {
    switch engine.runs[run].role {
    case .member: nil
    case .single: engine.rows[engine.runs[run].row].claim?.kind ?? .prefetched
    case .batch:
      engine.batchRows(of: run).compactMap { engine.rows[$0].claim?.kind }.min() ?? .prefetched
    }
  }
}
