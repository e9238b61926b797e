import RowOperationsTesting

@testable import RowOperations

/// The renders, and the checks after each turn.
extension EngineDriver {
  // MARK: Renders

  func render(_ id: CellID) {
    renders += 1
    guard let cell = cellNumbers[id], let rowID = engine.cells[id].row, let row = rowNumbers[rowID]
    else { return }
    let value = value(of: row)
    if let value, let owner = rowsOfValues[value], owner != row {
      violations.append(Violation(.rightRow, "cell \(cell) shows \(owner) for row \(row)"))
    }
    if !hosts.isDisplayed(cell), hosts.wasDisplayed(cell) {
      violations.append(Violation(.rightRow, "cell \(cell) is rendered off screen"))
    }
    fill(cell, id, with: content(of: row))
  }

  /// Renders a cell as idle.
  func clear(_ id: CellID) {
    if let cell = cellNumbers[id] { fill(cell, id, with: nil) }
  }

  /// Fills a cell, and again after the app's code was called amid the render.
  func fill(_ cell: Int, _ id: CellID, with content: Shown?) {
    guard let render = engine.beginRender(in: id) else { return }
    shown[cell] = content
    if let call = callOfRender(cell, content?.row) {
      apply(call)
      wasInterrupted = true
    }
    callApp()
    if cellIDs[cell] == id { shown[cell] = content.map(renamed) }
    engine.endRender(render)
  }

  private func isRefused(_ row: Int?, in cell: Int) -> Bool {
    cellIDs[cell].map { engine.refuses(row.map { intern($0) }, in: $0) } ?? false
  }

  /// Whether a step goes on a circle of renders.
  func isRefused(_ step: EventScript.Step) -> Bool {
    switch step {
    case .cellFor(let row, let cell): isRefused(row, in: cell)
    case .viewFor(let row, let cell, _): isRefused(row, in: cell)
    case .unbind(let cell): isRefused(nil, in: cell)
    default: false
    }
  }

  /// A cell that left the screen is rendered once, in the binding in which it left.
  func renderLeaving(_ id: CellID) {
    renders += 1
    guard audits, let cell = cellNumbers[id] else { return }
    // A render around its binding may have written over what the cell showed.
    let row = engine.cells[id].row.flatMap { rowNumbers[$0] }
    defer { fill(cell, id, with: row.map { content(of: $0) }) }
    if !hosts.hasLeft(cell) {
      violations.append(
        Violation(.rightRow, "cell \(cell) is rendered as leaving and has not left"))
    }
  }

  /// A covered cell is rendered once without the value that low memory has dropped.
  func renderEmpty(_ id: CellID) {
    renders += 1
    guard let cell = cellNumbers[id], let row = engine.cells[id].row.flatMap({ rowNumbers[$0] })
    else { return }
    if !hosts.isCovered(cell) || value(of: row) != nil {
      violations.append(Violation(.rightRow, "cell \(cell) is rendered under a cover"))
    }
    fill(cell, id, with: content(of: row))
  }

  func content(of row: Int) -> Shown {
    Shown(row: row, phase: phase(of: row), value: value(of: row), step: step(of: row))
  }

  /// The preview and progress that a row shows.
  func step(of row: Int) -> Step? {
    guard let id = rowIDs[row], engine.rows[id].step != .none else { return nil }
    return steps[id]
  }

  // MARK: Checks

  package func audit() {
    // A turn whose loop has paused goes on in the next one.
    guard engine.isUpToDate, engine.pendingEffects == 0, !wasInterrupted, !hasPaused else { return }
    violations += EngineAudit.violations(in: engine, ledger: ledger, at: now)
    checkCells()
    checkClaims()
    checkSteps()
    checkEnds()
    checkStreams()
  }

  /// Checks that each displayed cell shows the content of its row after a turn.
  func checkCells() {
    for cell in hosts.cleared where shown[cell] != nil {
      violations.append(
        Violation(.rightRow, "cell \(cell) shows a removed row, or that of a recycled host"))
    }
    for (cell, id) in cellIDs {
      if hosts.isDisplayed(cell) != engine.cells[id].isDisplayed {
        violations.append(
          Violation(.viewsFollowHosts, "cell \(cell) is displayed against its hosts, or hidden")
        )
      }
      if emptiedCells.contains(cell), hosts.isCovered(cell), shown[cell]?.value != nil,
        let row = engine.cells[id].row, engine.rows[row].knowledge == .unknown
      {
        violations.append(Violation(.newestShown, "covered cell \(cell) shows a dropped value"))
      }
      guard engine.cells[id].isDisplayed, let rowID = engine.cells[id].row,
        let row = rowNumbers[rowID]
      else { continue }
      // A slot that became free among the renders was filled after them. The next turn renders it.
      if engine.rows[rowID].isChanged, isTurnRequested { continue }
      let expected = content(of: row)
      if shown[cell] != expected {
        violations.append(
          Violation(
            .newestShown, "cell \(cell) shows \(String(describing: shown[cell])), not \(expected)"))
      }
    }
  }

  /// Checks that each operation knows the claim of its row.
  func checkClaims() {
    for run in runs.keys where engine.runs.contains(run) && engine.runs[run].stage == .current {
      guard let expected = expectedClaim(of: run) else { continue }
      if claims[run] != expected {
        violations.append(
          Violation(
            .stateAgrees,
            "the operation of row \(runs[run]?.row ?? -1) believes in the claim "
              + "\(String(describing: claims[run])), not \(expected)"))
      }
    }
  }

  /// Checks that each row shows the last preview and progress of its own operation.
  func checkSteps() {
    for row in engine.rows.ids {
      let run = engine.rows[row].run
      let expected = run.flatMap { engine.rows[row].step == .none ? nil : posted[$0] }
      if steps[row] != expected {
        violations.append(
          Violation(
            .newestShown,
            "row \(row.index) shows \(String(describing: steps[row])) before its end, not "
              + "\(String(describing: expected))"))
      }
      if let run, let step = steps[row], step.generation != engine.runs[run].generation {
        violations.append(Violation(.rightRow, "row \(row.index) shows another operation's step"))
      }
    }
    if steps.keys.contains(where: { !engine.rows.contains($0) }) {
      violations.append(Violation(.nothingLeft, "a step of a removed row is kept"))
    }
  }

  /// Checks that each start has an end or is pending.
  func checkEnds() {
    let metrics = engine.counts(at: now)
    let ended =
      metrics.finished + metrics.failed + metrics.cancelledRunning + metrics.refusedStale
    let pending = engine.runs.ids.count {
      engine.runs[$0].stage != .timedOut && engine.runs[$0].role != .batch
    }
    if metrics.started != ended + pending {
      violations.append(
        Violation(.endsOnce, "\(metrics.started) starts, \(ended) ends and \(pending) pending"))
    }
    let made = runs.keys.filter { engine.runs.contains($0) }
    if made.count != runs.count || made.count != engine.runs.count {
      violations.append(Violation(.endsOnce, "an operation is forgotten"))
    }
  }
}
