/// A member's place in the order of arrival; never used twice.
typealias TurnTicket = UInt64

/// The lines of all categories, as a value.
///
/// A member joins all its lines in one step. In each, those with a turn come first, then those that
/// have begun, then the others by priority; all else in the order of arrival. A member has its turn
/// when it is among the first of each line, as many as the limit.
///
/// No members wait for each other in a circle. One that has begun keeps a slot of its queue. It
/// waits for members that use their turn, and for earlier ones that have begun. Those with a turn
/// that have not begun may wait for such a slot, so they yield. Any other member waits for those
/// before it, and the first of all has its turn.
struct TurnLines<Category: Hashable & Sendable>: Sendable {
  typealias Member = TurnTicket

  struct Place: Sendable {
    let category: Category
    let limit: Int
  }

  /// The place of a member, which is the same in all its lines.
  struct Rank: Comparable {
    let member: Member
    var hasTurn = false
    var hasBegun: Bool
    var priority: UInt8

    private var key: (Int, Member) {
      if hasTurn { return (-2, member) }
      return (hasBegun ? -1 : Int(UInt8.max - priority), member)
    }

    static func < (a: Rank, b: Rank) -> Bool { a.key < b.key }
  }

  struct Line {
    let limit: Int
    private(set) var ranks: [Rank] = []

    var next: [Member] { ranks.prefix(limit).filter { !$0.hasTurn }.map(\.member) }

    mutating func insert(_ rank: Rank) { ranks.insert(rank, at: index(of: rank)) }

    mutating func remove(_ rank: Rank) { ranks.remove(at: index(of: rank)) }

    func index(of rank: Rank) -> Int {
      var (low, high) = (0, ranks.count)
      while low < high {
        let middle = (low + high) / 2
        if ranks[middle] < rank { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  struct Standing {
    let places: [Place]
    var rank: Rank
  }

  private(set) var lines: [Category: Line] = [:]
  private(set) var standings: [Member: Standing] = [:]

  /// In their order; `nil` for a member that has left.
  func members(before member: Member, in category: Category) -> [Member]? {
    guard let line = lines[category], let rank = standings[member]?.rank else { return nil }
    return line.ranks.prefix(line.index(of: rank)).map(\.member)
  }

  func ranks(behind member: Member) -> [Rank] {
    guard let standing = standings[member] else { return [] }
    return standing.places.flatMap { place in
      lines[place.category]?.ranks.filter { standing.rank < $0 } ?? []
    }
  }

  func holders(ahead member: Member) -> [Member] {
    guard let standing = standings[member], !standing.rank.hasTurn else { return [] }
    return standing.places.flatMap { place -> [Member] in
      guard let line = lines[place.category], !line.next.contains(member) else { return [] }
      return line.ranks.prefix(while: \.hasTurn).map(\.member)
    }
  }

  func isInTheWay(_ member: Member) -> Bool {
    guard let standing = standings[member], standing.rank.hasTurn else { return false }
    return standing.places.contains { place in
      let first = lines[place.category]?.ranks.prefix { $0.hasTurn || $0.hasBegun } ?? []
      return first.count > place.limit && first.last?.hasTurn == false
    }
  }

  /// Members arrive in ascending order, each once.
  ///
  /// - Parameters:
  ///   - places: Each category once, always with the same limit.
  ///   - hasBegun: Whether it passes those that have not begun.
  /// - Returns: Whether it has its turn at once.
  mutating func arrived(
    _ member: Member, at places: [Place], hasBegun: Bool = false, priority: UInt8 = 0
  ) -> Bool {
    let rank = Rank(member: member, hasBegun: hasBegun, priority: priority)
    for place in places {
      lines[place.category, default: Line(limit: place.limit)].insert(rank)
    }
    standings[member] = Standing(places: places, rank: rank)
    return grant(to: member)
  }

  /// - Returns: The members that have their turn now.
  mutating func begun(_ member: Member) -> [Member] { change(member) { $0.hasBegun = true } }

  /// Passes those of a lower priority that have not begun.
  ///
  /// - Returns: As ``begun(_:)``.
  mutating func raised(_ member: Member, to priority: UInt8) -> [Member] {
    change(member) { $0.priority = max($0.priority, priority) }
  }

  mutating func yielded(_ member: Member) -> [Member] { change(member) { $0.hasTurn = false } }

  /// The member need not be in line.
  ///
  /// - Returns: As ``begun(_:)``.
  mutating func left(_ member: Member) -> [Member] {
    guard let standing = standings.removeValue(forKey: member) else { return [] }
    for place in standing.places {
      lines[place.category]?.remove(standing.rank)
      if lines[place.category]?.ranks.isEmpty == true { lines[place.category] = nil }
    }
    return granted(at: standing.places)
  }

  private mutating func change(_ member: Member, _ change: (inout Rank) -> Void) -> [Member] {
    guard let standing = standings[member] else { return [] }
    var rank = standing.rank
    change(&rank)
    move(standing, to: rank)
    return granted(at: standing.places)
  }

  private mutating func move(_ standing: Standing, to rank: Rank) {
    for place in standing.places {
      lines[place.category]?.remove(standing.rank)
      lines[place.category]?.insert(rank)
    }
    standings[rank.member]?.rank = rank
  }

  private mutating func granted(at places: [Place]) -> [Member] {
    let next = places.flatMap { lines[$0.category]?.next ?? [] }
    return next.filter { grant(to: $0) }
  }

  /// - Returns: Whether the member got its turn.
  private mutating func grant(to member: Member) -> Bool {
    guard let standing = standings[member], !standing.rank.hasTurn,
      standing.places.allSatisfy({ lines[$0.category]?.next.contains(member) == true })
    else { return false }
    var rank = standing.rank
    rank.hasTurn = true
    move(standing, to: rank)
    return true
  }
}
