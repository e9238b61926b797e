import RowOperations

struct LoadNotes<Row: Hashable & Sendable>: Sendable {
  struct Share: Sendable {
    var all = 0
    var wasted = 0

    var percent: Int { all == 0 ? 0 : 100 * wasted / all }
  }

  /// Whether each running load is a prefetch.
  private var loads: [UInt64: Bool] = [:]
  private var batches: [UInt64: UInt64] = [:]
  private var sizes: [UInt64: Int] = [:]
  private var displays: [Row: Int] = [:]
  /// Not on screen since their prefetch.
  private var prefetched = RecentTable<Row, Bool>()
  /// Their value came off screen; whether it was prefetched.
  private var unseen = RecentTable<Row, Bool>()
  private var evicted = RecentTable<Row, Bool>()
  private(set) var ofScreen = Share()
  private(set) var ofPrefetch = Share()
  /// The share of values that had been there before.
  private(set) var values = Share()
  var isPurging = false
  private(set) var slots: SlotNotes<Row>

  init(slots: Int?) { self.slots = SlotNotes(count: slots) }

  func isDisplayed(_ row: Row) -> Bool { displays[row] != nil }

  mutating func record(_ event: TrackerEvent<Row>) {
    slots.advance(to: event.time)
    let row = event.row
    switch event.kind {
    case .displayed: displayed(row)
    case .endedDisplaying:
      displays[row, default: 1] -= 1
      if displays[row] == 0 { displays[row] = nil }
    case .prefetched: if displays[row] == nil { prefetched[row] = true }
    case .waiting: slots.waits(row)
    case .leftWaiting: slots.leftWaiting(row)
    case .joined(let generation, let batch): batches[generation] = batch
    case .started(let generation): started(generation, row)
    case .finished(let generation): finished(generation, row)
    case .failed(let generation, _): ended(generation)
    case .cancelled(let generation): cancelled(generation, row)
    case .evicted:
      if unseen[row] == true { ofPrefetch.wasted += 1 }
      unseen[row] = nil
      if !isPurging { evicted[row] = true }
    default: break
    }
  }

  /// While all slots were taken.
  var longWaits: (rows: Int, longest: Duration) {
    let still = slots.longWaits.filter { isDisplayed($0.row) }
    return (
      slots.slowStarts + still.count, still.map(\.time).reduce(slots.longestWait) { max($0, $1) }
    )
  }

  private mutating func displayed(_ row: Row) {
    displays[row, default: 0] += 1
    prefetched[row] = nil
    if unseen[row] == false { ofScreen.wasted -= 1 }
    unseen[row] = nil
  }

  private mutating func started(_ generation: UInt64, _ row: Row) {
    let isDisplayed = displays[row] != nil
    let isPrefetch = !isDisplayed && prefetched[row] != nil
    loads[generation] = isPrefetch
    if isPrefetch { ofPrefetch.all += 1 } else { ofScreen.all += 1 }
    slots.started(row, isDisplayed: isDisplayed, takesSlot: join(generation) == 1)
  }

  /// - Returns: Their number; 1 without a batch.
  private mutating func join(_ generation: UInt64) -> Int {
    guard let batch = batches[generation] else { return 1 }
    sizes[batch, default: 0] += 1
    return sizes[batch] ?? 1
  }

  /// - Returns: How many loads are left; 0 without a batch.
  private mutating func leave(_ generation: UInt64) -> Int {
    guard let batch = batches.removeValue(forKey: generation), let size = sizes[batch] else {
      return 0
    }
    sizes[batch] = size > 1 ? size - 1 : nil
    return size - 1
  }

  private mutating func finished(_ generation: UInt64, _ row: Row) {
    values.all += 1
    if evicted[row] != nil { values.wasted += 1 }
    evicted[row] = nil
    guard let isPrefetch = ended(generation), displays[row] == nil else { return }
    unseen[row] = isPrefetch
    if !isPrefetch { ofScreen.wasted += 1 }
  }

  private mutating func cancelled(_ generation: UInt64, _ row: Row) {
    guard let isPrefetch = ended(generation), displays[row] == nil else { return }
    if isPrefetch { ofPrefetch.wasted += 1 } else { ofScreen.wasted += 1 }
  }

  /// - Returns: Whether it was a prefetch; `nil` for an unknown load.
  @discardableResult
  private mutating func ended(_ generation: UInt64) -> Bool? {
    guard let isPrefetch = loads.removeValue(forKey: generation) else { return nil }
    if leave(generation) == 0 { slots.ended() }
    return isPrefetch
  }
}
