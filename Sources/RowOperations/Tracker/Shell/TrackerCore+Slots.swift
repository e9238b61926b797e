/// The calls of the slots that the tracker uses.
extension TrackerCore {
  /// The tracker's use of the slots and its strongest request.
  ///
  /// - Parameter isOwnTurn: Whether the tracker has just evaluated its events. If not, it requests
  ///   nothing yet.
  func slotBid(isOwnTurn: Bool) -> SlotBid {
    let now = time
    var bid = books.engine.slotBid(at: now)
    if !isOwnTurn, !books.engine.isUpToDate { bid.withdraw() }
    return bid
  }

  func admitAll(_ table: SlotTable) {
    let now = time
    books.engine.admitAll(table, at: now)
  }

  /// The strength of a running load's claim; `nil` if the load has ended or has no claim.
  func stageClaim(of id: UpdateID) -> StageClaim? {
    let now = time
    return books.stageClaim(of: id, at: now)
  }

  func startNext(mayPrefetch: Bool) {
    let now = time
    books.engine.admitNext(mayPrefetch: mayPrefetch, at: now)
  }

  func yieldSlot(_ yield: SlotTable.Yield) -> Bool {
    let now = time
    return books.engine.yieldSlot(yield, at: now)
  }
}
