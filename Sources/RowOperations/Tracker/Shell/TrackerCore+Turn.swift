import Foundation

extension TrackerCore {
  func requestTurn() {
    if state.engine.turns.request() { postTurn() }
  }

  func postTurn() {
    if let turnItem { DispatchQueue.main.async(execute: turnItem) }
  }

  /// Takes a turn: commits arrivals, evaluates, starts loads, and renders.
  package func takeTurn() {
    let now = state.clock.now()
    let outerTime = state.turnTime
    let renames = lastRename
    state.turnTime = now
    forgetDeadCells(at: now)
    let isNested = state.engine.beginTurn()
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate: evaluate(at: now)
      case .admit: admit()
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
    endRenames(before: renames)
  }

  private func evaluate(at now: Int64) {
    let news = inbox.empty()
    if !news.isEmpty { commit(news, at: now) }
    let errors = state.engine.streams.isEmpty ? [] : takeElements(of: news, at: now)
    if !followed.isEmpty { followOrders() }
    record(.passEnd)
    if state.engine.hasWindows { state.engine.expectRows(at: now) }
    let lost = state.engine.cellsToBindAnew.count
    state.engine.endTurn(at: now)
    // The next turn finds the positions of cells that were bound anew in the order.
    if state.engine.cellsToBindAnew.count < lost, !followed.isEmpty { requestTurn() }
    // The error is kept if the row shows it.
    for (row, error) in errors where state.engine.failure(of: row) == .error {
      keep(error, of: row)
    }
    dropBodies()
  }
}
