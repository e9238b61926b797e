extension TrackerCore: SlotUser {
  nonisolated var owner: any UpdateOwner { inbox }

  func slotBid(isOwnTurn: Bool) -> SlotBid {
    let now = time
    var bid = state.engine.slotBid(at: now)
    if !isOwnTurn, !state.engine.isUpToDate { bid.withdraw() }
    return bid
  }

  func admitAll(_ slots: SlotTable) -> SlotBid {
    let now = time
    return state.engine.admitAll(slots, at: now)
  }

  func nextRow() -> RowID? { state.engine.nextLoad(at: time)?.row }

  func start(_ row: RowID) {
    let now = time
    state.engine.admitWinner(row, at: now)
  }

  func admissionIsOver() { state.engine.admissionIsOver() }

  func yieldSlot(_ yield: SlotTable.Yield) -> Bool {
    let now = time
    return state.engine.yieldSlot(yield, at: now)
  }

  var slotHolders: [SlotHolder] {
    return state.engine.runs.ids.filter { state.engine.runs[$0].stage != .ended }.map { run in
      let load = state.engine.runs[run]
      return SlotHolder(
        age: time - load.startedAt,
        isLingering: load.stage == .cancelled || load.stage == .timedOut,
        text: describe(run, names: true))
    }
  }
}
