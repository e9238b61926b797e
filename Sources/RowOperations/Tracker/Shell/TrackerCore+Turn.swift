import Foundation

extension TrackerCore {
  @usableFromInline
  func requestTurn() {
    if state.engine.turns.request() { postTurn() }
  }

  func postTurn() {
    if let turnItem { DispatchQueue.main.async(execute: turnItem) }
  }

  /// Takes a turn: commits arrivals, evaluates, starts loads, and renders.
  @usableFromInline
  package func takeTurn() {
    let now = state.clock.now()
    let outerTime = state.turnTime
    state.turnTime = now
    forgetDeadCells(at: now)
    let isNested = state.engine.beginTurn()
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate: evaluate(at: now)
      case .admit: slots.admit(in: self)
      case .performStarts, .performRenders: run()
      case .finish: state.engine.finishTurn()
      }
    }
    if let follower { passEnded(for: follower, at: now) }
    state.turnTime = outerTime
    follow(
      state.engine.turnEnded(
        isNested: isNested, isContinued: state.cells.isSweepUnfinished,
        hasDiscarded: !state.discarded.isEmpty))
    slots.turnEnded(self)
    updateTimer()
    if !isWatchingNetwork, state.engine.hasLackedNetwork {
      isWatchingNetwork = true
      networkWatch.add(self)
    }
    if !waiters.isEmpty { resumeWaiters() }
  }

  private func evaluate(at now: Int64) {
    let mail = inbox.empty()
    if !mail.arrivals.isEmpty { commit(mail.arrivals, at: now) }
    let errors = state.engine.streams.isEmpty ? [] : takeElements(of: mail.streams, at: now)
    if !followed.isEmpty { followOrders() }
    record(.passEnd)
    if state.engine.hasWindows { state.engine.expectRows(at: now) }
    let lost = state.engine.cellsToBindAnew.count
    state.engine.endTurn(at: now)
    // The next turn finds the positions of cells that were bound anew in the order.
    if state.engine.cellsToBindAnew.count < lost, !followed.isEmpty { requestTurn() }
    // The error is kept if the row shows it.
    for (row, error) in errors where state.engine.failure(of: row) == .error {
      keepError(error, of: row)
    }
    dropBodies()
  }

  // MARK: Arrivals

  private func commit(_ arrived: [Inbox.Arrival], at now: Int64) {
    let ended = arrived.compactMap { $0.isEnd ? run($0.id) : nil }
    for run in state.engine.sortedForCommit(ended) {
      if let batches = closures.batches {
        endInBatch(run, batches, at: now)
      } else {
        end(run, at: now)
      }
    }
    // Of a load that has ended, only the end is shown.
    for arrival in arrived where !arrival.isEnd { step(arrival.id) }
  }

  /// `nil` if another run has the number.
  private func run(_ id: UpdateID) -> RunID? {
    let run = RunID(index: id.index)
    return state.engine.state(of: run, generation: id.generation) == nil ? nil : run
  }

  /// Does nothing if the row no longer waits for the update.
  private func step(_ id: UpdateID) {
    guard let run = run(id), let (load, operation) = state.load(of: run), load.stage == .current
    else { return }
    if let batches = closures.batches { return stepInBatch(run, operation, batches) }
    guard let hasValue = closures.step(operation, load.row) else { return }
    recordStep(of: operation, hasValue: hasValue)
    state.engine.take(.step(run, hasValue: hasValue), at: time)
  }

  /// The store reads the result, the engine accepts it, and the store keeps it.
  ///
  /// The commit calls the app's code.
  private func end(_ run: RunID, at now: Int64) {
    guard let (load, operation) = state.load(of: run) else { return }
    let stage = load.stage == .cancelled ? operation.stageLog.cancelledAt : nil
    var isAccepted = false
    let error = call {
      closures.end(operation, load.row, load.stage == .current) { outcome in
        recordEnd(of: operation, load, outcome)
        isAccepted = state.engine.take(.end(run, outcome), at: now)
        if let stage, case .failure = outcome { cancelledPerStage[stage, default: 0] += 1 }
        return isAccepted
      }
    }
    if isAccepted, let error { keepError(error, of: load.row) }
  }
}
