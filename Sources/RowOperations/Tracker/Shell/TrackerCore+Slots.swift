/// A tracker, as the slots that it uses see it.
extension TrackerCore {
  func join(_ holds: SlotHolds, at slotTime: Int64) {
    state.engine.settings.tracker = number
    state.engine.settings.slotsAhead = slotTime - time
    state.engine.holds = holds
  }

  func admit() {
    if usesLanes { readLanes() }
    slots.admit(in: self)
  }

  /// The next turn reads what the app's code brings.
  private func readLanes() {
    for _ in 0..<state.engine.lanes.unreadCount {
      guard let row = state.engine.beginReadingLane() else { return }
      let lane = call { store.lane(of: row) }
      state.engine.endReadingLane(of: row, slots.number(of: lane))
    }
  }

  func takeSlotNews() -> [SlotHolds.News] { state.engine.takeSlotNews() }

  var lanes: [Int] { state.engine.lanes.all }

  func take(_ holds: SlotHolds) {
    state.engine.holds = holds
    updateTimer()
  }

  /// The use of the slots, and the strongest request.
  ///
  /// - Parameter isOwnTurn: Else it requests nothing yet.
  func slotBid(isOwnTurn: Bool) -> SlotBid {
    let now = time
    let bid = state.engine.slotBid(at: now)
    return isOwnTurn || state.engine.isUpToDate ? bid : bid.withdrawn
  }

  /// The use of the slots, by lane.
  func ownLanes(isOwnTurn: Bool) -> [Int: SlotBid] {
    let now = time
    let uses = state.engine.ownLanes(at: now)
    return isOwnTurn || state.engine.isUpToDate ? uses : uses.mapValues(\.withdrawn)
  }

  func set(otherLanes: [Int: SlotBid]) { state.engine.otherLanes = otherLanes }

  /// - Returns: The bid that is left.
  func admitAll(_ slots: SlotTable) -> SlotBid {
    let now = time
    return state.engine.admitAll(slots, at: now)
  }

  func nextRow() -> RowID? {
    let now = time
    return state.engine.nextLoad(at: now)?.row
  }

  func start(_ row: RowID) {
    let now = time
    state.engine.admitWinner(row, at: now)
  }

  func admissionIsOver() { state.engine.admissionIsOver() }

  /// - Returns: Whether a load yielded.
  func yieldSlot(_ yield: SlotTable.Yield, in lane: Int) -> Bool {
    let now = time
    return state.engine.yieldSlot(yield, in: lane, at: now)
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

struct SlotHolder {
  let age: Int64
  let isLingering: Bool
  let text: String
}
