/// Decides which of the trackers that share slots is served next.
///
/// It keeps their last bids, so a decision reads no tracker. Bids are as of the last turn or
/// admission. So trackers of a decision bid once more before it is carried out, and all before a
/// load is cancelled.
struct SharedSlotTable: Hashable, Sendable {
  package var slots: SlotTable
  private var bids = SlotBids()
  /// Admissions so far.
  private var served = 0

  init(count: Int) { slots = SlotTable(count: count) }

  var trackers: Int { bids.count }

  /// Adds a tracker without a bid; amortised O(1).
  ///
  /// - Returns: Its number, perhaps that of a removed tracker.
  package mutating func add() -> Int { bids.add() }

  /// O(log trackers).
  mutating func remove(_ tracker: Int) { bids.remove(tracker) }

  func bid(of tracker: Int) -> SlotBid { bids[tracker] }

  /// O(log trackers).
  mutating func update(_ tracker: Int, _ bid: SlotBid) {
    var bid = bid
    bid.servedAt = bids[tracker].servedAt
    if bids[tracker] != bid { bids.update(tracker, bid) }
  }

  /// Removes a tracker's requests; O(log trackers).
  mutating func withdraw(_ tracker: Int) {
    var bid = bids[tracker]
    bid.withdraw()
    update(tracker, bid)
  }

  /// The tracker gets a slot; O(log trackers).
  mutating func serve(_ tracker: Int) {
    served += 1
    var bid = bids[tracker]
    bid.servedAt = served
    bids.update(tracker, bid)
  }

  // MARK: Decisions

  /// The next step towards the most urgent load of all trackers; O(1).
  ///
  /// Among equals, the tracker goes first that was served the longest ago.
  func decide() -> SlotTable.Decision? { slots.decide(bids.demand) }

  package var ledger: SlotLedger { slots.ledger(bids.demand) }

  /// By the last bids.
  var hasLingering: Bool { slots.orphans > 0 || bids.demand.lingering > 0 }

  /// Whether bodies that ignore cancellation hold all slots while a load waits.
  var isHeld: Bool { ledger.isHeldByLingering && bids.demand.request != nil }
}
