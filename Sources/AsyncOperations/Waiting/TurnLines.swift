/// A member's place in the order of arrival; never used twice.
typealias TurnTicket = UInt64

/// The lines of all categories, and the members that have a turn, as a value.
///
/// A member joins all its lines in one step, so every line is in the order of arrival. A member has
/// its turn when, in each of its lines, fewer members are before it than the limit. No members can
/// wait for each other in a circle: each waits only for earlier ones, and the first of all has its
/// turn.
struct TurnLines<Category: Hashable & Sendable>: Sendable {
  typealias Member = TurnTicket

  /// A category, and how many of its members may have a turn at once.
  struct Place: Sendable {
    let category: Category
    let limit: Int
  }

  private struct Line {
    let limit: Int
    /// In the order of arrival; the members before `first` have left.
    var members: [Member] = []
    var first = 0

    /// O(log members), as members are in ascending order.
    func index(of member: TurnTicket) -> Int? {
      var (low, high) = (first, members.count)
      while low < high {
        let middle = (low + high) / 2
        if members[middle] < member { low = middle + 1 } else { high = middle }
      }
      return low < members.count && members[low] == member ? low : nil
    }

    mutating func remove(at index: Int) {
      guard index == first else {
        members.remove(at: index)
        return
      }
      first += 1
      // Amortized O(1): a removal moves at most as many members as left since the last one.
      if first > members.count / 2 {
        members.removeFirst(first)
        first = 0
      }
    }
  }

  private struct Standing {
    let places: [Place]
    /// The number of its lines in which too many members are before it.
    var behind = 0
  }

  private var lines: [Category: Line] = [:]
  private var standing: [Member: Standing] = [:]

  /// Whether no member waits or has a turn; for tests.
  var isEmpty: Bool { standing.isEmpty && lines.isEmpty }

  func count(in category: Category) -> Int {
    lines[category].map { $0.members.count - $0.first } ?? 0
  }

  func hasLine(in category: Category) -> Bool { lines[category] != nil }

  /// The members before it in a category, in the order of arrival; `nil` if it is in no such line.
  func members(before member: Member, in category: Category) -> ArraySlice<Member>? {
    guard let line = lines[category], let index = line.index(of: member) else { return nil }
    return line.members[line.first..<index]
  }

  /// A member goes to the end of all its lines; members arrive in ascending order, each once.
  ///
  /// - Parameter places: Each category once, always with the same limit.
  /// - Returns: Whether it has its turn at once.
  mutating func arrived(_ member: Member, at places: [Place]) -> Bool {
    var entry = Standing(places: places)
    for place in places {
      var line = lines.removeValue(forKey: place.category) ?? Line(limit: place.limit)
      if line.members.count - line.first >= line.limit { entry.behind += 1 }
      line.members.append(member)
      lines[place.category] = line
    }
    standing[member] = entry
    return entry.behind == 0
  }

  /// A member is done, or gives up; it need not be in line.
  ///
  /// - Returns: The members that have their turn now.
  mutating func left(_ member: Member) -> [Member] {
    guard let entry = standing.removeValue(forKey: member) else { return [] }
    var next: [Member] = []
    for place in entry.places {
      guard var line = lines.removeValue(forKey: place.category),
        let index = line.index(of: member)
      else { continue }
      // The member behind the last one with a turn moves up.
      let isAhead = index - line.first < line.limit
      line.remove(at: index)
      let last = line.first + line.limit - 1
      if isAhead, last < line.members.count {
        let other = line.members[last]
        standing[other]?.behind -= 1
        if standing[other]?.behind == 0 { next.append(other) }
      }
      if line.first < line.members.count { lines[place.category] = line }
    }
    return next
  }
}
