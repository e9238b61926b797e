/// A tracker, as the slots that it uses see it.
@MainActor
protocol SlotUser: AnyObject {
  /// Knows the tracker's number.
  nonisolated var owner: any UpdateOwner { get }
  /// The tracker's use of the slots and its strongest request.
  ///
  /// - Parameter isOwnTurn: Whether the tracker has just evaluated its events; else it requests
  ///   nothing yet.
  func slotBid(isOwnTurn: Bool) -> SlotBid
  /// Fills all free slots, which no other tracker uses.
  ///
  /// - Returns: The bid that is left.
  func admitAll(_ slots: SlotTable) -> SlotBid
  func nextRow() -> RowID?
  /// Gives a row a slot, if it still waits.
  func start(_ row: RowID)
  /// Cancels a load, so that another one gets its slot.
  ///
  /// - Returns: Whether a load yielded.
  func yieldSlot(_ yield: SlotTable.Yield) -> Bool
  /// Lets loads yield from now on that have begun since the tracker's last turn.
  func admissionIsOver()
  /// Performs the effects of starts and cancels in the turn of another tracker.
  func run()
  var slotHolders: [SlotHolder] { get }
}

struct SlotHolder {
  let age: Int64
  let isLingering: Bool
  let text: String
}
