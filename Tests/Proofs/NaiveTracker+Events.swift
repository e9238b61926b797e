import RowOperationsTesting

@testable import RowOperations

extension NaiveTracker {
  /// - Parameters:
  ///   - decisions: The engine's immediate decisions.
  ///   - held: The windows of the engine after the step.
  ///   - claiming: The windows when they last claimed rows.
  package mutating func apply(
    _ step: EventScript.Step, _ decisions: [Decision], _ held: [NaiveWindow],
    claiming: [NaiveWindow]
  ) {
    var due: [Decision] = []
    let step = step.named(names)
    switch step {
    case .cellFor, .viewFor, .willDisplay, .didEndDisplaying, .cover, .background, .unbind,
      .deallocate:
      break
    case .reconcile(let numbers):
      // The cells come on screen one after the other.
      for cell in numbers {
        var moved = cells
        moved.apply(.willDisplay(row: nil, cell: cell))
        move(to: moved)
      }
    case .prefetch(let rows): prefetch(rows)
    case .cancelPrefetch(let rows): prefetched.removeAll { rows.contains($0) }
    case .setOrder(let rows):
      content[0] = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($0, [$1]) })
      changedLists.insert(0)
    case .listRows(let rows, let position, let list):
      for (index, row) in rows.enumerated() { setContent([row], at: position + index, of: list) }
    case .itemRows(let rows, let position, let list): setContent(rows, at: position, of: list)
    case .showPositions(let shown, let all, let section, let list):
      reported[OrderWindow.Key(list: list, section: section)] = shown.clamped(to: all)
      moveWindows(held, of: list)
    case .scrollWillBegin: move(0, landingOn: [])
    case .scrollDidMove: move(0)
    case .scrollWillEnd(let rows): move(0, landingOn: rows)
    case .scrollDidSettle: motions[0] = nil
    case .listScrollWillBegin(let list): move(list, landingOn: [])
    case .listScrollDidMove(let list): move(list)
    case .listScrollWillEnd(let rows, let list): move(list, landingOn: rows)
    case .listScrollDidSettle(let list): motions[list] = nil
    case .suspend:
      addBlankTime()
      isSuspended = true
      motions = [:]
      prefetched = []
      expected = [:]
      due = suspendStreams()
    case .resume:
      addBlankTime()
      isSuspended = false
      isBack = true
      lastResume = now
    case .networkDidReturn:
      hasNetworkBack = true
      lastNetwork = now
    case .show(let row) where isInBatch(row): break
    case .show(let row): if let oldest = oldest(row) { shownByRun[oldest] = true }
    case .report(let row):
      if let oldest = oldest(row), shownByRun[oldest] == nil { shownByRun[oldest] = false }
    case .finish(let row): arrive(row, isValue: true)
    case .fail(let row): arrive(row, isValue: false)
    case .element(let row): streamStep(row, end: nil)
    case .endStream(let row): streamStep(row, end: true)
    case .failStream(let row): streamStep(row, end: false)
    case .miss(let row): if isInBatch(row) { answer(row, .missing) }
    case .setValue(let row):
      due = setValue(row)
    case .retry(let row):
      retry(row)
    case .invalidate(let rows):
      due = rows.flatMap { invalidate($0) }
    case .remove(let rows): due = rows.flatMap { remove($0) }
    case .invalidateAll: due = knownRows.flatMap { invalidate($0) }
    case .removeAll: due = removeAll()
    case .rename(let old, let new): due = rename(old, to: new)
    case .removeCachedValues:
      let kept = displayedRows.union(cells.rowsInBackground).union(landing)
      for row in values.keys where !kept.contains(row) {
        endPrefetch(of: row)
        due += [.evict(row: row)] + forgetStream(row)
        values[row] = nil
      }
    case .time(let time): now += time.nanoseconds
    case .passEnd: return endPass(decisions, held, claiming)
    }
    var moved = cells
    moved.apply(step)
    moved.forgetUnused()
    move(to: moved)
    if Set(decisions.map(\.withoutPlace)) != Set(due) {
      complain("\(step): decided \(decisions), not \(due)")
    }
  }

  /// Notes the rows that come on screen.
  mutating func move(to hosts: HostModel) {
    let (before, displayed) = (cells, displayedRows)
    cells = hosts
    let shown = cells.rows(.displayed)
    appeared += shown.filter { !displayed.contains($0) }
    (displayedRows, coveredRows) = (Set(shown), Set(cells.rows(.covered)))
    returning.formUnion(cells.rowsUncovered(since: before).subtracting(displayed))
  }

  private mutating func prefetch(_ rows: [Int]) {
    guard !isSuspended else { return }
    for row in rows.prefix(settings.prefetchWindow.limit).reversed() {
      prefetched.removeAll { $0 == row }
      prefetched.append(row)
      prefetchedAfter[row] = appearedCount
      leftOut.remove(row)
    }
    // The claims of windows count at the end of the pass.
    endExcess(beside: [:])
  }

  private mutating func endPrefetch(of row: Int) {
    prefetched.removeAll { $0 == row }
    expected[row] = nil
    if isInWindow(row) { leftOut.insert(row) }
  }

  /// Moves a list, with a new landing or with the one that it has.
  private mutating func move(_ list: Int, landingOn rows: [Int]? = nil) {
    motions[list, default: Motion(lastMove: now)].lastMove = now
    guard let rows else { return }
    motions[list]?.landing = []
    guard !isSuspended else { return }
    for row in rows {
      if !landing.contains(row) { landingRank[row] = nextRank() }
      motions[list]?.landing.append(row)
    }
  }

  private mutating func endLanding(on isMeant: (Int) -> Bool) {
    for list in motions.keys { motions[list]?.landing.removeAll(where: isMeant) }
  }

  /// Ends the oldest running load of a row.
  private mutating func arrive(_ row: Int, isValue: Bool) {
    if isInBatch(row) { return answer(row, isValue ? .value : .failure) }
    if let oldest = oldest(row) { arrived.append((oldest, isValue)) }
  }

  /// The oldest running operation of a row.
  func oldest(_ row: Int) -> Int? {
    let pending = startOrder.filter { run in
      run.row == row && !arrived.contains { $0.order == run.order }
        && answers[run.order]?[row] == nil
    }
    return pending.first?.order
  }

  /// Takes a value that the app has set, or an element of a stream.
  mutating func setValue(_ row: Int) -> [Decision] {
    defer {
      values[row] = false
      valueArrives(row)
      lastUse[row] = pass
      failed.remove(row)
      failures[row] = nil
      refusals[row] = nil
      backoffs[row] = nil
    }
    return leave(row)
  }

  private mutating func retry(_ row: Int) {
    retryStream(row)
    guard failed.contains(row) || backoffs[row] != nil else { return }
    failed.remove(row)
    failures[row] = nil
    refusals[row] = nil
    backoffs[row] = nil
  }

  private mutating func invalidate(_ row: Int) -> [Decision] {
    runs[row]?.isOutdated = true
    if values[row] != nil { values[row] = true }
    failed.remove(row)
    failures[row] = nil
    refusals[row] = nil
    backoffs[row] = nil
    return forgetStream(row)
  }

  private mutating func remove(_ row: Int) -> [Decision] {
    endPrefetch(of: row)
    endLanding { $0 == row }
    returning.remove(row)
    seenWithValue.remove(row)
    addBlankTime()
    return discard(row)
  }

  mutating func discard(_ row: Int) -> [Decision] {
    let evicted: [Decision] = values[row] == nil ? [] : [.evict(row: row)]
    values[row] = nil
    failed.remove(row)
    failures[row] = nil
    refusals[row] = nil
    backoffs[row] = nil
    displayOrder[row] = nil
    displayedRowsBefore.remove(row)
    addBlankTime()
    blank[row] = nil
    return evicted + forgetStream(row) + leave(row)
  }

  private mutating func removeAll() -> [Decision] {
    let rows = knownRows.union(blank.keys)
    leftOut = Set(windows.flatMap { $0.rows.values.joined() })
    prefetched = []
    expected = [:]
    endLanding { _ in true }
    returning = []
    displayedRowsBefore = []
    displayOrder = [:]
    return rows.flatMap { discard($0) }
  }
}
