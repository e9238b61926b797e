import Testing

@testable import RowOperations

/// Goes through all reachable states of the table with few loads.
@Suite("Permits of a limited stage, as a value", .timeLimit(.minutes(10)))
struct PermitTableTests {
  typealias Ticket = PermitTable.Ticket

  /// A load takes one step, or gets the permit for which it waits.
  private static func successors(of table: PermitTable, loads: Range<Ticket>) -> [PermitTable] {
    var all: [PermitTable] = []
    func add(_ change: (inout PermitTable) -> Void) {
      var next = table
      change(&next)
      all.append(next)
    }
    for load in loads {
      if !table.waiting.contains(load), !table.holders.contains(load),
        !table.lingering.contains(load)
      {
        add { _ = $0.request(load) }
      }
      add { $0.cancel(load) }
      add { $0.leave(load) }
      add { _ = $0.grant(load) }
    }
    return all
  }

  private static func reachable(limit: Int, loads: Range<Ticket>) -> Set<PermitTable> {
    var known: Set = [PermitTable(limit: limit)]
    var new = Array(known)
    while let table = new.popLast() {
      for next in successors(of: table, loads: loads) where known.insert(next).inserted {
        new.append(next)
      }
    }
    return known
  }

  /// How many loads count for the limit: holders, and lingering bodies beyond the limit.
  private static func taken(_ table: PermitTable) -> Int {
    table.holders.count + max(table.lingering.count - table.limit, 0)
  }

  @Test(
    "The stage never holds more loads than its limit, and each load is in one place",
    arguments: 1...3)
  func limit(limit: Int) {
    let tables = Self.reachable(limit: limit, loads: 0..<5)
    #expect(tables.count > 300)
    for table in tables {
      #expect(Self.taken(table) <= limit, "\(table)")
      #expect(Set(table.waiting).count == table.waiting.count, "\(table)")
      #expect(table.holders.isDisjoint(with: table.lingering), "\(table)")
      #expect(table.holders.union(table.lingering).isDisjoint(with: table.waiting), "\(table)")
    }
    #expect(tables.contains { $0.waiting.count == 5 - limit && $0.holders.count == limit })
    #expect(limit > 2 || tables.contains { $0.isHeld })
  }

  @Test("A permit is granted exactly when it is free and a load waits", arguments: 1...3)
  func noIdlePermit(limit: Int) {
    for table in Self.reachable(limit: limit, loads: 0..<5) {
      let isFree = Self.taken(table) < limit
      #expect((table.next != .none) == (isFree && !table.waiting.isEmpty), "\(table)")
      if case .grant(let load) = table.next { #expect(table.waiting == [load], "\(table)") }
      for load in Ticket(0)..<5 {
        var granted = table
        let isGranted = granted.grant(load)
        #expect(isGranted == (isFree && table.waiting.contains(load)), "\(table)")
        #expect(isGranted == (granted != table), "\(table)")
      }
    }
  }

  @Test("A new load does not overtake waiting loads")
  func noPushingIn() {
    for table in Self.reachable(limit: 2, loads: 0..<4) where !table.waiting.isEmpty {
      var asked = table
      #expect(!asked.request(9) && asked.waiting == table.waiting + [9], "\(table)")
    }
  }

  @Test(
    "A cancel returns a permit at once, for as many lingering bodies as the limit", arguments: 1...3
  )
  func cancel(limit: Int) {
    for table in Self.reachable(limit: limit, loads: 0..<5) {
      for load in Ticket(0)..<5 {
        var cancelled = table
        cancelled.cancel(load)
        #expect(!cancelled.waiting.contains(load) && !cancelled.holders.contains(load))
        let isFreed = table.holders.contains(load) && table.lingering.count < limit
        #expect(Self.taken(cancelled) == Self.taken(table) - (isFreed ? 1 : 0), "\(table)")
      }
    }
  }

  @Test("Every waiting load enters the stage after all bodies in it have left", arguments: 1...3)
  func noDeadlock(limit: Int) {
    for var table in Self.reachable(limit: limit, loads: 0..<5) {
      var served: [Ticket] = []
      let waiting = table.waiting
      for _ in 0..<12 {
        for load in table.holders.union(table.lingering) { table.leave(load) }
        while table.next != .none, let first = table.waiting.first, table.grant(first) {
          served.append(first)
        }
      }
      #expect(served == waiting && table == PermitTable(limit: limit))
    }
  }

  @Test(
    "A stage is held while a load waits and lingering bodies hold all permits", arguments: 1...2)
  func held(limit: Int) {
    for table in Self.reachable(limit: limit, loads: 0..<5) {
      let hasNone = table.lingering.count >= 2 * limit
      #expect(table.isHeld == (hasNone && !table.waiting.isEmpty), "\(table)")
    }
  }

  @Test("A load that leaves the stage or its line is in no place", arguments: 1...3)
  func leave(limit: Int) {
    for table in Self.reachable(limit: limit, loads: 0..<5) {
      for load in Ticket(0)..<5 {
        var left = table
        left.leave(load)
        let places = left.holders.union(left.lingering).union(left.waiting)
        #expect(!places.contains(load), "\(table)")
      }
    }
  }
}
