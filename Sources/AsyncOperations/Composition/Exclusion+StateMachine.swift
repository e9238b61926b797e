/// A member's place in the order of arrival; never used twice.
typealias ExclusionTicket = UInt64

/// The lines of all categories, and the members that have a turn, as a value.
///
/// A member joins all its lines in one step, so every line is in the order of arrival. A member has
/// its turn when, in each of its lines, fewer members are before it than its limit. No members can
/// wait for each other in a circle: each waits only for earlier ones, and the first of all has its
/// turn.
struct ExclusionStateMachine<Category: Hashable & Sendable>: Sendable {
  typealias Member = ExclusionTicket

  private struct Line {
    /// In the order of arrival; the members before `first` have left.
    var members: [Member] = []
    var first = 0
    /// The highest limit of all members so far.
    var limit = 1

    /// O(log members), as members are in ascending order.
    func index(of member: ExclusionTicket) -> Int? {
      var (low, high) = (first, members.count)
      while low < high {
        let middle = (low + high) / 2
        if members[middle] < member { low = middle + 1 } else { high = middle }
      }
      return low < members.count && members[low] == member ? low : nil
    }

    mutating func remove(_ member: ExclusionTicket) {
      guard let index = index(of: member) else { return }
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
    let limits: [Category: Int]
    /// The number of its lines in which too many members are before it.
    var behind = 0
  }

  private var lines: [Category: Line] = [:]
  private var standing: [Member: Standing] = [:]

  /// Whether no member waits or has a turn; for tests.
  var isEmpty: Bool { standing.isEmpty && lines.isEmpty }

  func hasLine(in category: Category) -> Bool { lines[category] != nil }

  /// The number of members before it in a category; `nil` if it is not in that line.
  func countBefore(_ member: Member, in category: Category) -> Int? {
    guard let line = lines[category], let index = line.index(of: member) else { return nil }
    return index - line.first
  }

  /// A member goes to the end of all its lines; members arrive in ascending order, each once.
  ///
  /// - Parameter limits: For each category, how many members may have a turn at once.
  /// - Returns: Whether it has its turn at once.
  mutating func arrived(_ member: Member, limits: [Category: Int]) -> Bool {
    var entry = Standing(limits: limits)
    for (category, limit) in limits {
      var line = lines.removeValue(forKey: category) ?? Line()
      if line.members.count - line.first >= limit { entry.behind += 1 }
      line.members.append(member)
      line.limit = max(line.limit, limit)
      lines[category] = line
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
    for category in entry.limits.keys {
      guard var line = lines.removeValue(forKey: category) else { continue }
      line.remove(member)
      for (rank, other) in line.members[line.first...].prefix(line.limit).enumerated()
      where other > member && standing[other]?.limits[category] == rank + 1 {
        standing[other]?.behind -= 1
        if standing[other]?.behind == 0 { next.append(other) }
      }
      if line.first < line.members.count { lines[category] = line }
    }
    return next
  }
}
