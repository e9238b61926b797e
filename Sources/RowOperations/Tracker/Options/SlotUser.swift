/// A tracker, as the slots that it uses see it.
@MainActor
protocol SlotUser: AnyObject {
  /// Knows the tracker's number.
  nonisolated var owner: any UpdateOwner { get }
  /// The use of the slots, and the strongest request.
  ///
  /// - Parameter isOwnTurn: Else it requests nothing yet.
  func slotBid(isOwnTurn: Bool) -> SlotBid
  /// Fills all free slots of a tracker alone.
  ///
  /// - Returns: The bid that is left.
  func admitAll(_ slots: SlotTable) -> SlotBid
  func nextRow() -> RowID?
  func start(_ row: RowID)
  /// Cancels a load, so that another one gets its slot.
  ///
  /// - Returns: Whether a load yielded.
  func yieldSlot(_ yield: SlotTable.Yield) -> Bool
  /// Loads that began since the tracker's last turn may yield from now on.
  func admissionIsOver()
  /// For effects in the turn of another tracker.
  func run()
  var slotHolders: [SlotHolder] { get }
}

struct SlotHolder {
  let age: Int64
  let isLingering: Bool
  let text: String
}
