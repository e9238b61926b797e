/// Which of the trackers that share slots is served next, as a value.
package struct SlotTable: Hashable, Sendable {
  package let count: Int
  /// Cancelled operations of trackers that are gone, whose bodies have not come to an end.
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
    /// The oldest that no row claims.
    case unclaimed
    /// The oldest that is only prefetched and hangs.
    case hungPrefetch
    /// The weakest that is only prefetched.
    case weakestPrefetch
  }

  /// What to do next, so that the strongest claim of all is loaded; among equals, the one whose
  /// tracker was served the longest ago.
  ///
  /// O(trackers).
  package func decide<Bids: RandomAccessCollection>(_ bids: Bids) -> Decision?
  where Bids.Element == SlotBid, Bids.Index == Int {
    let ledger = SlotLedger(bids, self)
    guard ledger.hasFree || ledger.wouldGainByCancelling, let best = strongest(bids, ledger) else {
      return nil
    }
    if ledger.hasFree { return .start(tracker: best) }
    // A load that was wanted a moment ago is wanted again sooner than one that was never on screen.
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

  /// Whether bodies that ignore their cancellation hold all slots, and a load waits for one.
  package func isHeld(_ bids: [SlotBid]) -> Bool {
    SlotLedger(bids, self).isHeldByLingering && bids.contains { $0.next != nil }
  }
}

/// What a tracker has in the slots, and wants of them.
package struct SlotBid: Hashable, Sendable {
  package var running: Int
  /// Those of them that are only prefetched.
  package var prefetching: Int
  /// Cancelled operations that have not come to an end.
  package var lingering: Int
  /// Whether a load runs that no row claims.
  package var hasUnclaimed: Bool
  /// Whether a load that is only prefetched has run for much longer than loads take.
  package var hasHungPrefetch: Bool
  /// Its strongest claim that may start.
  package var next: Priority.Kind?
  /// Grows with each slot that is given away.
  package var servedAt = 0
  /// Whether the tracker has judged all that has happened.
  package private(set) var isUpToDate = true

  package init(
    running: Int = 0, prefetching: Int = 0, lingering: Int = 0, hasUnclaimed: Bool = false,
    hasHungPrefetch: Bool = false, next: Priority.Kind? = nil
  ) {
    self.running = running
    self.prefetching = prefetching
    self.lingering = lingering
    self.hasUnclaimed = hasUnclaimed
    self.hasHungPrefetch = hasHungPrefetch
    self.next = next
  }

  /// Until a tracker has judged what has happened it wants nothing, and none of its loads gives
  /// way.
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

/// How many slots there are and what they are used for.
package struct SlotLedger: Hashable, Sendable {
  package let count: Int
  package var running: Int
  package var prefetching: Int
  /// Cancelled operations that have not come to an end.
  package var lingering: Int

  package init(count: Int, running: Int = 0, prefetching: Int = 0, lingering: Int = 0) {
    self.count = count
    self.running = running
    self.prefetching = prefetching
    self.lingering = lingering
  }

  package init(_ bids: some Sequence<SlotBid>, _ table: SlotTable) {
    // The main queue may hear of an end before it hears that the tracker is gone; the sum is then
    // negative for a moment.
    self.init(count: table.count, lingering: max(table.orphans, 0))
    for bid in bids {
      running += bid.running
      prefetching += bid.prefetching
      lingering += bid.lingering
    }
  }

  /// As many abandoned bodies as there are slots run on for free.
  private var free: Int { count - running - max(lingering - count, 0) }

  package var hasFree: Bool { free > 0 }

  package var mayPrefetch: Bool { prefetching < count - 1 }

  /// Whether prefetched loads have more than their share, so that one of them gives way.
  package var isFullOfPrefetches: Bool { prefetching >= count }

  package var isHeldByLingering: Bool { lingering - count >= count }

  package var wouldGainByCancelling: Bool {
    var after = self
    after.running -= 1
    after.lingering += 1
    return after.hasFree
  }
}
