import Foundation

extension TrackerCore {
  func operation(of run: RunID) -> (any TrackedUpdate)? { state.operation(of: run) }

  /// Makes the operation of an admitted run.
  ///
  /// - Returns: `nil` if the row needs none any more.
  func operationToStart(_ run: RunID) -> AsyncOperation? {
    guard let load = state.engine.state(of: run) else { return nil }
    let operation =
      if let batches = closures.batches { makeBatch(run, load, batches) } else { make(run, load) }
    guard let operation else {
      state.engine.turns.slotFreed()
      return nil
    }
    let ready = operation.claim(by: queue) ? operation : operation.failedReplacement()
    guard let claim = state.made(ready, run, load.generation, at: time) else { return nil }
    ready.report(
      to: inbox, as: UpdateID(index: run.index, generation: load.generation),
      claim: RowClaim(claim), qualityOfService: qualityOfService,
      clock: state.engine.settings.reportsEvents ? state.clock.now : nil)
    return ready
  }

  private func make(_ run: RunID, _ load: RunState) -> (any TrackedUpdate)? {
    if looksUp {
      lookUp(run, load)
      // The app's code may have ended the last claim, or its cache had the value.
      guard state.engine.isAdmitted(run, generation: load.generation) else { return nil }
    }
    let made = closures.make(load.row, load.generation)
    if made == nil {
      record(.setValue(row: load.row))
      state.engine.take(.foundNothing(run, generation: load.generation), at: time)
    }
    return made
  }

  /// A value of the app's cache ends the load before it begins.
  func lookUp(_ run: RunID, _ load: RunState) {
    guard state.engine.wantsLookUp(load.row) else { return }
    _ = closures.lookUp(load.row) { cost in
      record(.setValue(row: load.row))
      return state.engine.take(.foundValue(run, generation: load.generation, cost: cost), at: time)
    }
  }
}
