/// Decides, as a value, which of the trackers that share slots is served next.
///
/// It keeps the last bid of each tracker, so a decision reads no tracker. A bid is as of the
/// tracker's last turn or admission, so the trackers of a decision bid once more before it is
/// carried out, and all trackers before a load is cancelled.
struct SharedSlotTable: Hashable, Sendable {
  package var slots: SlotTable
  private var bids = SlotBids()
  /// The number of admissions so far.
  private var served = 0

  init(count: Int) { slots = SlotTable(count: count) }

  /// The number of trackers.
  var trackers: Int { bids.count }

  /// Adds a tracker without a bid.
  ///
  /// Amortised O(1).
  ///
  /// - Returns: Its number. The number of a removed tracker is used again.
  package mutating func add() -> Int { bids.add() }

  /// Removes a tracker.
  ///
  /// O(log trackers).
  mutating func remove(_ tracker: Int) { bids.remove(tracker) }

  /// The tracker's last bid.
  func bid(of tracker: Int) -> SlotBid { bids[tracker] }

  /// Replaces the tracker's bid.
  ///
  /// O(log trackers).
  mutating func update(_ tracker: Int, _ bid: SlotBid) {
    var bid = bid
    bid.servedAt = bids[tracker].servedAt
    if bids[tracker] != bid { bids.update(tracker, bid) }
  }

  /// Removes the requests of a tracker.
  ///
  /// O(log trackers).
  mutating func withdraw(_ tracker: Int) {
    var bid = bids[tracker]
    bid.withdraw()
    update(tracker, bid)
  }

  /// Records that the tracker gets a slot.
  ///
  /// O(log trackers).
  mutating func serve(_ tracker: Int) {
    served += 1
    var bid = bids[tracker]
    bid.servedAt = served
    bids.update(tracker, bid)
  }

  // MARK: Decisions

  /// The next step towards the most urgent load of all trackers.
  ///
  /// Among equally urgent loads, the tracker goes first that was served the longest ago.
  ///
  /// O(1).
  func decide() -> SlotTable.Decision? { slots.decide(bids.demand) }

  /// The uses of the slots by all trackers.
  package var ledger: SlotLedger { slots.ledger(bids.demand) }

  /// Whether cancelled bodies still run by the last bids.
  var hasLingering: Bool { slots.orphans > 0 || bids.demand.lingering > 0 }

  /// Whether bodies that ignore cancellation hold all slots while a load waits.
  var isHeld: Bool { ledger.isHeldByLingering && bids.demand.request != nil }
}
