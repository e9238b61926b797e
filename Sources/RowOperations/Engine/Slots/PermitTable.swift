/// The loads in a limited stage and those that wait for it, as a value.
///
/// A cancelled load returns its permit at once, though its body may stay in the stage for a while.
/// As many such bodies as the limit stay without a permit. Each further one holds a permit until it
/// leaves.
struct PermitTable: Hashable, Sendable {
  /// The name of one load's visit to the stage.
  typealias Ticket = UInt64

  /// The largest number of loads in the stage at once.
  package let limit: Int
  private(set) var holders: Set<Ticket> = []
  /// Cancelled loads with a body that is still in the stage.
  package private(set) var lingering: Set<Ticket> = []
  /// The waiting loads, in the order of their requests.
  package private(set) var waiting: [Ticket] = []

  init(limit: Int) { self.limit = max(limit, 1) }

  /// The choice of the load that gets a free permit.
  enum Next: Hashable, Sendable {
    /// No permit is free, or no load waits.
    case none
    case grant(Ticket)
    /// Several loads wait: the most urgent one gets it.
    case choose
  }

  package var next: Next {
    guard hasFree, let first = waiting.first else { return .none }
    return waiting.count == 1 ? .grant(first) : .choose
  }

  private var hasFree: Bool { holders.count + max(lingering.count - limit, 0) < limit }

  /// Whether bodies that ignore cancellation hold all permits while a load waits.
  var isHeld: Bool { !waiting.isEmpty && lingering.count - limit >= limit }

  /// Requests a permit for a load.
  ///
  /// It queues behind waiting loads, so that it takes no permit from a stronger claim.
  ///
  /// - Returns: Whether it has one now.
  package mutating func request(_ ticket: Ticket) -> Bool {
    guard waiting.isEmpty, hasFree else {
      waiting.append(ticket)
      return false
    }
    holders.insert(ticket)
    return true
  }

  /// Gives a waiting load a permit, if one is free.
  ///
  /// - Returns: Whether it has one now.
  mutating func grant(_ ticket: Ticket) -> Bool {
    guard hasFree, let index = waiting.firstIndex(of: ticket) else { return false }
    waiting.remove(at: index)
    holders.insert(ticket)
    return true
  }

  /// Records that a load was cancelled: it stops waiting or returns its permit.
  mutating func cancel(_ ticket: Ticket) {
    waiting.removeAll { $0 == ticket }
    if holders.remove(ticket) != nil { lingering.insert(ticket) }
  }

  /// Records that the body of a load left the stage or never entered it.
  mutating func leave(_ ticket: Ticket) {
    waiting.removeAll { $0 == ticket }
    holders.remove(ticket)
    lingering.remove(ticket)
  }
}
