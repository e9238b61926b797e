import RowOperations
import RowOperationsTesting

extension NaiveTracker {
  /// - Parameter decisions: The engine's immediate decisions.
  package mutating func apply(_ step: EventScript.Step, _ decisions: [Decision]) {
    let displayed = displayedRows
    var expected: [Decision] = []
    switch step {
    case .cellFor(let row, let cell):
      cells[cell, default: Cell()].row = row
    case .willDisplay(_, let cell): display(cell)
    case .didEndDisplaying(_, let cell):
      cells[cell]?.isDisplayed = false
      cells[cell]?.isCovered = false
    case .cover(let cell):
      cells[cell, default: Cell()].isDisplayed = false
      cells[cell]?.isCovered = true
    case .unbind(let cell): cells[cell]?.row = nil
    case .deallocate(let cell): cells[cell] = nil
    case .viewFor: complain("\(step): the model has no hosts")
    case .reconcile(let numbers):
      for cell in numbers {
        let before = displayedRows
        display(cell)
        appeared += displayedRows.subtracting(before)
      }
      for cell in cells.keys where !numbers.contains(cell) { cells[cell]?.isDisplayed = false }
    case .prefetch(let rows): prefetch(rows)
    case .cancelPrefetch(let rows): prefetched.removeAll { rows.contains($0) }
    case .setOrder(let rows): setOrder(rows)
    case .scrollWillBegin: landing = []
    case .scrollDidMove: break
    case .scrollWillEnd(let rows): land(on: rows)
    case .scrollDidSettle:
      landing = []
      isMoving = false
    case .suspend:
      addBlankTime()
      isSuspended = true
      landing = []
      prefetched = []
    case .resume:
      addBlankTime()
      if isSuspended { (shownIndices, isForward, asked) = (nil, true, []) }
      isSuspended = false
      isBack = true
      lastResume = now
    case .networkDidReturn:
      hasNetworkBack = true
      lastNetwork = now
    case .show(let row): if let oldest = oldest(row) { shownByRun[oldest] = true }
    case .report(let row):
      if let oldest = oldest(row), shownByRun[oldest] == nil { shownByRun[oldest] = false }
    case .finish(let row): arrive(row, isValue: true)
    case .fail(let row): arrive(row, isValue: false)
    case .setValue(let row):
      expected = setValue(row)
    case .retry(let row):
      retry(row)
    case .invalidate(let rows):
      for row in rows { invalidate(row) }
    case .remove(let rows): expected = rows.flatMap { remove($0) }
    case .invalidateAll: for row in knownRows { invalidate(row) }
    case .removeAll: expected = removeAll()
    case .removeCachedValues:
      expected = droppable.map { .evict(row: $0) }
      for row in droppable { dropValue(row) }
    case .time(let time): now += time.nanoseconds
    case .passEnd: return endPass(decisions)
    }
    switch step {
    case .scrollWillBegin, .scrollDidMove, .scrollWillEnd:
      if !isMoving { appearances = [] }
      isMoving = true
      lastMove = now
    default: break
    }
    cells = cells.filter { $0.value.row != nil || $0.value.isDisplayed || $0.value.isCovered }
    appeared += displayedRows.subtracting(displayed)
    if Set(decisions) != Set(expected) {
      complain("\(step): decided \(decisions), not \(expected)")
    }
    for case .cancel(let row) in decisions { cancelRun(row) }
  }

  private mutating func display(_ cell: Int) {
    if let state = cells[cell], state.isCovered, let row = state.row, !displayedRows.contains(row) {
      returning.insert(row)
    }
    cells[cell, default: Cell()].isDisplayed = true
    cells[cell]?.isCovered = false
  }

  /// The cancel that the engine must decide if the load runs.
  private func cancelled(_ row: Int) -> [Decision] { runs[row] == nil ? [] : [.cancel(row: row)] }

  private mutating func prefetch(_ rows: [Int]) {
    for row in rows.prefix(settings.prefetchLimit).reversed() {
      prefetched.removeAll { $0 == row }
      prefetched.append(row)
      newlyPrefetched.insert(row)
      prefetchedAfter[row] = appearedCount
      setPrefetchRank(row)
      if values[row] != nil, lastUse[row] != nil { lastUse[row] = pass }
    }
    prefetched.removeFirst(max(prefetched.count - settings.prefetchLimit, 0))
  }

  /// Rows with a place rank by how soon they come on screen; other rows come first, newest first.
  private mutating func setPrefetchRank(_ row: Int) {
    guard let index = order.firstIndex(of: row), shownIndices != nil else {
      return prefetchRank[row] = (false, -nextRank())
    }
    let distance = isForward ? index - origin : origin - index
    prefetchRank[row] = (true, distance >= 0 ? distance : 1_000_000 - distance)
  }

  private mutating func setOrder(_ rows: [Int]) {
    for row in order where !rows.contains(row) {
      prefetched.removeAll { $0 == row }
      landing.removeAll { $0 == row }
      // The value of the row is dropped first.
      if inLine.contains(row) {
        lastUse[row] = -1
        jumpedOver.insert(row)
      }
    }
    order = rows
    shownIndices = nil
    isForward = true
    asked = []
    unseenRoom = nil
  }

  /// Checks and records the rows that the tracker prefetched by the order of the list.
  mutating func addExpectations(_ rows: [Int]) {
    let indices = displayedRows.compactMap { order.firstIndex(of: $0) }
    guard !isSuspended, settings.prefetchLimit > 0, let first = indices.min(),
      let last = indices.max()
    else {
      if !rows.isEmpty { complain("expected \(rows) though no row of the list is on screen") }
      return
    }
    moveList(to: first...last)
    for row in rows {
      guard let index = order.firstIndex(of: row) else {
        complain("expected \(row), which is not in the list")
        continue
      }
      if !asked.insert(index).inserted { complain("expected \(row) twice") }
      let distance = index < first ? first - index : index - last
      if distance > settings.prefetchLimit { complain("expected \(row), which is far away") }
      if isMoving, isForward ? index < first : index > last {
        complain("expected \(row), behind the screen")
      }
    }
    prefetch(rows)
    guard !isMoving else { return }
    let kept = settings.valueLimit.flatMap { $0 > 0 ? max($0 - (last - first + 1), 0) : nil }
    let room = min(settings.prefetchLimit, kept ?? .max, unseenRoom ?? .max)
    let reach = min(last - first + 1, room / 2)
    for index in max(first - reach, 0)...min(last + reach, order.count - 1)
    where !asked.contains(index) {
      complain("\(order[index]) is next to the screen and not expected")
    }
  }

  private mutating func moveList(to shown: ClosedRange<Int>) {
    let (old, wasForward) = (shownIndices, isForward)
    shownIndices = shown
    if let old, old != shown {
      if shown.lowerBound >= old.lowerBound, shown.upperBound >= old.upperBound {
        isForward = true
      } else if shown.lowerBound <= old.lowerBound, shown.upperBound <= old.upperBound {
        isForward = false
      }
    }
    if old != nil, isForward == wasForward, shown.contains(where: { asked.contains($0) }) {
      return asked.formUnion(shown)
    }
    asked = Set(shown)
    origin = isForward ? shown.lowerBound : shown.upperBound
    for row in prefetched where order.contains(row) { setPrefetchRank(row) }
  }

  private mutating func land(on rows: [Int]) {
    landing = []
    guard !isSuspended else { return }
    for row in rows where !landing.contains(row) {
      landingRank[row] = nextRank()
      landing.append(row)
    }
  }

  /// Ends the oldest running load of a row.
  private mutating func arrive(_ row: Int, isValue: Bool) {
    if let oldest = oldest(row) { arrived.append((oldest, isValue)) }
  }

  /// The oldest running operation of a row.
  private func oldest(_ row: Int) -> Int? {
    let pending = startOrder.filter { run in
      run.row == row && !arrived.contains { $0.order == run.order }
    }
    return pending.first?.order
  }

  private mutating func setValue(_ row: Int) -> [Decision] {
    defer {
      dropValue(row)
      values[row] = false
      lastUse[row] = pass
      failed.remove(row)
      setAside.remove(row)
      failures[row] = nil
      backoffs[row] = nil
    }
    return cancelled(row)
  }

  private mutating func retry(_ row: Int) {
    guard failed.contains(row) || backoffs[row] != nil else { return }
    failed.remove(row)
    failures[row] = nil
    backoffs[row] = nil
  }

  private mutating func invalidate(_ row: Int) {
    runs[row]?.isOutdated = true
    if values[row] != nil { values[row] = true }
    failed.remove(row)
    failures[row] = nil
    backoffs[row] = nil
  }

  private mutating func remove(_ row: Int) -> [Decision] {
    for cell in cells.keys where cells[cell]?.row == row { cells[cell]?.row = nil }
    prefetched.removeAll { $0 == row }
    landing.removeAll { $0 == row }
    // If the row comes back, it appears again.
    appeared.removeAll { $0 == row }
    addBlankTime()
    return discard(row)
  }

  private mutating func discard(_ row: Int) -> [Decision] {
    let evicted: [Decision] = values[row] == nil ? [] : [.evict(row: row)]
    dropValue(row)
    failed.remove(row)
    setAside.remove(row)
    failures[row] = nil
    backoffs[row] = nil
    displayOrder[row] = nil
    displayedRowsBefore.remove(row)
    addBlankTime()
    blank[row] = nil
    return evicted + cancelled(row)
  }

  private mutating func removeAll() -> [Decision] {
    for cell in cells.keys { cells[cell]?.row = nil }
    prefetched = []
    landing = []
    setAside = []
    appeared = []
    displayedRowsBefore = []
    displayOrder = [:]
    return knownRows.flatMap { discard($0) }
  }

  mutating func cancelRun(_ row: Int) {
    guard let run = runs.removeValue(forKey: row) else { return }
    unseen.remove(row)
    if failures[row] != nil { failed.insert(row) }
    let time = Double(now - run.startedAt)
    if time > loadTime ?? 0 { recordLoadTime(time) }
    if let start = startOrder.last(where: { $0.row == row }) {
      lingering.append(Lingering(row: run.row, order: start.order))
    }
  }
}
