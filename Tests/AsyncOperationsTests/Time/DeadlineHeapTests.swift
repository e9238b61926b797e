import Testing

@testable import AsyncOperations

@Suite("The heap of deadlines")
struct DeadlineHeapTests {
  private typealias Heap = DeadlineHeap<Int, Int>

  /// A naive model: the entries in the order of their arrival.
  private struct Model {
    var heap = Heap()
    var entries: [(ticket: Heap.Ticket, deadline: Int, payload: Int)] = []
    var removed: [Heap.Ticket] = []
    var added = 0

    mutating func add(at deadline: Int) {
      added += 1
      entries.append((heap.add(added, at: deadline), deadline, added))
    }

    mutating func remove(_ index: Int) {
      let entry = entries.remove(at: index)
      #expect(heap.remove(entry.ticket) == entry.payload)
      removed.append(entry.ticket)
    }

    /// Removes an entry that is due, which may be any of the earliest ones.
    mutating func removeFirst(dueAt now: Int) {
      let payload = heap.removeFirst(dueAt: now)
      let earliest = entries.map(\.deadline).min()
      guard let payload else {
        #expect(earliest.map { $0 > now } ?? true)
        return
      }
      let index = entries.firstIndex { $0.payload == payload }
      #expect(index != nil)
      guard let index else { return }
      #expect(entries[index].deadline == earliest && entries[index].deadline <= now)
      removed.append(entries.remove(at: index).ticket)
    }

    mutating func check() {
      #expect(heap.count == entries.count)
      #expect(heap.first == entries.map(\.deadline).min())
      for ticket in removed { #expect(heap.remove(ticket) == nil) }
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
        #expect(model.heap.first == model.entries.map(\.deadline).min(), "seed \(seed)")
      }
      model.check()
    }
  }

  @Test("The memory of removed entries is released while others stay")
  func memory() {
    var heap = Heap()
    let stays = heap.add(0, at: 1_000_000)
    let tickets = (1...50_000).map { heap.add($0, at: $0) }
    #expect(heap.capacity >= 50_000)
    for ticket in tickets { _ = heap.remove(ticket) }
    #expect(heap.capacity < 200 && heap.count == 1)
    #expect(heap.remove(stays) == 0)
  }
}
