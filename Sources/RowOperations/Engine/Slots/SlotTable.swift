/// The slots, and the rules by which they are given, as a value.
package struct SlotTable: Hashable, Sendable {
  package let count: Int
  /// The number of running bodies of cancelled operations whose trackers are deallocated.
  package var orphans = 0

  package init(count: Int) { self.count = count }

  package enum Decision: Hashable, Sendable {
    /// The tracker's strongest claim gets a slot.
    case start(tracker: Int)
    /// The tracker cancels a load, so that another one gets its slot.
    case yield(tracker: Int, Yield, to: Int)
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

  // MARK: Decisions

  /// The next step towards loading the strongest claim of all trackers.
  ///
  /// O(1).
  func decide(_ demand: SlotDemand) -> Decision? {
    let ledger = ledger(demand)
    guard ledger.hasFree || ledger.wouldGainByCancelling, let request = demand.request,
      // Nothing is weaker than a prefetch, so no other request is left.
      request.kind != .prefetched || ledger.mayPrefetch
    else { return nil }
    let tracker = request.bidder.tracker
    if ledger.hasFree { return .start(tracker: tracker) }
    // A load with a recent claim is needed again sooner than one that was never on screen, so
    // prefetches do not replace it.
    guard request.kind != .prefetched else { return nil }
    if let other = demand.unclaimed {
      return .yield(tracker: other.tracker, .unclaimed, to: tracker)
    }
    if let other = demand.hung {
      return .yield(tracker: other.tracker, .hungPrefetch, to: tracker)
    }
    guard ledger.isFullOfPrefetches, let other = demand.prefetcher else { return nil }
    return .yield(tracker: other.tracker, .weakestPrefetch, to: tracker)
  }

  func ledger(_ demand: SlotDemand) -> SlotLedger {
    // The end of a body may reach the main queue before the end of its tracker, so that the number
    // of orphans is negative for a moment.
    SlotLedger(
      count: count, running: demand.running, prefetching: demand.prefetching,
      lingering: max(orphans, 0) + demand.lingering)
  }

  // MARK: One tracker

  /// The next step of a tracker that shares its slots with no other.
  package func decide(_ bid: SlotBid) -> Decision? { decide(SlotDemand(alone: bid)) }

  /// The uses of the slots by a tracker that shares them with no other.
  package func ledger(_ bid: SlotBid) -> SlotLedger { ledger(SlotDemand(alone: bid)) }
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
