import RowOperationsTesting

@testable import RowOperations

/// The turns of the driver, as those of the shell.
extension EngineDriver {
  /// Takes a turn of the main queue.
  package func endTurn() {
    wasInterrupted = false
    let renames = names.count
    defer { names.turnEnded(began: renames) }
    let probe = audits ? Probe(self) : nil
    // What comes from inside the turn counts for the next one.
    hasInputs = false
    let isNested = engine.beginTurn()
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate:
        commit()
        followOrder()
        expectRows()
        if audits { for cell in hosts.lost { hosts.bindAnew(cell, lacks) } }
        let lost = engine.cellsToBindAnew.count
        engine.endTurn(at: now)
        // The next turn finds the positions of cells that were bound anew in the order.
        if engine.cellsToBindAnew.count < lost, !order.isEmpty { _ = engine.turns.request() }
      case .admit: admit()
      case .performStarts, .performRenders: run()
      case .finish:
        if audits { hosts.turnEnded() }
        engine.finishTurn()
      }
    }
    follow(engine.turnEnded(isNested: isNested, isContinued: false, hasDiscarded: false))
    if audits, !engine.turns.isBusy {
      audit()
      emptiedCells = []
    }
    probe?.check(self)
    deadline = engine.nextDeadline
  }

  func commit() {
    let arrived = inbox
    inbox = []
    let order = engine.sortedForCommit(arrived.map(\.run) + answeredBatches)
    checkOrder(of: order)
    defer { answers = [:] }
    for run in order {
      guard engine.runs[run].role == .single else {
        commitBatch(run)
        continue
      }
      guard let isValue = arrived.first(where: { $0.run == run })?.isValue,
        let row = runs[run]?.row, engine.runs.contains(run)
      else { continue }
      let (id, generation) = (engine.runs[run].row, engine.runs[run].generation)
      let outcome: TrackerEngine.Outcome = isValue ? .value(cost: 1) : .failure(cause(row))
      if engine.take(.end(run, outcome), at: now), isValue {
        keep(generation, for: id, row: rowNumbers[id] ?? row)
      }
    }
    takeSteps()
    takeElements()
    guard rendersOffScreen else { return }
    for id in cellIDs.values where engine.cells[id].row != nil { render(id) }
  }

  /// Takes new previews and progress; ended loads show only their ends.
  private func takeSteps() {
    for run in stepped where runs[run] != nil && engine.runs.contains(run) {
      guard engine.runs[run].stage == .current, let step = posted[run] else { continue }
      guard engine.runs[run].role == .single else {
        takeStep(ofBatch: run, step)
        continue
      }
      steps[engine.runs[run].row] = step
      engine.take(.step(run, hasValue: step.value != nil), at: now)
    }
    stepped = []
  }

  private func checkOrder(of commits: [RunID]) {
    let isDisplayed = commits.filter(isToBeShown).map { run in
      engine.runs.contains(run) && engine.rows[engine.runs[run].row].displays > 0
    }
    if zip(isDisplayed, isDisplayed.dropFirst()).contains(where: { !$0 && $1 }) {
      violations.append(Violation(.priorityOrder, "a row off screen is committed first"))
    }
  }

  /// Assigns slots like `UpdateSlots`.
  func admit() {
    for _ in 0..<engine.lanes.unreadCount {
      guard let row = engine.beginReadingLane() else { break }
      engine.turns.callBegan()
      callApp()
      engine.turns.callEnded()
      engine.endReadingLane(of: row, lane(rowNumbers[row] ?? 0))
    }
    engine.admitAll(slots, at: now)
    _ = engine.takeSlotNews()
  }

  package func run() { follow(engine.followUp(hasDiscarded: false)) }

  private func follow(_ next: Turns.FollowUp) {
    guard next.hasWork else { return }
    let isDone = performEffects()
    hasPaused = !isDone
    _ = engine.endLoop(isDone: isDone)
  }

  /// - Returns: Whether everything was performed.
  private func performEffects() -> Bool {
    var loop = engine.beginLoop()
    while true {
      switch engine.next(&loop) {
      case .perform(let effect): perform(effect)
      case .forget(let freed): forget(freed)
      case .admit: admit()
      case .release: return true
      case .pause: return false
      }
    }
  }

  func perform(_ effect: TrackerEngine.Effect) {
    switch effect {
    case .render(let cell): return render(cell)
    case .leave(let cell): return renderLeaving(cell)
    case .empty(let cell): return renderEmpty(cell)
    case .clear(let cell): return clear(cell)
    case .start(let run): start(run)
    case .claim(let run): claims[run] = engine.claim(of: run)
    case .cancel(let run): recordCancel(of: run)
    case .dropValue(let row): drop(row)
    case .dropStep(let row): steps[row] = nil
    case .openStream(let stream): open(stream)
    case .closeStream(let stream): close(stream)
    case .committed: checkCommit(of: engine.takeCommittedRows())
    case .dropRenderer, .dropError, .phaseChanged, .report: break
    }
    callApp()
  }
}
