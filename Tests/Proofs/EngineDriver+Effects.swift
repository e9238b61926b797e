import RowOperationsTesting

@testable import RowOperations

/// The effects of the engine, as the shell performs them.
extension EngineDriver {
  /// Runs the app's code, which makes the next nested call, if any.
  func callApp() {
    guard let step = nested.popFirst() else { return }
    apply(step)
    wasInterrupted = true
  }

  func checkCommit(of rows: [RowID]) {
    if Set(rows).count != rows.count || !rows.allSatisfy(engine.rows.contains) {
      violations.append(Violation(.newestShown, "onCommit names \(rows)"))
    }
    for (cell, id) in cellIDs where engine.cells.contains(id) && engine.cells[id].isDisplayed {
      guard let row = engine.cells[id].row, rows.contains(row) else { continue }
      // What has changed since the end of the turn is rendered in the next one.
      let state = engine.rows[row]
      if !state.isChanged, !engine.cells[id].shows(state.change) {
        violations.append(
          Violation(.newestShown, "onCommit comes before the render of cell \(cell)"))
      }
    }
  }

  func forget(_ freed: TrackerEngine.FreedNumbers) {
    for cell in freed.cells { forget(cell) }
    for row in freed.rows { forget(row) }
    for run in freed.runs {
      (runs[run], posted[run], claims[run], leftovers[run]) = (nil, nil, nil, nil)
      cancelledRuns.remove(run)
    }
  }

  func recordCancel(of run: RunID) {
    guard engine.runs[run].role == .single else { return recordCancel(ofBatch: run) }
    guard let row = runs[run]?.row else { return }
    let isTimedOut = engine.runs[run].stage == .timedOut
    decisions.append(
      isTimedOut ? .timeOut(row: row) : .cancel(row: row, place: place(of: run)))
    cancelledRuns.insert(run)
  }

  /// The number of older loads with the same names that run.
  func place(of load: RunID) -> Int {
    let names = rows(of: load)
    let generation = engine.runs[load].generation
    return runs.count { other, older in
      older.generation < generation && engine.runs.contains(other) && isLoad(other)
        && engine.runs[other].stage != .ended && !cancelledRuns.contains(other)
        && rows(of: other) == names
    }
  }

  func drop(_ id: RowID) {
    guard let value = values.removeValue(forKey: id), let row = rowsOfValues[value] else {
      return
    }
    decisions.append(.evict(row: row))
  }

  func start(_ run: RunID) {
    let state = engine.runs[run]
    guard state.role == .single else { return startBatch(run, state) }
    guard let row = rowNumbers[state.row] else { return }
    let looksUp = origin(row) == .cache && engine.wantsLookUp(state.row)
    // The app's cache or its closure that makes the operation.
    callApp()
    if looksUp {
      if engine.take(.foundValue(run, generation: state.generation, cost: 1), at: now) {
        keepLocalEdit(of: state.row, row)
      }
      return engine.turns.slotFreed()
    }
    guard origin(row) != .nowhere else {
      engine.take(.foundNothing(run, generation: state.generation), at: now)
      return engine.turns.slotFreed()
    }
    guard engine.take(.made(run, generation: state.generation), at: now) else {
      return engine.turns.slotFreed()
    }
    let generation = state.generation
    if runs.values.contains(where: { $0.generation == generation }) {
      violations.append(Violation(.endsOnce, "generation \(generation) is used again"))
    }
    runs[run] = Run(row: row, generation: generation)
    claims[run] = engine.claim(of: run)
    decisions.append(.start(row: row))
  }
}
