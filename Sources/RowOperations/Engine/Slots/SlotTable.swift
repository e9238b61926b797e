/// The slots, and the rules by which they are given, as a value.
package struct SlotTable: Hashable, Sendable {
  package let count: Int
  /// The number of running bodies of cancelled operations whose trackers are deallocated.
  var orphans = 0

  package init(count: Int) { self.count = count }

  enum Decision: Hashable, Sendable {
    /// The tracker's most urgent row gets a slot.
    case start(tracker: Int)
    /// The tracker cancels a load, so that another one gets its slot.
    case yield(tracker: Int, Yield, to: Int)
  }

  /// Which load gives its slot to a more urgent one.
  enum Yield: Hashable, Sendable {
    /// The oldest unclaimed load.
    case unclaimed
    /// The running prefetch that loses least.
    case prefetch
  }

  // MARK: Decisions

  /// The next step towards the most urgent load of all trackers.
  ///
  /// O(1).
  func decide(_ demand: SlotDemand) -> Decision? {
    let ledger = ledger(demand)
    guard let request = demand.request else { return nil }
    let tracker = request.bidder.tracker
    if ledger.hasFree { return .start(tracker: tracker) }
    // A load that loses nothing by waiting takes no slot from another one.
    guard request.urgency > .zero, ledger.wouldGainByCancelling else { return nil }
    if let other = demand.unclaimed {
      return .yield(tracker: other.tracker, .unclaimed, to: tracker)
    }
    guard let least = demand.least, least.loss.yields(to: request.urgency) else { return nil }
    return .yield(tracker: least.bidder.tracker, .prefetch, to: tracker)
  }

  func ledger(_ demand: SlotDemand) -> SlotLedger {
    // The end of a body may reach the main queue before the end of its tracker, so that the number
    // of orphans is negative for a moment.
    SlotLedger(
      count: count, running: demand.running, lingering: max(orphans, 0) + demand.lingering)
  }

  // MARK: One tracker

  /// The next step of a tracker that shares its slots with no other.
  func decide(_ bid: SlotBid) -> Decision? { decide(SlotDemand(alone: bid)) }

  /// The uses of the slots by a tracker that shares them with no other.
  package func ledger(_ bid: SlotBid) -> SlotLedger { ledger(SlotDemand(alone: bid)) }
}

/// A tracker's use of the slots and its most urgent request.
package struct SlotBid: Hashable, Sendable {
  package var running: Int
  /// The number of cancelled operations that have not ended.
  package var lingering: Int
  /// Whether an unclaimed load runs.
  var hasUnclaimed: Bool
  /// What the running prefetch loses that loses least; `nil` without one that may yield.
  var leastLoss: Urgency?
  /// The most urgent load that may start.
  package var next: Urgency?
  /// The number of the tracker's last admission, which grows with each admission.
  var servedAt = 0

  package init(
    running: Int = 0, lingering: Int = 0, hasUnclaimed: Bool = false, leastLoss: Urgency? = nil,
    next: Urgency? = nil
  ) {
    self.running = running
    self.lingering = lingering
    self.hasUnclaimed = hasUnclaimed
    self.leastLoss = leastLoss
    self.next = next
  }

  /// Withdraws the bid of a tracker with unevaluated events: it requests nothing, and none of its
  /// loads yields.
  mutating func withdraw() {
    next = nil
    hasUnclaimed = false
    leastLoss = nil
  }
}

/// The number of slots and their uses.
package struct SlotLedger: Hashable, Sendable {
  package let count: Int
  package var running: Int
  /// The number of cancelled operations that have not ended.
  package var lingering: Int

  package init(count: Int, running: Int = 0, lingering: Int = 0) {
    self.count = count
    self.running = running
    self.lingering = lingering
  }

  /// As many lingering bodies as slots run without counting.
  private var free: Int { count - running - max(lingering - count, 0) }

  package var hasFree: Bool { free > 0 }

  var isHeldByLingering: Bool { lingering - count >= count }

  package var wouldGainByCancelling: Bool {
    var after = self
    after.running -= 1
    after.lingering += 1
    return after.hasFree
  }
}
