/// Decides, as a value, which of the trackers that share slots is served next.
package struct SlotTable: Hashable, Sendable {
  package let count: Int
  /// The number of running bodies of cancelled operations whose trackers are deallocated.
  package var orphans = 0

  package init(count: Int) { self.count = count }

  package enum Decision: Hashable, Sendable {
    /// The tracker's strongest claim gets a slot.
    case start(tracker: Int)
    /// The tracker cancels a load.
    case yield(tracker: Int, Yield)
  }

  /// Which load gives its slot to a stronger claim.
  package enum Yield: Hashable, Sendable {
    /// The oldest unclaimed load.
    case unclaimed
    /// The oldest that is only prefetched and hangs.
    case hungPrefetch
    /// The weakest that is only prefetched.
    case weakestPrefetch
  }

  /// The next step towards loading the strongest claim of all trackers.
  ///
  /// Among equal claims, the tracker goes first that was served the longest ago.
  ///
  /// O(trackers).
  package func decide<Bids: RandomAccessCollection>(_ bids: Bids) -> Decision?
  where Bids.Element == SlotBid, Bids.Index == Int {
    let ledger = SlotLedger(bids, self)
    guard ledger.hasFree || ledger.wouldGainByCancelling, let best = strongest(bids, ledger) else {
      return nil
    }
    if ledger.hasFree { return .start(tracker: best) }
    // A load with a recent claim is needed again sooner than one that was never on screen, so
    // prefetches do not replace it.
    guard bids[best].next != .prefetched else { return nil }
    if let other = bids.firstIndex(where: \.hasUnclaimed) {
      return .yield(tracker: other, .unclaimed)
    }
    if let other = bids.firstIndex(where: \.hasHungPrefetch) {
      return .yield(tracker: other, .hungPrefetch)
    }
    guard ledger.isFullOfPrefetches,
      let other = bids.firstIndex(where: { $0.prefetching > 0 && $0.isUpToDate })
    else { return nil }
    return .yield(tracker: other, .weakestPrefetch)
  }

  private func strongest<Bids: RandomAccessCollection>(
    _ bids: Bids, _ ledger: SlotLedger
  ) -> Int? where Bids.Element == SlotBid, Bids.Index == Int {
    var best: Int?
    for index in bids.indices where bids[index].mayUse(ledger) {
      if let best, bids[best].rank <= bids[index].rank { continue }
      best = index
    }
    return best
  }

  /// Whether bodies that ignore cancellation hold all slots while a load waits.
  package func isHeld(_ bids: [SlotBid]) -> Bool {
    SlotLedger(bids, self).isHeldByLingering && bids.contains { $0.next != nil }
  }
}

/// A tracker's use of the slots and its strongest request.
package struct SlotBid: Hashable, Sendable {
  package var running: Int
  /// The number of running loads that are only prefetched.
  package var prefetching: Int
  /// The number of cancelled operations that have not ended.
  package var lingering: Int
  /// Whether an unclaimed load runs.
  package var hasUnclaimed: Bool
  /// Whether a prefetched load has run for much longer than loads take.
  package var hasHungPrefetch: Bool
  /// The strongest claim that may start.
  package var next: ClaimKind?
  /// The number of the tracker's last admission, which grows with each admission.
  package var servedAt = 0
  /// Whether the tracker has evaluated all its events.
  package private(set) var isUpToDate = true

  package init(
    running: Int = 0, prefetching: Int = 0, lingering: Int = 0, hasUnclaimed: Bool = false,
    hasHungPrefetch: Bool = false, next: ClaimKind? = nil
  ) {
    self.running = running
    self.prefetching = prefetching
    self.lingering = lingering
    self.hasUnclaimed = hasUnclaimed
    self.hasHungPrefetch = hasHungPrefetch
    self.next = next
  }

  /// Withdraws the bid of a tracker with unevaluated events: it requests nothing, and none of its
  /// loads yields.
  package mutating func withdraw() {
    next = nil
    hasUnclaimed = false
    hasHungPrefetch = false
    isUpToDate = false
  }

  fileprivate func mayUse(_ ledger: SlotLedger) -> Bool {
    next.map { $0 != .prefetched || ledger.mayPrefetch } ?? false
  }

  fileprivate var rank: (UInt8, Int) { (next?.rawValue ?? .max, servedAt) }
}

/// The number of slots and their uses.
package struct SlotLedger: Hashable, Sendable {
  package let count: Int
  package var running: Int
  package var prefetching: Int
  /// The number of cancelled operations that have not ended.
  package var lingering: Int

  package init(count: Int, running: Int = 0, prefetching: Int = 0, lingering: Int = 0) {
    self.count = count
    self.running = running
    self.prefetching = prefetching
    self.lingering = lingering
  }

  package init(_ bids: some Sequence<SlotBid>, _ table: SlotTable) {
    // The end of a body may reach the main queue before the end of its tracker, so that the number
    // is negative for a moment.
    self.init(count: table.count, lingering: max(table.orphans, 0))
    for bid in bids {
      running += bid.running
      prefetching += bid.prefetching
      lingering += bid.lingering
    }
  }

  /// As many lingering bodies as slots run without counting.
  private var free: Int { count - running - max(lingering - count, 0) }

  package var hasFree: Bool { free > 0 }

  package var mayPrefetch: Bool { prefetching < count - 1 }

  /// Whether prefetched loads exceed their share, so that one of them yields.
  package var isFullOfPrefetches: Bool { prefetching >= count }

  package var isHeldByLingering: Bool { lingering - count >= count }

  package var wouldGainByCancelling: Bool {
    var after = self
    after.running -= 1
    after.lingering += 1
    return after.hasFree
  }
}
