/// Deadlines with payloads, as a value: a list from the latest one to the earliest.
///
/// Adding and removing take O(count) at worst. Most entries are added as the latest one, and
/// removed as one of the earliest.
struct DeadlineList<Instant: Comparable & Sendable, Payload> {
  /// The name of an entry; never used twice.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private var entries: [(deadline: Instant, ticket: Ticket, payload: Payload)] = []
  private var lastNumber: UInt64 = 0

  var count: Int { entries.count }

  /// The earliest deadline.
  var first: Instant? { entries.last?.deadline }

  mutating func add(_ payload: Payload, at deadline: Instant) -> Ticket {
    lastNumber += 1
    let ticket = Ticket(number: lastNumber)
    let place = entries.firstIndex { $0.deadline <= deadline } ?? entries.count
    entries.insert((deadline, ticket, payload), at: place)
    return ticket
  }

  /// - Returns: The payload; `nil` if the entry was removed before.
  mutating func remove(_ ticket: Ticket) -> Payload? {
    entries.lastIndex { $0.ticket == ticket }.map { entries.remove(at: $0).payload }
  }

  /// Removes the earliest entry, of several with its deadline the first one, if it is due.
  mutating func removeFirst(dueAt now: Instant) -> Payload? {
    guard let first, first <= now else { return nil }
    return entries.removeLast().payload
  }
}
