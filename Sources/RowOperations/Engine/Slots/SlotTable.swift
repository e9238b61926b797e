/// The slots, and the rules by which they are given.
package struct SlotTable: Hashable, Sendable {
  package let count: Int
  let laneLimit: Int
  /// Running bodies of cancelled operations whose trackers are deallocated.
  var orphans = 0

  package init(count: Int, laneLimit: Int = .max) {
    self.count = count
    self.laneLimit = laneLimit
  }

  enum Decision: Hashable, Sendable {
    /// The tracker's most urgent row gets a slot.
    case start(tracker: Int)
    /// The tracker cancels a load, so another one gets its slot.
    /// In a full lane, it is one of the lane; 0 stands for any.
    case yield(tracker: Int, Yield, in: Int, to: Int)
  }

  /// Which load gives its slot to a more urgent one.
  enum Yield: Hashable, Sendable {
    case unclaimed
    case prefetch
  }

  // MARK: Decisions

  /// The next step towards the most urgent load of all trackers.
  ///
  /// - Parameter lane: The uses of the request's lane.
  func decide(_ demand: SlotDemand, in lane: SlotDemand?) -> Decision? {
    let ledger = ledger(demand)
    guard let request = demand.request else { return nil }
    let tracker = request.tracker
    var (holders, fullLane) = (demand, 0)
    if let lane, lane.running >= laneLimit {
      (holders, fullLane) = (lane, request.lane)
    } else if ledger.hasFree {
      return .start(tracker: tracker)
    }
    // A load that loses nothing by waiting takes no slot from another.
    guard request.urgency > .zero, ledger.wouldGainByCancelling else { return nil }
    if let other = holders.unclaimed {
      return .yield(tracker: other, .unclaimed, in: fullLane, to: tracker)
    }
    guard let least = holders.least, least.loss.yields(to: request.urgency) else { return nil }
    return .yield(tracker: least.tracker, .prefetch, in: fullLane, to: tracker)
  }

  func ledger(_ demand: SlotDemand) -> SlotLedger {
    // Negative for a moment, if the end of a body reaches the main queue before that of its
    // tracker.
    SlotLedger(
      count: count, running: demand.running, lingering: max(orphans, 0) + demand.lingering)
  }

  // MARK: One tracker

  /// For a tracker with slots of its own.
  func decide(_ bid: SlotBid, in lane: SlotBid?) -> Decision? {
    decide(demand(bid), in: lane.map(demand))
  }

  /// For a tracker with slots of its own.
  func ledger(_ bid: SlotBid) -> SlotLedger { ledger(demand(bid)) }

  private func demand(_ bid: SlotBid) -> SlotDemand {
    var demand = SlotDemand()
    demand.add(bid, of: 0)
    return demand
  }
}

/// A tracker's use of the slots and its most urgent request.
package struct SlotBid: Hashable, Sendable {
  package var running: Int
  /// Cancelled operations that have not ended.
  package var lingering: Int
  var hasUnclaimed: Bool
  /// The loss of the running prefetch that loses least; `nil` if none may yield.
  var leastLoss: Urgency?
  /// Of the most urgent load that may start.
  package var next: Urgency?
  var lane = 0
  var hasNews: Bool
  /// Grows with each admission.
  var servedAt = 0

  package init(
    running: Int = 0, lingering: Int = 0, hasUnclaimed: Bool = false, leastLoss: Urgency? = nil,
    next: Urgency? = nil, hasNews: Bool = false
  ) {
    self.running = running
    self.lingering = lingering
    self.hasUnclaimed = hasUnclaimed
    self.leastLoss = leastLoss
    self.next = next
    self.hasNews = hasNews
  }

  mutating func add(_ other: SlotBid) {
    running += other.running
    if other.hasUnclaimed { hasUnclaimed = true }
    if let loss = other.leastLoss { leastLoss = min(leastLoss ?? loss, loss) }
  }

  /// With unevaluated events, a tracker requests nothing and none of its loads yields.
  var withdrawn: SlotBid {
    var bid = self
    bid.next = nil
    bid.hasUnclaimed = false
    bid.leastLoss = nil
    return bid
  }
}

/// The number of slots and their uses.
struct SlotLedger: Hashable, Sendable {
  let count: Int
  var running: Int
  /// Cancelled operations that have not ended.
  var lingering: Int

  init(count: Int, running: Int = 0, lingering: Int = 0) {
    self.count = count
    self.running = running
    self.lingering = lingering
  }

  /// As many lingering bodies as slots run without counting.
  private var free: Int { count - running - max(lingering - count, 0) }

  var hasFree: Bool { free > 0 }

  var isHeldByLingering: Bool { lingering - count >= count }

  var wouldGainByCancelling: Bool {
    var after = self
    after.running -= 1
    after.lingering += 1
    return after.hasFree
  }
}
