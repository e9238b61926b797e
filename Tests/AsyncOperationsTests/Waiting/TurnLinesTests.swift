import Testing

@testable import AsyncOperations

@Suite("The lines of exclusive categories")
struct TurnLinesTests {
  private func places(_ categories: String...) -> [TurnLines<String>.Place] {
    categories.map { .init(category: $0, limit: 1) }
  }

  @Test("The first member has its turn at once, and the next one when the first has left")
  func inTurn() {
    var lines = TurnLines<String>()
    #expect(lines.arrived(1, at: places("a")) == true)
    #expect(lines.arrived(2, at: places("a")) == false)
    #expect(lines.arrived(3, at: places("a")) == false)
    #expect(lines.arrived(4, at: places("b")) == true)
    #expect(lines.left(1) == [2])
    #expect(lines.left(1) == [])
    #expect(lines.left(2) == [3])
  }

  @Test("A member of several lines has its turn when it is first in all of them")
  func severalLines() {
    var lines = TurnLines<String>()
    _ = lines.arrived(1, at: places("a"))
    _ = lines.arrived(2, at: places("b"))
    #expect(lines.arrived(3, at: places("a", "b")) == false)
    #expect(lines.arrived(4, at: places("b")) == false)
    #expect(lines.left(1) == [])
    #expect(lines.left(2) == [3])
    #expect(lines.left(3) == [4])
  }

  @Test("A member that comes back passes those that have not begun, and one with a turn can yield")
  func comesBack() {
    var lines = TurnLines<String>()
    _ = lines.arrived(1, at: places("a"))
    _ = lines.arrived(2, at: places("a"))
    #expect(lines.arrived(3, at: places("a"), hasBegun: true) == false)
    #expect(lines.members(before: 2, in: "a") == [1, 3])
    #expect(lines.ranks(behind: 3).map(\.member) == [2])
    #expect(lines.holders(ahead: 3) == [1])
    #expect(lines.isInTheWay(1))
    #expect(lines.yielded(1) == [3])
    #expect(!lines.isInTheWay(3))
    #expect(lines.left(3) == [1])
    #expect(lines.left(1) == [2])
  }

  @Test("A turn beside that of a member that comes back is in nobody's way")
  func beside() {
    var lines = TurnLines<String>()
    let places = [TurnLines<String>.Place(category: "a", limit: 2)]
    _ = lines.arrived(1, at: places)
    #expect(lines.arrived(2, at: places, hasBegun: true) == true)
    #expect(!lines.isInTheWay(1) && lines.holders(ahead: 2).isEmpty)
    #expect(lines.arrived(3, at: places, hasBegun: true) == false)
    #expect(lines.isInTheWay(1) && lines.holders(ahead: 3) == [1, 2])
  }

  @Test("Random walks give the same turns as a naive model")
  func model() {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var lines = TurnLines<Int>()
      var naive = NaiveLines()
      for step in 0..<60 {
        let member = naive.members.randomElement(using: &generator)
        let priority = UInt8.random(in: 0..<3, using: &generator)
        switch (Int.random(in: 0..<9, using: &generator), member) {
        case (4...5, let member?):
          #expect(Set(lines.left(member.id)) == naive.left(member.id), "seed \(seed)")
        case (6, let member?):
          #expect(Set(lines.begun(member.id)) == naive.begun(member.id), "seed \(seed)")
        case (7, let member?):
          #expect(Set(lines.yielded(member.id)) == naive.yielded(member.id), "seed \(seed)")
        case (8, let member?):
          #expect(
            Set(lines.raised(member.id, to: priority)) == naive.raised(member.id, priority),
            "seed \(seed)")
        default:
          let categories = Set(
            (0..<Int.random(in: 1...3, using: &generator)).map { _ in
              Int.random(in: 0..<4, using: &generator)
            })
          let member = TurnTicket(step)
          // One limit for each category: 1, 1, 2, 3.
          let limits = Dictionary(uniqueKeysWithValues: categories.map { ($0, max(1, $0)) })
          let hasBegun = Int.random(in: 0..<4, using: &generator) == 0
          let hasTurn = lines.arrived(
            member, at: limits.map { .init(category: $0.key, limit: $0.value) }, hasBegun: hasBegun,
            priority: priority)
          #expect(hasTurn == naive.arrived(member, limits, hasBegun, priority), "seed \(seed)")
        }
        #expect(lines.isEmpty == naive.members.isEmpty, "seed \(seed)")
        for member in naive.members {
          let behind = member.limits.keys.flatMap { naive.members(behind: member.id, in: $0) }
          let ranks = lines.ranks(behind: member.id)
          #expect(Set(ranks.map(\.member)) == Set(behind), "seed \(seed)")
        }
        for member in naive.members where !member.hasTurn {
          for category in member.limits.keys {
            let before = lines.members(before: member.id, in: category)
            #expect(before == naive.members(before: member.id, in: category), "seed \(seed)")
          }
        }
        let hasTurns = naive.members.contains(where: \.hasTurn)
        #expect(naive.members.isEmpty || hasTurns, "a deadlock, seed \(seed)")
      }
    }
  }
}

/// A naive model of the lines: all members in the order of their turns.
private struct NaiveLines {
  struct Member {
    let id: TurnTicket
    let limits: [Int: Int]
    var hasTurn = false
    var hasBegun: Bool
    var priority: UInt8
  }

  var members: [Member] = []

  /// Gives turns to those that can have one.
  private mutating func grant() -> Set<TurnTicket> {
    let next = members.filter { member in
      !member.hasTurn
        && member.limits.allSatisfy { category, limit in
          (self.members(before: member.id, in: category) ?? []).count < limit
        }
    }
    for member in next { change(member.id) { $0.hasTurn = true } }
    return Set(next.map(\.id))
  }

  private mutating func change(_ id: TurnTicket, _ change: (inout Member) -> Void) {
    guard let index = members.firstIndex(where: { $0.id == id }) else { return }
    change(&members[index])
  }

  private func line(_ category: Int) -> [TurnTicket] {
    let line = members.filter { $0.limits[category] != nil }
    let others = line.filter { !$0.hasTurn }
    return line.filter(\.hasTurn).map(\.id) + others.filter(\.hasBegun).map(\.id)
      + others.filter { !$0.hasBegun }.sorted {
        ($1.priority, $0.id) < ($0.priority, $1.id)
      }.map(\.id)
  }

  func members(before id: TurnTicket, in category: Int) -> [TurnTicket]? {
    let line = line(category)
    return line.firstIndex(of: id).map { Array(line[..<$0]) }
  }

  func members(behind id: TurnTicket, in category: Int) -> ArraySlice<TurnTicket> {
    line(category).drop { $0 != id }.dropFirst()
  }

  mutating func arrived(
    _ id: TurnTicket, _ limits: [Int: Int], _ hasBegun: Bool, _ priority: UInt8
  ) -> Bool {
    members.append(Member(id: id, limits: limits, hasBegun: hasBegun, priority: priority))
    return grant().contains(id)
  }

  mutating func raised(_ id: TurnTicket, _ priority: UInt8) -> Set<TurnTicket> {
    change(id) { $0.priority = max($0.priority, priority) }
    return grant()
  }

  mutating func left(_ id: TurnTicket) -> Set<TurnTicket> {
    members.removeAll { $0.id == id }
    return grant()
  }

  mutating func begun(_ id: TurnTicket) -> Set<TurnTicket> {
    change(id) { $0.hasBegun = true }
    return grant()
  }

  mutating func yielded(_ id: TurnTicket) -> Set<TurnTicket> {
    change(id) { $0.hasTurn = false }
    return grant()
  }
}
