import Testing

@testable import AsyncOperations

@Suite("The list of deadlines")
struct DeadlineListTests {
  private typealias List = DeadlineList<Int, Int>

  /// A naive model: the entries in the order of their arrival.
  private struct Model {
    var list = List()
    var entries: [(ticket: List.Ticket, deadline: Int, payload: Int)] = []
    var removed: [List.Ticket] = []
    var added = 0

    mutating func add(at deadline: Int) {
      added += 1
      entries.append((list.add(added, at: deadline), deadline, added))
    }

    mutating func remove(_ index: Int) {
      let entry = entries.remove(at: index)
      #expect(list.remove(entry.ticket) == entry.payload)
      removed.append(entry.ticket)
    }

    /// Removes the earliest entry, and of several with its deadline the first one, if it is due.
    mutating func removeFirst(dueAt now: Int) {
      let payload = list.removeFirst(dueAt: now)
      let earliest = entries.map(\.deadline).min()
      let index = entries.firstIndex { $0.deadline == earliest && $0.deadline <= now }
      #expect(payload == index.map { entries[$0].payload })
      if let index { removed.append(entries.remove(at: index).ticket) }
    }

    mutating func check() {
      #expect(list.count == entries.count)
      #expect(list.first == entries.map(\.deadline).min())
      for ticket in removed { #expect(list.remove(ticket) == nil) }
    }
  }

  @Test("It behaves as a naive list in all sequences of up to six events")
  func sequences() {
    explore(Model(), depth: 6)
  }

  private func explore(_ model: Model, depth: Int) {
    var checked = model
    checked.check()
    guard depth > 0 else { return }
    for deadline in 1...3 {
      var next = model
      next.add(at: deadline)
      explore(next, depth: depth - 1)
    }
    for index in model.entries.indices {
      var next = model
      next.remove(index)
      explore(next, depth: depth - 1)
    }
    for now in [1, 2] where !model.entries.isEmpty {
      var next = model
      next.removeFirst(dueAt: now)
      explore(next, depth: depth - 1)
    }
  }

  @Test("It behaves as a naive list in long random walks")
  func walks() {
    for seed in 0..<30 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var model = Model()
      for step in 0..<400 {
        // Grows in the first half, shrinks in the second one.
        if Int.random(in: 0..<10, using: &generator) < (step < 200 ? 7 : 3) {
          model.add(at: .random(in: 0..<1000, using: &generator))
        } else if Bool.random(using: &generator), !model.entries.isEmpty {
          model.remove(.random(in: model.entries.indices, using: &generator))
        } else {
          model.removeFirst(dueAt: .random(in: 0..<1000, using: &generator))
        }
        #expect(model.list.first == model.entries.map(\.deadline).min(), "seed \(seed)")
      }
      model.check()
    }
  }
}
