extension TrackerCore: SlotUser {
  nonisolated var owner: any UpdateOwner { inbox }

  func slotBid(isOwnTurn: Bool) -> SlotBid {
    let now = time
    var bid = books.engine.slotBid(at: now)
    if !isOwnTurn, !books.engine.isUpToDate { bid.withdraw() }
    return bid
  }

  func admitAll(_ slots: SlotTable) -> SlotBid {
    let now = time
    return books.engine.admitAll(slots, at: now)
  }

  func startNext() {
    let now = time
    books.engine.admitNext(at: now)
  }

  func yieldSlot(_ yield: SlotTable.Yield) -> Bool {
    let now = time
    return books.engine.yieldSlot(yield, at: now)
  }

  func urgency(of id: UpdateID) -> Urgency? {
    let now = time
    return books.urgency(of: id, at: now)
  }

  var slotHolders: [SlotHolder] {
    let engine = books.engine
    return engine.runs.ids.filter { engine.runs[$0].stage != .ended }.map { run in
      let state = engine.runs[run]
      return SlotHolder(
        age: time - state.startedAt,
        isLingering: state.stage == .cancelled || state.stage == .timedOut,
        text: describe(run, engine, names: true))
    }
  }
}
