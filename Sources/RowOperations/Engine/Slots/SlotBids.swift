/// The bids of trackers that share slots, summed up in a binary tree.
///
/// Node 1 is the root, nodes `2n` and `2n + 1` are the children of node `n`, and the lower half has
/// the trackers. A bid changes the nodes above it, and the root has all that a decision needs.
struct SlotBids: Hashable, Sendable {
  private var bids: [SlotBid] = []
  private var nodes: [SlotDemand] = [SlotDemand(), SlotDemand()]
  private var joined: [Int] = []
  private var free: [Int] = []
  private var lastJoined = 0

  var count: Int { bids.count - free.count }

  var demand: SlotDemand { nodes[1] }

  subscript(tracker: Int) -> SlotBid { bids[tracker] }

  private var places: Int { nodes.count / 2 }

  /// Adds a tracker without a bid; amortised O(1).
  ///
  /// - Returns: Its number, perhaps that of a removed tracker.
  mutating func add() -> Int {
    lastJoined += 1
    if let tracker = free.popLast() {
      joined[tracker] = lastJoined
      return tracker
    }
    if bids.count == places { double() }
    bids.append(SlotBid())
    joined.append(lastJoined)
    return bids.count - 1
  }

  /// O(log trackers).
  mutating func remove(_ tracker: Int) {
    update(tracker, SlotBid())
    free.append(tracker)
  }

  /// O(log trackers).
  mutating func update(_ tracker: Int, _ bid: SlotBid) {
    bids[tracker] = bid
    var node = places + tracker
    nodes[node] = SlotDemand(bid, SlotDemand.Bidder(joined: joined[tracker], tracker: tracker))
    while node > 1 {
      node /= 2
      nodes[node] = nodes[2 * node] + nodes[2 * node + 1]
    }
  }

  /// The old root is on the left, no tracker on the right.
  private mutating func double() {
    var wider = Array(repeating: SlotDemand(), count: 2 * nodes.count)
    var row = 1
    while row < nodes.count {
      for node in row..<2 * row { wider[row + node] = nodes[node] }
      row *= 2
    }
    wider[1] = nodes[1]
    nodes = wider
  }
}

/// The use of the slots by some trackers, and the tracker that goes first.
struct SlotDemand: Hashable, Sendable {
  /// Ordered as the trackers were added.
  struct Bidder: Hashable, Comparable, Sendable {
    let joined: Int
    let tracker: Int

    static func < (a: Bidder, b: Bidder) -> Bool { a.joined < b.joined }
  }

  /// A tracker's most urgent load that may start.
  struct Request: Hashable, Comparable, Sendable {
    let urgency: Urgency
    let servedAt: Int
    let bidder: Bidder

    static func < (a: Request, b: Request) -> Bool {
      a.urgency != b.urgency
        ? a.urgency > b.urgency : (a.servedAt, a.bidder) < (b.servedAt, b.bidder)
    }
  }

  /// A tracker's prefetch that loses least by giving its slot away.
  struct Prefetch: Hashable, Comparable, Sendable {
    let loss: Urgency
    let bidder: Bidder

    static func < (a: Prefetch, b: Prefetch) -> Bool { (a.loss, a.bidder) < (b.loss, b.bidder) }
  }

  private(set) var running = 0
  private(set) var lingering = 0
  /// The most urgent; among equals, of the tracker served the longest ago.
  private(set) var request: Request?
  /// The first tracker with an unclaimed load.
  private(set) var unclaimed: Bidder?
  /// The prefetch that loses least; among equals, of the first tracker.
  private(set) var least: Prefetch?

  init() {}

  init(_ bid: SlotBid, _ bidder: Bidder) {
    running = bid.running
    lingering = bid.lingering
    request = bid.next.map { Request(urgency: $0, servedAt: bid.servedAt, bidder: bidder) }
    unclaimed = bid.hasUnclaimed ? bidder : nil
    least = bid.leastLoss.map { Prefetch(loss: $0, bidder: bidder) }
  }

  /// For a tracker with slots of its own.
  init(alone bid: SlotBid) { self.init(bid, Bidder(joined: 0, tracker: 0)) }

  static func + (a: SlotDemand, b: SlotDemand) -> SlotDemand {
    var sum = a
    sum.running += b.running
    sum.lingering += b.lingering
    sum.request = first(a.request, b.request)
    sum.unclaimed = first(a.unclaimed, b.unclaimed)
    sum.least = first(a.least, b.least)
    return sum
  }

  private static func first<Value: Comparable>(_ a: Value?, _ b: Value?) -> Value? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}
