/// An operation or a task that stands in lines.
protocol TurnMember: AnyObject, Sendable {
  /// It has its turn in all its lines; called once, unless it leaves before.
  func turnCame()
  /// A member behind it is awaited at that priority.
  func raise(to priority: TaskPriority)
  var waitNode: WaitNode? { get }
  /// The name of a member that has a turn, in explanations.
  var holderName: String? { get }
}

/// The lines of the whole process.
///
/// One lock guards them all, so that a member joins several lines in one step.
enum TurnRegistry {
  private struct Guarded {
    var lines = TurnLines<ExclusionCategory>()
    var lastTicket: TurnTicket = 0
    /// By their tickets, so that no member is deallocated under the lock.
    var members: [TurnTicket: any TurnMember] = [:]
    /// The number of operations that are enqueued and will join the line of a category.
    var announced: [ExclusionCategory: Int] = [:]
  }

  private static let guarded = Lock(Guarded())

  // MARK: Before the line

  /// Whether an operation that was enqueued earlier will join one of the lines.
  static func isAnnounced(in categories: [ExclusionCategory]) -> Bool {
    guarded.withLock { guarded in
      !guarded.announced.isEmpty && categories.contains { guarded.announced[$0] != nil }
    }
  }

  static func announce(in categories: [ExclusionCategory]) {
    guarded.withLock { guarded in
      for category in categories { guarded.announced[category, default: 0] += 1 }
    }
  }

  /// Takes back an announcement.
  static func withdraw(from categories: [ExclusionCategory]) {
    guarded.withLock { guarded in
      for category in categories {
        let count = guarded.announced[category, default: 0] - 1
        guarded.announced[category] = count > 0 ? count : nil
      }
    }
  }

  // MARK: In line

  /// Puts a member in line.
  ///
  /// - Returns: Its ticket, and whether it has its turn. If not, its `turnCame` is called once,
  ///   unless it leaves before.
  static func join(
    _ member: any TurnMember, _ categories: [ExclusionCategory]
  ) -> (ticket: TurnTicket, hasTurn: Bool) {
    let places = categories.map {
      TurnLines<ExclusionCategory>.Place(category: $0, limit: $0.limit)
    }
    return guarded.withLock { guarded in
      guarded.lastTicket += 1
      guarded.members[guarded.lastTicket] = member
      return (guarded.lastTicket, guarded.lines.arrived(guarded.lastTicket, at: places))
    }
  }

  static func leave(_ ticket: TurnTicket) {
    let (next, gone) = guarded.withLock { guarded in
      let gone = guarded.members.removeValue(forKey: ticket)
      return (guarded.lines.left(ticket).compactMap { guarded.members[$0] }, gone)
    }
    withExtendedLifetime(gone) {
      for member in next { member.turnCame() }
    }
  }

  /// The members before one, in each of its lines, in the order of arrival.
  static func membersAhead(
    of ticket: TurnTicket, in categories: [ExclusionCategory]
  ) -> [(category: ExclusionCategory, members: [any TurnMember])] {
    guarded.withLock { guarded in
      categories.compactMap { category in
        guarded.lines.members(before: ticket, in: category).map { tickets in
          (category, tickets.compactMap { guarded.members[$0] })
        }
      }
    }
  }

  /// Members before one that must leave first, if only one member at a time has a turn: the one
  /// with the turn, and the last one before it.
  ///
  /// The last one leads to those before it, which may wait in other lines too.
  static func blockers(of ticket: TurnTicket, in categories: [ExclusionCategory]) -> [WaitNode] {
    membersAhead(of: ticket, in: categories).flatMap { line -> [WaitNode] in
      guard line.category.limit == 1 else { return [] }
      return [line.members.first, line.members.last].compactMap { $0?.waitNode }
    }
  }

  /// Raises all members before one.
  static func raiseMembers(
    aheadOf ticket: TurnTicket, in categories: [ExclusionCategory], to priority: TaskPriority
  ) {
    for line in membersAhead(of: ticket, in: categories) {
      for member in line.members { member.raise(to: priority) }
    }
  }

  /// The number of members in line, with and without a turn; for tests.
  static func count(in category: ExclusionCategory) -> Int {
    guarded.withLock { $0.lines.count(in: category) }
  }

  /// Whether any member has a turn or waits in that category; for tests.
  static func hasLine(in category: ExclusionCategory) -> Bool {
    guarded.withLock { $0.lines.hasLine(in: category) || $0.announced[category] != nil }
  }
}
