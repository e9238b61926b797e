/// How many loads run at once, for one tracker or for several that share.
///
/// A free slot goes to the strongest claim of all trackers; among equals, to the tracker that was
/// served the longest ago. Prefetching takes all slots but one at most, so with a single slot
/// nothing is prefetched. A cancelled load gives up its slot at once, though its body may go on for
/// a while; when there are more such bodies than slots, each further one holds a slot until it ends.
///
/// ```swift
/// let slots = UpdateSlots(6)
/// avatars.slots = slots  // two configurations
/// pictures.slots = slots
/// ```
///
/// **Cost**: O(trackers that share) for each slot that is given away.
@MainActor
public final class UpdateSlots {
  /// How many loads run at once.
  public nonisolated let count: Int

  /// An object, so that looking at one copies no weak reference.
  private final class User {
    weak var tracker: (any SlotUser)?
    var servedAt = 0

    init(_ tracker: any SlotUser) { self.tracker = tracker }
  }

  private var users: [User] = []
  private var served = 0
  /// Cancelled loads whose bodies have not come to an end.
  private var abandoned = 0

  /// Makes slots for a number of loads, at least one.
  public nonisolated init(_ count: Int) { self.count = max(count, 1) }

  /// Whether prefetching can ever get a slot.
  var allowsPrefetch: Bool { count > 1 }

  func add(_ user: any SlotUser) { users.append(User(user)) }

  func abandon(_ loads: Int) { abandoned += loads }

  func abandonedEnded(_ loads: Int) { abandoned -= loads }

  /// Gives all free slots away.
  @usableFromInline
  func admit() {
    users.removeAll { $0.tracker == nil }
    while case let ledger = ledger, ledger.hasFree || ledger.wouldGainByCancelling,
      let user = strongestUser(mayPrefetch: ledger.mayPrefetch)
    {
      guard ledger.hasFree || makeRoom() else { return }
      served += 1
      user.servedAt = served
      user.tracker?.startNext(mayPrefetch: self.ledger.mayPrefetch)
    }
  }

  private var ledger: SlotLedger {
    var ledger = SlotLedger(count: count, abandoned: abandoned)
    for user in users {
      guard let tracker = user.tracker else { continue }
      let use = tracker.slotUse
      ledger.running += use.running
      ledger.prefetching += use.prefetching
    }
    return ledger
  }

  private func strongestUser(mayPrefetch: Bool) -> User? {
    var best: (user: User, claim: SlotClaim)?
    for user in users {
      guard let claim = user.tracker?.nextClaim(mayPrefetch: mayPrefetch) else { continue }
      if let (other, strongest) = best, (claim, other.servedAt) <= (strongest, user.servedAt) {
        continue
      }
      best = (user, claim)
    }
    return best?.user
  }

  /// Ends a load that nothing claims any more; or one that is only prefetched, if such loads take
  /// all slots, as they do when what they were started for has left the screen.
  private func makeRoom() -> Bool {
    users.contains { $0.tracker?.yieldSlot(prefetchesYield: false) ?? false }
      || ledger.isFullOfPrefetches
        && users.contains { $0.tracker?.yieldSlot(prefetchesYield: true) ?? false }
  }
}

/// How strong a tracker's next claim to a slot is.
enum SlotClaim: Comparable {
  case prefetched
  case displayed
  case landing
}

/// A tracker, as the slots that it uses see it.
@MainActor
protocol SlotUser: AnyObject {
  var slotUse: (running: Int, prefetching: Int) { get }
  /// The strongest claim that may start; `nil` also while a pass is open, whose end asks again.
  func nextClaim(mayPrefetch: Bool) -> SlotClaim?
  func startNext(mayPrefetch: Bool)
  /// Cancels a load that nothing claims, or one that is only prefetched, if there is one.
  func yieldSlot(prefetchesYield: Bool) -> Bool
}

/// How many slots there are and what they are used for.
package struct SlotLedger: Hashable, Sendable {
  package let count: Int
  package var running: Int
  package var prefetching: Int
  /// Cancelled loads that have not come to an end.
  package var abandoned: Int

  package init(count: Int, running: Int = 0, prefetching: Int = 0, abandoned: Int = 0) {
    self.count = count
    self.running = running
    self.prefetching = prefetching
    self.abandoned = abandoned
  }

  /// As many abandoned bodies as there are slots run on for free.
  private var free: Int { count - running - max(abandoned - count, 0) }

  package var hasFree: Bool { free > 0 }

  package var mayPrefetch: Bool { prefetching < count - 1 }

  /// Whether prefetched loads have more than their share, so that one of them gives way.
  package var isFullOfPrefetches: Bool { prefetching >= count }

  package var wouldGainByCancelling: Bool {
    var after = self
    after.running -= 1
    after.abandoned += 1
    return after.hasFree
  }
}
