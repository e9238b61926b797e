import Foundation

protocol TurnMember: AnyObject, Sendable {
  /// Called once, unless it leaves before.
  func turnCame()
  /// For another member, it gives up a turn that it cannot use now.
  ///
  /// - Parameter hasBegun: Whether the other has begun, and needs the turn first.
  func giveTurn(hasBegun: Bool)
  /// `nil` for a task.
  var operation: AsyncOperation? { get }
  var holderName: String? { get }
}

/// The lines of the whole process.
///
/// One lock guards them all, so that a member joins several lines in one step.
enum TurnRegistry {
  struct Guarded {
    var lines = TurnLines<ExclusionCategory>()
    var lastTicket: TurnTicket = 0
    /// By their tickets, so that no member is deallocated under the lock.
    var members: [TurnTicket: any TurnMember] = [:]
    /// Members of plain queues that will join the line.
    var announced: [ExclusionCategory: Set<ObjectIdentifier>] = [:]

    mutating func withdraw(_ member: any TurnMember, _ categories: [ExclusionCategory]) {
      guard !announced.isEmpty else { return }
      for category in categories {
        announced[category]?.remove(ObjectIdentifier(member))
        if announced[category]?.isEmpty == true { announced[category] = nil }
      }
    }
  }

  static let guarded = Lock(Guarded())

  /// Later members of plain queues then join after their private operation, so not before a
  /// barrier.
  static func announce(_ member: any TurnMember, in categories: [ExclusionCategory]) {
    guarded.withLock { guarded in
      for category in categories {
        guarded.announced[category, default: []].insert(ObjectIdentifier(member))
      }
    }
  }

  static func isAnnounced(in categories: [ExclusionCategory]) -> Bool {
    guarded.withLock { guarded in categories.contains { guarded.announced[$0] != nil } }
  }

  static func withdraw(_ member: any TurnMember, from categories: [ExclusionCategory]) {
    guarded.withLock { $0.withdraw(member, categories) }
  }

  /// - Parameters:
  ///   - hasBegun: As of the moment after the ticket was stored.
  ///   - store: Stores its ticket, before its turn can come.
  /// - Returns: Its ticket, and whether it has its turn at once.
  static func join(
    _ member: any TurnMember, _ categories: [ExclusionCategory],
    hasBegun: @autoclosure () -> Bool = false,
    priority: TaskPriority = .medium, storing store: (TurnTicket) -> Void
  ) -> (ticket: TurnTicket, hasTurn: Bool) {
    let places = categories.map {
      TurnLines<ExclusionCategory>.Place(category: $0, limit: $0.limit)
    }
    return guarded.withLock { guarded in
      guarded.lastTicket += 1
      guarded.members[guarded.lastTicket] = member
      store(guarded.lastTicket)
      guarded.withdraw(member, categories)
      let hasTurn = guarded.lines.arrived(
        guarded.lastTicket, at: places, hasBegun: hasBegun(), priority: priority.rawValue)
      return (guarded.lastTicket, hasTurn)
    }
  }

  static func leave(_ ticket: TurnTicket) {
    let gone = guarded.withLock { $0.members.removeValue(forKey: ticket) }
    withExtendedLifetime(gone) { handOn { $0.left(ticket) } }
  }

  static func yield(_ ticket: TurnTicket) { handOn { $0.yielded(ticket) } }

  static func raise(_ ticket: TurnTicket, to priority: TaskPriority) {
    handOn { $0.raised(ticket, to: priority.rawValue) }
  }

  static func begun(_ ticket: TurnTicket) { handOn { $0.begun(ticket) } }

  private static func handOn(
    _ change: (inout TurnLines<ExclusionCategory>) -> [TurnTicket]
  ) {
    let next = guarded.withLock { guarded in
      change(&guarded.lines).compactMap { guarded.members[$0] }
    }
    for member in next { member.turnCame() }
  }

  /// Lets those ahead give up turns that they cannot use now.
  ///
  /// - Parameter waits: Whether the member still waits.
  static func clearWay(for ticket: TurnTicket, hasBegun: Bool, while waits: () -> Bool) {
    let holders = guarded.withLock { guarded in
      guarded.lines.holders(ahead: ticket).compactMap { guarded.members[$0] }
    }
    // The last one first: it has waited for the shortest time.
    for holder in holders.reversed() where waits() { holder.giveTurn(hasBegun: hasBegun) }
  }

  /// The highest priority of the tasks that await those behind a member.
  static func awaitedPriority(behind ticket: TurnTicket) -> TaskPriority? {
    let behind = guarded.withLock { guarded in
      guarded.lines.ranks(behind: ticket).map { (guarded.members[$0.member]?.operation, $0) }
    }
    // A permit has the priority of its task.
    return behind.compactMap { operation, rank in
      operation.map { $0.awaitedPriority } ?? TaskPriority(rawValue: rank.priority)
    }.max()
  }

  static func isInTheWay(_ ticket: TurnTicket) -> Bool {
    guarded.withLock { $0.lines.isInTheWay(ticket) }
  }

  static func membersAhead(
    of ticket: TurnTicket
  ) -> [(category: ExclusionCategory, members: [any TurnMember])] {
    guarded.withLock { guarded in
      guarded.lines.standings[ticket]?.places.map { place in
        let tickets = guarded.lines.members(before: ticket, in: place.category) ?? []
        return (place.category, tickets.compactMap { guarded.members[$0] })
      } ?? []
    }
  }

  /// Members that must leave first, with a limit of 1: the one with the turn, and the last one
  /// before this.
  ///
  /// The last leads to those before it, which may wait in other lines too.
  static func blockers(of ticket: TurnTicket) -> [any WaitNode] {
    membersAhead(of: ticket).flatMap { line -> [any WaitNode] in
      guard line.category.limit == 1 else { return [] }
      return [line.members.first, line.members.last].compactMap {
        $0?.operation ?? $0 as? any WaitNode
      }
    }
  }

  /// The nearest unfinished operation ahead in each line; it leads to those before it.
  ///
  /// Tasks, and operations of which only the work goes on, lead nowhere.
  static func operations(aheadOf ticket: TurnTicket) -> [Operation] {
    membersAhead(of: ticket).compactMap { line in
      line.members.lazy.reversed().compactMap(\.operation).first { !$0.isFinished }
    }
  }
}
