import Foundation

/// The loop that performs effects.
extension TrackerCore {
  /// Performs effects, and requests a turn if one is due.
  package func run() { follow(state.followUp()) }

  func follow(_ next: Turns.FollowUp) {
    if next.needsTurn { postTurn() }
    guard next.hasWork else { return }
    let isDone = performEffects()
    if state.engine.endLoop(isDone: isDone) { postTurn() }
    // The end of a turn goes on with effects, not with dropped values.
    if !isDone { requestTurn() }
  }

  /// - Returns: Whether everything was performed.
  private func performEffects() -> Bool {
    var loop = state.engine.beginLoop()
    var starting: [AsyncOperation] = []
    while true {
      if !starting.isEmpty, loop.isSpent || !state.engine.startsNext {
        queue.enqueueTogether(starting)
        starting = []
      }
      switch state.engine.next(&loop) {
      case .perform(let effect): perform(effect, &starting)
      case .forget(let freed):
        state.forget(freed)
        if !freed.rows.isEmpty { forgetRows(freed.rows, &state.discarded) }
      case .admit: slots.admit(in: self)
      case .release: if !releaseSome() { return true }
      case .pause: return false
      }
    }
  }

  /// - Parameter starting: The operations that start together, without an effect in between.
  private func perform(_ effect: TrackerEngine.Effect, _ starting: inout [AsyncOperation]) {
    switch effect {
    case .render(let cell), .leave(let cell):
      if let due = state.beginRender(of: cell) { perform(due) }
    case .clear(let cell):
      let due = state.beginRender(of: cell)
      state.dropRenderer(of: cell)
      if let due { perform(due) }
    case .dropRenderer(let cell, _): state.dropRenderer(of: cell)
    case .start(let run):
      if let operation = operationToStart(run) { starting.append(operation) }
    case .claim(let run):
      if let operation = operation(of: run) {
        let claim = RowClaim(state.engine.claim(of: run))
        operation.tracked.claimChanged(to: claim, of: operation)
      }
    case .cancel(let run): operation(of: run)?.cancel()
    case .openStream(let stream): open(stream)
    case .closeStream(let stream): takeStream(stream)?.close()
    case .dropValue(let row): state.dropValue(of: row)
    case .dropStep(let row): state.dropStep(of: row)
    case .dropError(let row): state.dropError(of: row)
    case .committed: store.committed(state.engine.takeCommittedRows())
    case .report(let report): self.report(report)
    }
  }

  private func perform(_ due: TrackerState.Render) {
    due.renderer.render(due.cell, due.content)
    if let rendered = due.rendered { state.engine.endRender(rendered) }
  }

  // MARK: Releasing

  /// - Returns: Whether there was anything to release.
  private func releaseSome() -> Bool {
    guard !state.discarded.isEmpty else { return false }
    releaseHere(state.discarded.takeSome())
    return true
  }
}
