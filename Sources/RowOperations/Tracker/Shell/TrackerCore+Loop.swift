import Foundation

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
      switch state.next(&loop) {
      case .render(let render): perform(render)
      case .perform(let effect): perform(effect, &starting)
      case .forget(let rows): forgetRows(rows, &state.discarded)
      case .admit: admit()
      case .release(let objects): releaseHere(objects)
      case .end: return true
      case .pause: return false
      }
    }
  }

  private func perform(_ due: TrackerState.Render) {
    due.renderer.render(due.cell, due.content)
    if let rendered = due.rendered { state.engine.endRender(rendered) }
  }

  /// - Parameter starting: The operations that start together, without an effect in between.
  private func perform(_ effect: TrackerEngine.Effect, _ starting: inout [AsyncOperation]) {
    switch effect {
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
    case .committed: store.committed(state.engine.takeCommittedRows())
    case .phaseChanged(let row): store.phaseChanged(of: row, in: self)
    case .report(let report): self.report(report)
    case .render, .leave, .empty, .clear, .dropRenderer, .dropValue, .dropStep, .dropError: break
    }
  }
}
