import RowOperations
import RowOperationsTesting

/// The checks of the engine's decisions.
extension NaiveTracker {
  func isOverdue(_ run: Run) -> Bool {
    run.unclaimedSince.map { $0 + settings.grace <= now } ?? false
  }

  func isTimedOut(_ run: Run) -> Bool { isTimedOut(since: run.startedAt) }

  func isTimedOut(since start: Int64) -> Bool {
    settings.timeout.map { start + $0 <= now } ?? false
  }

  mutating func check(_ decision: Decision) {
    switch decision {
    case .start(let row):
      checkSlot(for: row)
      if claimRank(row)?.0 == 2 { unseen.insert(row) }
      runs[row] = Run(row: row, pass: pass, startedAt: now)
      startOrder.append((row, nextRank()))
      loadBegan()
    case .cancel(let row):
      if live.dueCancels.remove(row) != nil { return }
      guard let run = runs[row] else {
        return complain("cancelled \(row), which does not run")
      }
      let isDue = { (naive: NaiveTracker) in
        naive.isOverdue(run) || naive.isWeakest(row) && naive.takesSlot
      }
      giveSlots(until: isDue)
      if !isDue(self) { complain("cancelled \(row) for nothing") }
      let isHung = isHungPrefetch(row)
      cancelRun(row)
      if isHung {
        setAside.insert(row)
        failed.remove(row)
      }
      endUselessPrefetches()
    case .timeOut(let row):
      guard let run = runs[row] else { return complain("timed out \(row), which is over") }
      if !isTimedOut(run) { complain("timed out \(row) too early") }
      cancelRun(row)
      if !run.isOutdated { fail(row, settings.timeOut, since: run.startedAt) }
      endUselessPrefetches()
    case .evict(let row):
      checkEviction(of: row)
    case .startBatch(let rows): checkStart(ofBatch: rows)
    case .cancelBatch(let rows): checkCancel(ofBatch: rows)
    case .timeOutBatch(let rows): checkTimeout(ofBatch: rows)
    case .open(let row): checkOpening(of: row)
    case .close(let row): checkClosing(of: row)
    case .expect, .element: break
    }
  }

  private mutating func checkSlot(for row: Int) {
    if make([row]) { return }
    giveSlots { $0.candidates.contains(row) && $0.hasFreeSlot }
    if !candidates.contains(row) { complain("started \(row) though \(candidates) is next") }
    if !hasFreeSlot { complain("started \(row) without a slot") }
  }

  /// Whether a cancel would give an urgent row a slot.
  var takesSlot: Bool { !hasFreeSlot && wouldGainByCancelling }

  /// Whether a row's load gives way first to an urgent row.
  func isWeakest(_ row: Int) -> Bool {
    guard isUrgent, let run = runs[row] else { return false }
    let oldest = runs.values.compactMap(\.unclaimedSince).min()
    if oldest != nil { return run.unclaimedSince == oldest }
    if let hung = hungPrefetches.map(\.value.startedAt).min() {
      return isHungPrefetch(row) && run.startedAt == hung
    }
    return distantPrefetches.contains(row)
  }

  func isHungPrefetch(_ row: Int) -> Bool {
    claimRank(row)?.0 == 2 && runs[row]?.isHung == true
  }

  var hungPrefetches: [Int: Run] {
    runs.filter { $0.value.batch == nil && isHungPrefetch($0.key) }
  }

  var droppable: [Int] {
    values.keys.filter { !isClaimed($0) }
  }

  var keepsTooMuch: Bool {
    values.count > settings.valueLimit ?? .max || values.count > settings.costLimit ?? .max
  }

  /// Whether the value of a row was prefetched and not seen.
  ///
  /// While a prefetch runs, the value is an older one and does not count.
  func isUnseen(_ row: Int) -> Bool {
    unseen.contains(row) && !jumpedOver.contains(row) && runs[row] == nil
  }

  /// The rows of the values that can be dropped next; unseen prefetched values come last.
  var dropsNext: [Int] {
    let seen = droppable.filter { !isUnseen($0) }
    guard seen.isEmpty else { return seen }
    return settings.valueLimit == 0 && droppable.count <= settings.prefetchLimit ? [] : droppable
  }

  mutating func checkEviction(of row: Int) {
    if !keepsTooMuch { complain("evicted \(row) though there was room") }
    let oldest = dropsNext.map { lastUse[$0] ?? 0 }.min()
    if !droppable.contains(row) { complain("evicted \(row), which is in use") }
    if !dropsNext.contains(row) { complain("evicted \(row), which was prefetched and not seen") }
    if lastUse[row] ?? 0 != oldest { complain("evicted \(row), which was used more recently") }
    let isUnseen = isUnseen(row)
    dropValue(row)
    endStream(row)
    if isUnseen { unseenRoom = droppable.count }
  }

  mutating func dropValue(_ row: Int) {
    values[row] = nil
    inLine.remove(row)
    unseen.remove(row)
    jumpedOver.remove(row)
  }

  mutating func checkNothingIsLeftToDo() {
    for row in unmade { complain("\(row) got a slot and does not load") }
    for (row, run) in runs where run.batch == nil {
      if isOverdue(run) { complain("\(row) runs on after its grace") }
      if isTimedOut(run) { complain("\(row) runs on after its time") }
    }
    checkNothingIsLeftToDoForBatches()
    if keepsTooMuch, !dropsNext.isEmpty { complain("\(values.count) values are kept") }
    guard let candidate = candidates.first else { return }
    if hasFreeSlot { complain("\(candidate) waits though a slot is free") }
    guard isUrgent, wouldGainByCancelling else { return }
    if runs.values.contains(where: { $0.unclaimedSince != nil }) {
      complain("\(candidate) waits for the slot of an unclaimed load")
    }
    checkSlotsOfBatches(candidate)
    if !hungPrefetches.isEmpty { complain("\(candidate) waits for the slot of a hung prefetch") }
    if !distantPrefetches.isEmpty {
      complain("\(candidate) waits for the slot of a prefetch that loses nothing by waiting")
    }
  }
}
