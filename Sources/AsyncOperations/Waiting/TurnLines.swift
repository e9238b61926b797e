/// A member's place in the order of arrival; never used twice.
typealias TurnTicket = UInt64

/// The lines of all categories, and the members that have a turn, as a value.
///
/// A member joins all its lines in one step. In each line, those with a turn come first, then those
/// that have begun, then the others: those by priority, and each group in the order of arrival. A
/// member gets its turn when it is among the first of each of its lines, as many as the limit.
///
/// No members can wait for each other in a circle. One that has begun keeps a slot of its queue. It
/// waits for members that use their turn, and for earlier ones that have begun. Those with a turn
/// that have not begun may wait for such a slot, so they yield. Any other member waits only for
/// those before it, and the first of all has its turn.
struct TurnLines<Category: Hashable & Sendable>: Sendable {
  typealias Member = TurnTicket

  /// A category, and how many of its members may have a turn at once.
  struct Place: Sendable {
    let category: Category
    let limit: Int
  }

  /// The order of the members that have not begun, which is the same in all lines.
  private struct Rank: Comparable {
    let priority: UInt8
    let member: Member

    static func < (a: Rank, b: Rank) -> Bool {
      a.priority != b.priority ? a.priority > b.priority : a.member < b.member
    }
  }

  private struct Line {
    let limit: Int
    var holding: [Member] = []
    var begun: [Member] = []
    /// In ascending order.
    var waiting: [Rank] = []

    var isEmpty: Bool { count == 0 }

    var count: Int { holding.count + begun.count + waiting.count }

    var order: [Member] { holding + begun + waiting.map(\.member) }

    /// The members without a turn among the first ones.
    var next: [Member] {
      let free = max(limit - holding.count, 0)
      let first = begun.prefix(free)
      return Array(first) + waiting.prefix(free - first.count).map(\.member)
    }

    mutating func insert(_ member: Member, _ standing: Standing) {
      if standing.hasTurn {
        holding.append(member)
      } else if standing.hasBegun {
        begun.append(member)
      } else {
        let rank = Rank(priority: standing.priority, member: member)
        waiting.insert(rank, at: index(of: rank))
      }
    }

    mutating func remove(_ member: Member, _ standing: Standing) {
      if standing.hasTurn {
        holding.removeAll { $0 == member }
      } else if standing.hasBegun {
        begun.removeAll { $0 == member }
      } else {
        waiting.remove(at: index(of: Rank(priority: standing.priority, member: member)))
      }
    }

    /// The place in `waiting`; O(log members).
    private func index(of rank: Rank) -> Int {
      var (low, high) = (0, waiting.count)
      while low < high {
        let middle = (low + high) / 2
        if waiting[middle] < rank { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  private struct Standing {
    let places: [Place]
    var hasTurn = false
    var hasBegun: Bool
    var priority: UInt8
  }

  private var lines: [Category: Line] = [:]
  private var standings: [Member: Standing] = [:]

  /// Whether no member waits or has a turn; for tests.
  var isEmpty: Bool { standings.isEmpty && lines.isEmpty }

  func count(in category: Category) -> Int { lines[category]?.count ?? 0 }

  func hasLine(in category: Category) -> Bool { lines[category] != nil }

  /// The members before it in a category, in their order; `nil` if it is in no such line.
  func members(before member: Member, in category: Category) -> ArraySlice<Member>? {
    guard let order = lines[category]?.order else { return nil }
    return order.firstIndex(of: member).map { order[..<$0] }
  }

  /// The members with a turn that keep a member from its own.
  func holders(ahead member: Member) -> [Member] {
    guard let standing = standings[member], !standing.hasTurn else { return [] }
    return standing.places.flatMap { place -> [Member] in
      guard let line = lines[place.category], !line.next.contains(member) else { return [] }
      return line.holding
    }
  }

  /// Whether the turn of a member keeps one that has begun from its own.
  func isInTheWay(_ member: Member) -> Bool {
    guard let standing = standings[member], standing.hasTurn else { return false }
    return standing.places.contains { place in
      guard let line = lines[place.category], !line.begun.isEmpty else { return false }
      return line.holding.count + line.begun.count > line.limit
    }
  }

  /// A member joins all its lines; members arrive in ascending order, each once.
  ///
  /// - Parameters:
  ///   - places: Each category once, always with the same limit.
  ///   - hasBegun: Whether it has begun, and so passes those that have not.
  /// - Returns: Whether it has its turn at once.
  mutating func arrived(
    _ member: Member, at places: [Place], hasBegun: Bool = false, priority: UInt8 = 0
  ) -> Bool {
    let standing = Standing(places: places, hasBegun: hasBegun, priority: priority)
    for place in places {
      lines[place.category, default: Line(limit: place.limit)].insert(member, standing)
    }
    standings[member] = standing
    return grant(to: member)
  }

  /// A member has begun, before its turn.
  ///
  /// - Returns: The members that have their turn now.
  mutating func begun(_ member: Member) -> [Member] { change(member) { $0.hasBegun = true } }

  /// A member that has not begun passes those of a lower priority.
  ///
  /// - Returns: The members that have their turn now.
  mutating func raised(_ member: Member, to priority: UInt8) -> [Member] {
    guard let standing = standings[member] else { return [] }
    let priority = max(priority, standing.priority)
    if !standing.hasTurn, !standing.hasBegun { return change(member) { $0.priority = priority } }
    standings[member]?.priority = priority
    return []
  }

  /// A member gives its turn up and keeps its place.
  ///
  /// - Returns: The members that have their turn now.
  mutating func yielded(_ member: Member) -> [Member] { change(member) { $0.hasTurn = false } }

  /// A member is done, or gives up; it need not be in line.
  ///
  /// - Returns: The members that have their turn now.
  mutating func left(_ member: Member) -> [Member] {
    guard let standing = standings.removeValue(forKey: member) else { return [] }
    for place in standing.places {
      lines[place.category]?.remove(member, standing)
      if lines[place.category]?.isEmpty == true { lines[place.category] = nil }
    }
    return granted(at: standing.places)
  }

  private mutating func change(
    _ member: Member, _ change: (inout Standing) -> Void
  ) -> [Member] {
    guard let old = standings[member] else { return [] }
    var new = old
    change(&new)
    move(member, from: old, to: new)
    return granted(at: new.places)
  }

  private mutating func move(_ member: Member, from old: Standing, to new: Standing) {
    for place in new.places {
      lines[place.category]?.remove(member, old)
      lines[place.category]?.insert(member, new)
    }
    standings[member] = new
  }

  /// Gives their turns to the members of some lines that can have it.
  private mutating func granted(at places: [Place]) -> [Member] {
    let next = places.flatMap { lines[$0.category]?.next ?? [] }
    return next.filter { grant(to: $0) }
  }

  /// - Returns: Whether the member, which had no turn, has one now.
  private mutating func grant(to member: Member) -> Bool {
    guard let old = standings[member], !old.hasTurn,
      old.places.allSatisfy({ lines[$0.category]?.next.contains(member) == true })
    else { return false }
    var new = old
    new.hasTurn = true
    move(member, from: old, to: new)
    return true
  }
}
