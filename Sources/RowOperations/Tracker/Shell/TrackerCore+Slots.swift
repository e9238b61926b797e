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
  func slotBid(isOwnTurn: Bool, besides lanes: [Int: SlotBid]? = nil) -> SlotBid {
    let now = time
    if let lanes { state.engine.otherLanes = lanes }
    var bid = state.engine.slotBid(at: now)
    if !isOwnTurn, !state.engine.isUpToDate { bid.withdraw() }
    return bid
  }

  /// Fills all free slots of a tracker alone.
  ///
  /// - Returns: The bid that is left.
  func admitAll(_ slots: SlotTable) -> SlotBid {
    let now = time
    return state.engine.admitAll(slots, at: now)
  }

  func nextRow() -> RowID? { state.engine.nextLoad(at: time)?.row }

  func start(_ row: RowID) {
    let now = time
    state.engine.admitWinner(row, at: now)
  }

  /// Loads that began since the tracker's last turn may yield from now on.
  func admissionIsOver() { state.engine.admissionIsOver() }

  /// Cancels a load, so that another one gets its slot.
  ///
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
