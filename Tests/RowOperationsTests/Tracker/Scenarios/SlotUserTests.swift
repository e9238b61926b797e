import Testing

@testable import RowOperations

@Suite("Slots and the trackers that use them")
@MainActor
struct SlotUserTests {
  /// A tracker with a bid that the test sets.
  private final class User: SlotUser {
    nonisolated let owner: any UpdateOwner
    var bid = SlotBid()
    /// Whether a load yields its slot when it is asked to.
    var yields = true
    private(set) var (starts, yieldRequests) = (0, 0)

    init(_ slots: UpdateSlots) {
      owner = Inbox(number: slots.reserveNumber(), announce: { _ in })
      slots.add(self)
    }

    func slotBid(isOwnTurn: Bool) -> SlotBid { bid }

    func admitAll(_ slots: SlotTable) -> SlotBid { bid }

    func nextRow() -> RowID? { RowID(index: 0) }

    func start(_ row: RowID) {
      starts += 1
      bid = SlotBid(running: bid.running + 1)
    }

    func yieldSlot(_ yield: SlotTable.Yield) -> Bool {
      yieldRequests += 1
      // Each request after the first one is granted, so that an admission ends in any case.
      guard yields || yieldRequests > 1 else { return false }
      bid = SlotBid()
      return true
    }

    func admissionIsOver() {}

    func run() {}

    var slotHolders: [SlotHolder] { [] }
  }

  @Test("What a tracker wants at the end of its turn is known to the turns of other ones")
  func bidAtTheEnd() {
    let slots = UpdateSlots(1)
    let (first, second) = (User(slots), User(slots))
    slots.admit(in: first)
    first.bid = SlotBid(next: .highest)
    slots.turnEnded(first)
    slots.admit(in: second)
    #expect(first.starts == 1)
  }

  @Test("A tracker whose load cannot yield after all is asked once, and keeps the slot")
  func noYield() {
    let slots = UpdateSlots(1)
    let (holder, other) = (User(slots), User(slots))
    holder.bid = SlotBid(running: 1, hasUnclaimed: true)
    slots.admit(in: holder)
    holder.yields = false
    other.bid = SlotBid(next: .highest)
    slots.admit(in: other)
    #expect(holder.yieldRequests == 1 && other.starts == 0)
  }

  @Test("A tracker that is being deallocated gets no slot, and holds up no other one")
  func goneTracker() {
    let slots = UpdateSlots(1)
    var first: User? = User(slots)
    let second = User(slots)
    first?.bid = SlotBid(next: .highest)
    if let first { slots.turnEnded(first) }
    // Its end has not reached the slots yet.
    first = nil
    second.bid = SlotBid(next: .highest)
    slots.admit(in: second)
    #expect(second.starts == 1)
  }
}
