import Foundation

extension TrackerCore {
  func start(_ run: RunID, _ load: RunState) {
    if let batches = closures.batches { return startBatch(run, load, batches) }
    let now = time
    if looksUp { lookUp(run, load, at: now) }
    // The app's code may have ended the last claim, or its cache had the value.
    guard !looksUp || state.isAdmitted(run, load.generation) else {
      return state.turns.slotFreed()
    }
    guard let made = closures.make(load.row, load.generation) else {
      record(.setValue(row: load.row))
      state.engine.take(.foundNothing(run, generation: load.generation), at: now)
      return state.turns.slotFreed()
    }
    start(
      made.claim(by: queue) ? made : made.failedReplacement(), run, load.generation, at: now)
  }

  /// A value of the app's cache ends the load before it begins.
  func lookUp(_ run: RunID, _ load: RunState, at now: Int64) {
    guard state.wantsLookUp(load.row) else { return }
    _ = closures.lookUp(load.row) { cost in
      record(.setValue(row: load.row))
      return state.engine.take(.foundValue(run, generation: load.generation, cost: cost), at: now)
    }
  }

  func start(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) {
    guard state.operationMade(operation, run, generation, at: now) else { return }
    operation.report(
      to: inbox, as: UpdateID(index: run.index, generation: generation),
      claim: RowClaim(state.engine.claim(of: run)), qualityOfService: qualityOfService,
      clock: reportsEvents ? clock.now : nil)
    state.starting.append(operation)
  }
}
