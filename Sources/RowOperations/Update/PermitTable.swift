/// Which loads are in a limited stage, and which wait for it, as a value.
///
/// A cancelled load gives its permit back at once, though its body may stay in the stage for a
/// while. As many such bodies as the limit stay for free. Each further one holds a permit until it
/// leaves.
package struct PermitTable: Hashable, Sendable {
  /// The name of one load's visit to the stage.
  package typealias Ticket = UInt64

  /// How many loads may be in the stage at once.
  package let limit: Int
  package private(set) var holders: Set<Ticket> = []
  /// Cancelled loads whose bodies have not left the stage.
  package private(set) var lingering: Set<Ticket> = []
  /// In the order in which they came.
  package private(set) var waiting: [Ticket] = []

  package init(limit: Int) { self.limit = max(limit, 1) }

  /// Who gets a free permit.
  package enum Next: Hashable, Sendable {
    /// No permit is free, or no load waits.
    case none
    case grant(Ticket)
    /// Several loads wait: the one with the strongest claim gets it.
    case choose
  }

  package var next: Next {
    guard hasFree, let first = waiting.first else { return .none }
    return waiting.count == 1 ? .grant(first) : .choose
  }

  private var hasFree: Bool { holders.count + max(lingering.count - limit, 0) < limit }

  /// Whether bodies that ignore their cancellation hold all permits, and a load waits for one.
  package var isHeld: Bool { !waiting.isEmpty && lingering.count - limit >= limit }

  /// A load asks for a permit.
  ///
  /// It waits behind the loads that wait already, so that it takes no permit from a stronger claim.
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

  /// A load that waits gets a permit, if one is free.
  ///
  /// - Returns: Whether it has one now.
  package mutating func grant(_ ticket: Ticket) -> Bool {
    guard hasFree, let index = waiting.firstIndex(of: ticket) else { return false }
    waiting.remove(at: index)
    holders.insert(ticket)
    return true
  }

  /// A load was cancelled: it waits no longer, or gives its permit back.
  package mutating func cancel(_ ticket: Ticket) {
    waiting.removeAll { $0 == ticket }
    if holders.remove(ticket) != nil { lingering.insert(ticket) }
  }

  /// A load's body has left the stage, or never came into it.
  package mutating func leave(_ ticket: Ticket) {
    waiting.removeAll { $0 == ticket }
    holders.remove(ticket)
    lingering.remove(ticket)
  }
}
