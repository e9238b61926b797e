import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Slots of several trackers")
struct SharedSlotTableTests {
  /// The same table without sums: it looks at all bids for each decision.
  private struct NaiveTable {
    let count: Int
    var orphans = 0
    /// The bids in the order in which the trackers were added.
    var bids: [(tracker: Int, bid: SlotBid)] = []
    private var served = 0

    init(count: Int) { self.count = count }

    var ledger: SlotLedger {
      var ledger = SlotLedger(count: count, lingering: max(orphans, 0))
      for (_, bid) in bids {
        ledger.running += bid.running
        ledger.lingering += bid.lingering
      }
      return ledger
    }

    func decide() -> SlotTable.Decision? {
      let ledger = ledger
      let best = bids.filter { $0.bid.next != nil }.min { a, b in
        a.bid.next == b.bid.next
          ? a.bid.servedAt < b.bid.servedAt : a.bid.next ?? .lowest > b.bid.next ?? .lowest
      }
      guard let best, let urgency = best.bid.next else { return nil }
      if ledger.hasFree { return .start(tracker: best.tracker) }
      guard urgency > .zero, ledger.wouldGainByCancelling else { return nil }
      if let other = bids.first(where: \.bid.hasUnclaimed) {
        return .yield(tracker: other.tracker, .unclaimed, in: 0, to: best.tracker)
      }
      let least = bids.filter { $0.bid.leastLoss != nil }
        .min { $0.bid.leastLoss ?? .lowest < $1.bid.leastLoss ?? .lowest }
      guard let least, let loss = least.bid.leastLoss, loss.share + 0.5 <= urgency.share else {
        return nil
      }
      return .yield(tracker: least.tracker, .prefetch, in: 0, to: best.tracker)
    }

    var isHeld: Bool { ledger.isHeldByLingering && bids.contains { $0.bid.next != nil } }

    mutating func update(_ index: Int, _ bid: SlotBid) {
      let servedAt = bids[index].bid.servedAt
      bids[index].bid = bid
      bids[index].bid.servedAt = servedAt
    }

    mutating func serve(_ tracker: Int) {
      served += 1
      for index in bids.indices where bids[index].tracker == tracker {
        bids[index].bid.servedAt = served
      }
    }
  }

  private static func randomBid(_ random: inout SeededGenerator) -> SlotBid {
    let urgencies: [Urgency?] = [nil, nil, .highest, .zero, .lowest, Urgency(share: 0.5)]
    var bid = SlotBid(
      running: .random(in: 0...1, using: &random),
      // More bodies would hold slots in nearly all states of several trackers.
      lingering: Int.random(in: 0..<6, using: &random) == 0
        ? .random(in: 1...2, using: &random) : 0,
      hasUnclaimed: Int.random(in: 0..<8, using: &random) == 0,
      leastLoss: urgencies.randomElement(using: &random) ?? nil,
      next: urgencies.randomElement(using: &random) ?? nil)
    if Int.random(in: 0..<5, using: &random) == 0 { bid = bid.withdrawn }
    return bid
  }

  @Test("A row of a full lane gets the place of a load of its lane alone, also beside free slots")
  func fullLane() {
    var table = SharedSlotTable(count: 4, laneLimit: 2)
    let (first, second) = (table.add(), table.add())
    var uses = [1: SlotBid(running: 2, leastLoss: .zero), 2: SlotBid(running: 1)]
    table.update(first, SlotBid(running: 2, hasUnclaimed: true, leastLoss: .lowest))
    table.update(first, lanes: uses)
    var next = SlotBid(next: .highest)
    for (lane, decision) in [
      (0, .start(tracker: second)), (1, .yield(tracker: first, .prefetch, in: 1, to: second)),
      (2, .start(tracker: second)), (3, .start(tracker: second)),
    ] as [(Int, SlotTable.Decision)] {
      next.lane = lane
      table.update(second, next)
      #expect(table.decide() == decision)
    }
    next.lane = 1
    table.update(second, next)
    table.update(second, lanes: [1: SlotBid(running: 1, leastLoss: .lowest)])
    uses[1] = SlotBid(running: 1, hasUnclaimed: true)
    table.update(first, lanes: uses)
    #expect(table.decide() == .yield(tracker: first, .unclaimed, in: 1, to: second))
    #expect(table.lanes(besides: second) == uses)
    table.withdraw(first)
    #expect(table.decide() == .yield(tracker: second, .prefetch, in: 1, to: second))
    var all = uses[1] ?? SlotBid()
    all.add(SlotBid(running: 2, leastLoss: .zero))
    all.add(SlotBid(running: 1, leastLoss: .highest))
    all.add(SlotBid(running: 1, leastLoss: .lowest))
    #expect(all == SlotBid(running: 5, hasUnclaimed: true, leastLoss: .lowest))
    table.remove(first)
    table.update(first, lanes: uses)
    #expect(table.lanes(besides: second) == [:], "the tracker is gone")
  }

  @Test("Sums over a tree decide as a look at all bids does")
  func equalToNaive() {
    let decisions = (0..<60).map { Self.compare(seed: $0) }
    #expect(
      decisions.reduce([]) { $0.union($1) }
        == ["start", "unclaimed", "prefetch"], "each kind must occur")
  }

  @Test("A withdrawn bid requests and yields nothing, and still counts what runs")
  func withdrawal() {
    var table = SharedSlotTable(count: 1)
    let (first, second) = (table.add(), table.add())
    table.serve(first)
    table.update(
      first,
      SlotBid(running: 1, hasUnclaimed: true, leastLoss: .lowest, next: .highest))
    table.update(second, SlotBid(next: .highest))
    #expect(table.decide() == .yield(tracker: first, .unclaimed, in: 0, to: second))
    table.withdraw(first)
    #expect(table.ledger.running == 1 && table.decide() == nil)
    table.update(first, SlotBid())
    #expect(table.decide() == .start(tracker: second))
  }

  @Test("Bodies that ignore cancellation hold all slots from twice as many bodies as slots")
  func held() {
    var table = SharedSlotTable(count: 2)
    let tracker = table.add()
    #expect(!table.hasLingering)
    for lingering in 0...4 {
      table.update(tracker, SlotBid(lingering: lingering, next: .highest))
      #expect(table.isHeld == (lingering == 4) && table.hasLingering == (lingering > 0))
    }
    table.update(tracker, SlotBid(lingering: 4))
    #expect(!table.isHeld, "no load waits")
    table.update(tracker, SlotBid())
    table.slots.orphans = 1
    #expect(table.hasLingering)
  }

  /// - Returns: The kinds of decisions that occurred.
  private static func compare(seed: UInt64) -> Set<String> {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...6, using: &random)
    var (table, naive) = (SharedSlotTable(count: count), NaiveTable(count: count))
    var kinds: Set<String> = []
    for step in 0..<400 {
      let known = naive.bids.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<12, using: &random), known) {
      case (0...1, _):
        let tracker = table.add()
        #expect(!naive.bids.contains { $0.tracker == tracker })
        naive.bids.append((tracker, SlotBid()))
      case (2, let index?):
        table.remove(naive.bids[index].tracker)
        naive.bids.remove(at: index)
      case (3, _):
        let ended = Int.random(in: -1...1, using: &random)
        table.slots.orphans -= ended
        naive.orphans -= ended
      case (4..., let index?):
        let bid = randomBid(&random)
        table.update(naive.bids[index].tracker, bid)
        naive.update(index, bid)
      default: break
      }
      let decision = table.decide()
      #expect(decision == naive.decide(), "seed \(seed), step \(step)")
      #expect(table.ledger == naive.ledger && table.isHeld == naive.isHeld, "seed \(seed)")
      #expect(table.hasLingering == (naive.ledger.lingering > 0), "seed \(seed)")
      #expect(table.trackers == naive.bids.count)
      if case .start(let tracker)? = decision {
        table.serve(tracker)
        naive.serve(tracker)
        kinds.insert("start")
      } else if case .yield(1..., let yield, in: _, to: _)? = decision {
        // By another tracker than the first one.
        kinds.insert("\(yield)")
      }
    }
    return kinds
  }
}
