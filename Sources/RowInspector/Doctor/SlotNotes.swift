struct SlotNotes<Row: Hashable & Sendable>: Sendable {
  /// A shorter wait is no fault.
  private static var patience: Duration { .seconds(1) }

  private let known: Int?
  private var running = 0
  private(set) var peak = 0
  private var lastFree = Duration.zero
  private var now = Duration.zero
  private var waiting = RecentTable<Row, Duration>()
  private(set) var slowStarts = 0
  private(set) var longestWait = Duration.zero

  init(count: Int?) { known = count }

  var count: Int { max(known ?? peak, 1) }

  var longWaits: [(row: Row, time: Duration)] {
    guard running >= count else { return [] }
    return waiting.keys.compactMap { row in
      guard let start = waiting[row] else { return nil }
      let time = now - max(start, lastFree)
      return time >= Self.patience ? (row, time) : nil
    }
  }

  mutating func advance(to time: Duration) {
    guard time > now else { return }
    if running < count { lastFree = time }
    now = time
  }

  mutating func waits(_ row: Row) { waiting[row] = waiting[row] ?? now }

  mutating func leftWaiting(_ row: Row) { waiting[row] = nil }

  /// - Parameter takesSlot: `false` for a load of a batch that has begun already.
  mutating func started(_ row: Row, isDisplayed: Bool, takesSlot: Bool = true) {
    let start = waiting[row]
    waiting[row] = nil
    if takesSlot { running += 1 }
    peak = max(peak, running)
    guard isDisplayed, let start else { return }
    let time = now - max(start, lastFree)
    guard time >= Self.patience else { return }
    slowStarts += 1
    longestWait = max(longestWait, time)
  }

  mutating func ended() { running -= 1 }
}
