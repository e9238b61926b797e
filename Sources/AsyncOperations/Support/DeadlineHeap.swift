/// Deadlines with payloads, the earliest on top, as a value.
///
/// Adding and removing take O(log count). A removed entry is gone at once, and so is its memory
/// when most entries are.
struct DeadlineHeap<Instant: Comparable & Sendable, Payload> {
  /// The name of an entry; never used twice.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Node {
    let deadline: Instant
    let ticket: Ticket
  }

  private struct Entry {
    let payload: Payload
    /// The position of its node.
    var position: Int
  }

  /// Each node's deadline is at most those of its two successors.
  private var nodes: [Node] = []
  private var entries: [Ticket: Entry] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { nodes.count }

  /// The number of entries for which there is memory.
  var capacity: Int { max(nodes.capacity, entries.capacity) }

  /// The earliest deadline.
  var first: Instant? { nodes.first?.deadline }

  mutating func add(_ payload: Payload, at deadline: Instant) -> Ticket {
    lastNumber += 1
    let node = Node(deadline: deadline, ticket: Ticket(number: lastNumber))
    entries[node.ticket] = Entry(payload: payload, position: nodes.count)
    nodes.append(node)
    rise(from: nodes.count - 1)
    return node.ticket
  }

  /// - Returns: The payload; `nil` if the entry was removed before.
  mutating func remove(_ ticket: Ticket) -> Payload? {
    guard let entry = entries.removeValue(forKey: ticket) else { return nil }
    let last = nodes.removeLast()
    if last.ticket != ticket {
      nodes[entry.position] = last
      rise(from: entry.position)
      sink(from: entries[last.ticket]?.position ?? entry.position)
    }
    // Amortized O(1): at least as many entries were removed since the memory was that small.
    if capacity > 64, nodes.count < capacity / 8 {
      // Copies that are as large as they need to be.
      nodes = nodes.map { $0 }
      entries = Dictionary(uniqueKeysWithValues: entries.map { ($0, $1) })
    }
    return entry.payload
  }

  /// Removes the earliest entry if it is due.
  mutating func removeFirst(dueAt now: Instant) -> Payload? {
    guard let first = nodes.first, first.deadline <= now else { return nil }
    return remove(first.ticket)
  }

  /// Moves all deadlines to one instant.
  ///
  /// O(count).
  mutating func moveAll(to deadline: Instant) {
    nodes = nodes.map { Node(deadline: deadline, ticket: $0.ticket) }
  }

  private mutating func place(_ node: Node, at position: Int) {
    nodes[position] = node
    entries[node.ticket]?.position = position
  }

  private mutating func rise(from start: Int) {
    let node = nodes[start]
    var position = start
    while position > 0, node.deadline < nodes[(position - 1) / 2].deadline {
      place(nodes[(position - 1) / 2], at: position)
      position = (position - 1) / 2
    }
    place(node, at: position)
  }

  private mutating func sink(from start: Int) {
    let node = nodes[start]
    var position = start
    while true {
      var next = 2 * position + 1
      if next + 1 < nodes.count, nodes[next + 1].deadline < nodes[next].deadline { next += 1 }
      guard next < nodes.count, nodes[next].deadline < node.deadline else { break }
      place(nodes[next], at: position)
      position = next
    }
    place(node, at: position)
  }
}
