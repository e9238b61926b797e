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

  @Test("A waiting member that leaves lets the members behind it pass")
  func leavesEarly() {
    var lines = TurnLines<String>()
    _ = lines.arrived(1, at: places("a"))
    _ = lines.arrived(2, at: places("a", "b"))
    _ = lines.arrived(3, at: places("b"))
    #expect(lines.left(2) == [3])
    #expect(lines.left(1) == [])
    _ = lines.left(3)
    #expect(lines.isEmpty)
  }

  @Test("A member of no line has its turn at once, until it leaves")
  func noLine() {
    var lines = TurnLines<String>()
    #expect(lines.isEmpty)
    #expect(lines.arrived(1, at: []) == true)
    #expect(!lines.isEmpty)
    #expect(lines.left(1) == [])
    #expect(lines.isEmpty)
  }

  @Test("Random walks give the same turns as a naive model")
  func model() {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var lines = TurnLines<Int>()
      var naive = NaiveLines()
      for step in 0..<60 {
        if Bool.random(using: &generator) {
          let categories = Set(
            (0..<Int.random(in: 1...3, using: &generator)).map { _ in
              Int.random(in: 0..<4, using: &generator)
            })
          let member = TurnTicket(step)
          // One limit for each category: 1, 1, 2, 3.
          let limits = Dictionary(uniqueKeysWithValues: categories.map { ($0, max(1, $0)) })
          let isFirst = lines.arrived(
            member, at: limits.map { .init(category: $0.key, limit: $0.value) })
          #expect(isFirst == naive.arrived(member, limits), "seed \(seed)")
        } else if let member = naive.members.randomElement(using: &generator) {
          #expect(Set(lines.left(member.id)) == naive.left(member.id), "seed \(seed)")
        }
        #expect(lines.isEmpty == naive.members.isEmpty, "seed \(seed)")
        for member in naive.members {
          for category in 0..<4 {
            let before = lines.members(before: member.id, in: category).map(Array.init)
            #expect(before == naive.members(before: member.id, in: category), "seed \(seed)")
          }
        }
        #expect(naive.members.isEmpty || !naive.turns.isEmpty, "a deadlock, seed \(seed)")
      }
    }
  }
}

/// A naive model of the lines: all members in the order of arrival.
private struct NaiveLines {
  var members: [(id: TurnTicket, limits: [Int: Int])] = []

  var turns: Set<TurnTicket> {
    var before: [Int: Int] = [:]
    var turns: Set<TurnTicket> = []
    for member in members {
      let hasTurn = member.limits.allSatisfy { before[$0.key, default: 0] < $0.value }
      if hasTurn { turns.insert(member.id) }
      for category in member.limits.keys { before[category, default: 0] += 1 }
    }
    return turns
  }

  func members(before id: TurnTicket, in category: Int) -> [TurnTicket]? {
    let line = members.filter { $0.limits[category] != nil }.map(\.id)
    return line.firstIndex(of: id).map { Array(line[..<$0]) }
  }

  mutating func arrived(_ id: TurnTicket, _ limits: [Int: Int]) -> Bool {
    members.append((id, limits))
    return turns.contains(id)
  }

  mutating func left(_ id: TurnTicket) -> Set<TurnTicket> {
    let before = turns
    members.removeAll { $0.id == id }
    return turns.subtracting(before).subtracting([id])
  }
}
