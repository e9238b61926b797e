/// What a member of the lines is told by; never used twice.
typealias ExclusionTicket = UInt64

/// Who waits in line for which categories, and who has them, as a value.
///
/// A member joins all its lines in one step, so every line is in the order of arrival. Its turn comes
/// when it is the first in each of them. There can be no circle of members who wait for each other:
/// each waits only for those who came before it, and who came first of all is first wherever it
/// stands.
struct ExclusionStateMachine<Category: Hashable & Sendable>: Sendable {
  typealias Member = ExclusionTicket

  private struct Line {
    /// In the order of arrival; those who have left stay until they are the first.
    var members: [Member] = []
    var first = 0
  }

  private struct Standing {
    let categories: Set<Category>
    /// In how many of its lines others are before it.
    var behind = 0
  }

  private var lines: [Category: Line] = [:]
  private var standing: [Member: Standing] = [:]

  /// Whether nobody waits and nobody has a turn.
  var isEmpty: Bool { standing.isEmpty && lines.isEmpty }

  func hasLine(in category: Category) -> Bool { lines[category] != nil }

  /// A member goes to the end of all its lines; a member comes once.
  ///
  /// - Returns: Whether it is its turn at once.
  mutating func arrived(_ member: Member, categories: Set<Category>) -> Bool {
    var place = Standing(categories: categories)
    for category in categories {
      if lines[category] != nil { place.behind += 1 }
      lines[category, default: Line()].members.append(member)
    }
    standing[member] = place
    return place.behind == 0
  }

  /// A member is done, or does not want its turn any more; it need not be there.
  ///
  /// - Returns: Whose turn it is now.
  mutating func left(_ member: Member) -> [Member] {
    guard let place = standing.removeValue(forKey: member) else { return [] }
    var next: [Member] = []
    for category in place.categories {
      guard let first = advance(category, past: member) else { continue }
      standing[first]?.behind -= 1
      if standing[first]?.behind == 0 { next.append(first) }
    }
    return next
  }

  /// - Returns: Who is the first of a line now and was not before.
  private mutating func advance(_ category: Category, past member: Member) -> Member? {
    guard var line = lines.removeValue(forKey: category) else { return nil }
    let wasFirst = line.members[line.first] == member
    while line.first < line.members.count, standing[line.members[line.first]] == nil {
      line.first += 1
    }
    guard line.first < line.members.count else { return nil }
    // Moves each member once for every time that it takes as many to leave.
    if line.first > line.members.count / 2 {
      line.members.removeFirst(line.first)
      line.first = 0
    }
    let first = line.members[line.first]
    lines[category] = line
    return wasFirst ? first : nil
  }
}
