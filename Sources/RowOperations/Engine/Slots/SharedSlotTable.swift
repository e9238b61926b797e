/// Decides which of the trackers that share slots is served next.
///
/// It keeps their last bids, so a decision reads no tracker. Bids are as of the last turn or
/// admission. So trackers of a decision bid once more before it is carried out, and all before a
/// load is cancelled.
struct SharedSlotTable: Hashable, Sendable {
  var slots: SlotTable
  var holds: SlotHolds
  private var bids: [Int: SlotBid] = [:]
  /// The uses of lanes, by tracker and lane.
  private var lanes: [Int: [Int: SlotBid]] = [:]
  /// A later tracker has a higher number.
  private var lastTracker = -1
  /// Admissions so far.
  private var served = 0

  init(count: Int, laneLimit: Int = .max, startsPerSecond: Int? = nil) {
    slots = SlotTable(count: count, laneLimit: laneLimit)
    holds = SlotHolds(startsPerSecond: startsPerSecond)
  }

  var trackers: Int { bids.count }

  /// Adds a tracker without a bid.
  ///
  /// - Returns: Its number.
  mutating func add() -> Int {
    lastTracker += 1
    bids[lastTracker] = SlotBid()
    return lastTracker
  }

  mutating func remove(_ tracker: Int) {
    bids[tracker] = nil
    lanes[tracker] = nil
    holds.remove(tracker)
  }

  /// O(trackers · lanes).
  func lanes(besides tracker: Int) -> [Int: SlotBid] {
    var uses: [Int: SlotBid] = [:]
    for (other, own) in lanes where other != tracker {
      for (lane, use) in own { uses[lane, default: SlotBid()].add(use) }
    }
    return uses
  }

  mutating func update(_ tracker: Int, _ bid: SlotBid) {
    guard let index = bids.index(forKey: tracker) else { return }
    var bid = bid
    bid.servedAt = bids.values[index].servedAt
    bids.values[index] = bid
  }

  mutating func update(_ tracker: Int, lanes uses: [Int: SlotBid]) {
    if bids[tracker] != nil { lanes[tracker] = uses }
  }

  /// Removes a tracker's requests.
  mutating func withdraw(_ tracker: Int) {
    bids[tracker] = bids[tracker]?.withdrawn
    lanes[tracker] = lanes[tracker]?.mapValues(\.withdrawn)
  }

  /// The tracker gets a slot.
  mutating func serve(_ tracker: Int) {
    served += 1
    bids[tracker]?.servedAt = served
  }

  // MARK: Decisions

  /// The next step towards the most urgent load of all trackers; O(trackers).
  ///
  /// Among equals, the tracker goes first that was served the longest ago.
  func decide() -> SlotTable.Decision? {
    let demand = demand
    return slots.decide(demand, in: demand.request.flatMap { self.demand(in: $0.lane) })
  }

  /// O(trackers).
  var ledger: SlotLedger { slots.ledger(demand) }

  /// By the last bids; O(trackers).
  var hasLingering: Bool { slots.orphans > 0 || bids.values.contains { $0.lingering > 0 } }

  /// Whether bodies that ignore cancellation hold all slots while a load waits; O(trackers).
  var isHeld: Bool {
    let demand = demand
    return demand.request != nil && slots.ledger(demand).isHeldByLingering
  }

  private var demand: SlotDemand {
    var demand = SlotDemand()
    for (tracker, bid) in bids { demand.add(bid, of: tracker) }
    return demand
  }

  private func demand(in lane: Int) -> SlotDemand? {
    guard lane > 0 else { return nil }
    var demand = SlotDemand()
    for (tracker, uses) in lanes {
      if let use = uses[lane] { demand.add(use, of: tracker) }
    }
    return demand
  }
}

/// The use of the slots by some trackers, and the tracker that goes first.
struct SlotDemand {
  private(set) var running = 0
  private(set) var lingering = 0
  /// The most urgent; among equals, of the tracker served the longest ago.
  private(set) var request: (tracker: Int, urgency: Urgency, servedAt: Int, lane: Int)?
  /// The first tracker with an unclaimed load.
  private(set) var unclaimed: Int?
  /// The prefetch that loses least; among equals, of the first tracker.
  private(set) var least: (tracker: Int, loss: Urgency)?

  mutating func add(_ bid: SlotBid, of tracker: Int) {
    running += bid.running
    lingering += bid.lingering
    if bid.hasUnclaimed { unclaimed = min(unclaimed ?? tracker, tracker) }
    if let urgency = bid.next, requestsFirst(tracker, urgency, bid.servedAt) {
      request = (tracker, urgency, bid.servedAt, bid.lane)
    }
    if let loss = bid.leastLoss, losesLeast(tracker, loss) { least = (tracker, loss) }
  }

  private func requestsFirst(_ tracker: Int, _ urgency: Urgency, _ servedAt: Int) -> Bool {
    guard let request else { return true }
    guard urgency == request.urgency else { return urgency > request.urgency }
    return (servedAt, tracker) < (request.servedAt, request.tracker)
  }

  private func losesLeast(_ tracker: Int, _ loss: Urgency) -> Bool {
    guard let least else { return true }
    return (loss, tracker) < (least.loss, least.tracker)
  }
}
