import RowOperationsTesting

@testable import RowOperations

/// The part of a driver's state that determines its future, without irrelevant differences.
///
/// Rows and cells have no numbers here. Rows are identified by all facts about them, sorted, and
/// cells by the rows that they show. Ranks count by their order, times by their distance from now.
package struct CanonicalState: Hashable {
  /// Two hashes of all facts; states count as equal if both are equal.
  private let first: Int
  private let second: Int

  package init(_ driver: EngineDriver, rows: Int, cells: Int) {
    let facts = CanonicalFacts(driver).all(rows: rows, cells: cells)
    first = facts.hashValue
    var hasher = Hasher()
    hasher.combine(facts.count)
    for fact in facts.reversed() { hasher.combine(fact) }
    second = hasher.finalize()
  }
}

private struct CanonicalFacts {
  private let driver: EngineDriver
  private let engine: TrackerEngine
  /// The position of each row in each of the orders.
  private var ranks: [RowID: [Int]] = [:]

  init(_ driver: EngineDriver) {
    self.driver = driver
    engine = driver.engine
    let rows = Array(engine.rows.ids)
    let displayed = rows.filter { engine.rows[$0].wasDisplayed }
    for row in rows {
      let state = engine.rows[row]
      ranks[row] = [
        rank(of: row, among: displayed, by: \.displayRank),
        rank(of: row, among: rows.filter { engine.rows[$0].isLanding }, by: \.landingRank),
        rank(of: row, among: rows.filter { engine.rows[$0].isAnnounced }, by: \.announcedRank),
        position(of: state.run, in: engine.runs.runs(in: .grace).map { $0 }),
        position(of: row, in: engine.kept.rows(in: .values)),
        position(of: row, in: engine.kept.rows(in: .failures)),
      ]
    }
  }

  private func rank(
    of row: RowID, among rows: [RowID], by rank: (RowState) -> UInt64
  ) -> Int {
    guard rows.contains(row) else { return -1 }
    return rows.count { rank(engine.rows[$0]) < rank(engine.rows[row]) }
  }

  private func position<Item: Equatable>(of item: Item, in items: some Sequence<Item>) -> Int {
    Array(items).firstIndex(of: item) ?? -1
  }

  func all(rows: Int, cells: Int) -> [Int] {
    let ofRows = (0..<rows).map { facts(ofRow: $0) }
    let order = ofRows.indices.sorted { ofRows[$0].lexicographicallyPrecedes(ofRows[$1]) }
    let ofCells = (0..<cells).map { facts(ofCell: $0, rows: order) }
    // Cells in hosts are identified by their numbers.
    let hasHosts = engine.cells.ids.contains { engine.cells[$0].host != .none }
    let cellOrder = hasHosts ? ofCells : ofCells.sorted { $0.lexicographicallyPrecedes($1) }
    let all: [Int] = order.flatMap { ofRows[$0] + [.min] } + cellOrder.flatMap(\.self)
    return all + ofGate + driver.names.facts
  }

  private func facts(ofCell cell: Int, rows: [Int]) -> [Int] {
    guard let id = driver.cellIDs[cell] else { return [-2, -1, 0, 1] }
    let state = engine.cells[id]
    let row = state.row.flatMap { row in rows.firstIndex { driver.rowIDs[$0] == row } }
    let removed = state.removedRow.flatMap { row in rows.firstIndex { driver.rowIDs[$0] == row } }
    let isCurrent = state.row.map {
      state.shows(engine.rows[$0].change)
    }
    var host = -1
    switch state.host {
    case .none: break
    case .gone: host = -2
    case .cell(let id): host = driver.cellIDs.first { $0.value == id }?.key ?? -3
    }
    let report: Int =
      switch state.report {
      case .none: 0
      case .displayed: 1
      case .ended: 2
      case .covered: 3
      case .inBackground: 4
      }
    let presence: Int =
      switch state.presence {
      case .away: 0
      case .covered: 1
      case .displayed: 2
      }
    return [
      row ?? -1, removed ?? -1, presence, state.wasDisplayed ? 1 : 0, isCurrent ?? true ? 1 : 0,
      host, host == -1 && report == 2 ? 0 : report, state.isLeaving ? 1 : 0,
      state.row != nil && state.isRowSeen(engine.serialOfLastTurn) ? 1 : 0,
      state.row.map { engine.rows[$0].showsNewerValue(than: state.shownChange) } ?? false ? 1 : 0,
    ]
  }

  private func facts(ofRow number: Int) -> [Int] {
    // The operations, the oldest first, and their coming ends.
    let runs = driver.runs.filter { $0.value.row == number }
      .sorted { $0.value.generation < $1.value.generation }
      .flatMap { run in
        let arrival = driver.inbox.first { $0.run == run.key }
        let end = arrival.map { $0.isValue ? 10 : 100 } ?? 1
        let own = end * (driver.isCancelled(run.key) ? 2 : 1) + 1_000 * stepFacts(of: run.key)
        return [own] + batchFacts(of: run.key)
      }
    let origin: Int =
      switch driver.origin(number) {
      case .operation: 0
      case .cache: 1
      case .nowhere: 2
      }
    // With an order, rows are identified by their places.
    let identity = engine.windows.isEmpty && driver.names.facts.isEmpty ? 0 : number
    let cause = driver.cause(number)
    let odds = [origin, identity, cause.isRetryable ? 0 : 1, cause.isConnectivity ? 1 : 0]
    guard let id = driver.rowIDs[number] else { return [0] + odds + runs }
    let row = engine.rows[id]
    let flags = [
      row.wasDisplayed, row.isLanding, row.isPrefetched, row.needsEvaluation, row.failure != .none,
      row.run.map { engine.runs[$0].isPrefetch } ?? false, row.isChanged, row.hasArrived,
      row.hasNewValue, row.hasShownValue,
      row.isReturning, engine.failures.backoffs.contains(id),
      row.run.map { engine.runs[$0].isOutdated } ?? false,
      row.isUnseenPrefetch, row.isAnnounced, engine.committedRows.contains(id),
      engine.leftOut.contains(id),
    ]
    var facts = [1] + odds + [Int(row.bindings), Int(row.displays), Int(row.removals)]
    facts += series(of: id) + [part(of: id)]
    facts += flags.map { $0 ? 1 : 0 }
    facts += [kind(of: row.work), kind(of: row.knowledge)]
    facts += [
      position(of: id, in: engine.claims.announced), row.isAnnounced ? claimAge(row) : -1,
      Int(row.windowRank),
      position(of: id, in: engine.appearedRows),
    ]
    // The lists that land on the row.
    facts += engine.gate.motions.map { motion in
      motion.landing.contains(id) ? 1 : 0
    }
    return facts + (ranks[id] ?? []) + times(of: row) + streamFacts(of: id, number) + runs
  }

  /// The stream of a row: its stage, its times as distances from now, and its news.
  private func streamFacts(of row: RowID, _ number: Int) -> [Int] {
    guard let state = engine.streams[row] else { return [0] }
    let stage: [Int] =
      switch state.stage {
      case .queued: [1]
      case .open: [2]
      case .paused(let end): [3, Int(end - driver.now)]
      case .suspended: [4]
      case .ended: [5]
      case .failed: [6]
      }
    let stream = driver.streams[number]
    let news = [stream?.hasElement, stream?.hasNews, stream?.end, state.hasElement].map {
      $0.map { $0 ? 1 : 0 } ?? -1
    }
    let interval = engine.settings.streams?.interval ?? 0
    let times = [
      state.due.map { Int(clamping: $0 - driver.now) } ?? -1,
      state.graceEnd.map { Int($0 - driver.now) } ?? -1, Int(state.openedAt - driver.now),
      interval > 0 && interval < .max ? Int(driver.now % interval) : 0,
    ]
    return [-1] + stage + news + times + [state.failures, state.owedLoad == nil ? 0 : 1]
  }

  /// The previews and progress of an operation, and whether the engine has yet to receive them.
  private func stepFacts(of run: RunID) -> Int {
    let posted: Int =
      switch driver.posted(by: run) {
      case let step? where step.value != nil: 2
      case .some: 1
      case nil: 0
      }
    let isRow = engine.runs.contains(run) && engine.runs[run].role != .batch
    let row = isRow ? engine.rows[engine.runs[run].row] : nil
    let taken: Int =
      switch row?.run == run ? row?.step : nil {
      case .none?, nil: 0
      case .progress: 1
      case .value: 2
      }
    return posted + 3 * taken + (driver.stepped.contains(run) ? 9 : 0)
  }

  /// The batch of a run, by its rank among all, and what the run is to it.
  private func batchFacts(of run: RunID) -> [Int] {
    guard engine.runs.contains(run), engine.runs[run].isMember else { return [] }
    let batch = engine.load(of: run)
    let state = engine.runs[batch]
    let older = engine.runs.ids.count {
      engine.runs[$0].role == .batch && engine.runs[$0].generation < state.generation
    }
    let answer: Int =
      switch driver.answers[batch]?[run] {
      case nil: 0
      case .value: 1
      case .missing: 2
      case .failure: 3
      }
    let grace = state.graceEnd.map { Int($0 - driver.now) } ?? -1
    return [
      older, engine.runs[run].place, answer, driver.isCancelled(batch) ? 1 : 0, grace,
      stepFacts(of: batch), Int(state.startedAt - driver.now),
    ]
  }

  /// The part of a failed batch, by its rank among all parts.
  private func part(of row: RowID) -> Int {
    let parts = Set(engine.failures.series.values.map(\.part)).sorted()
    return parts.firstIndex(of: engine.failures.part(of: row)) ?? 0
  }

  private func series(of row: RowID) -> [Int] {
    guard let series = engine.failures.series[row] else { return [0, 0, 0, 0, 0] }
    var next = series
    next.beginAnew()
    next.add(series.cause, at: driver.now)
    let age = min(driver.now - series.lastFailure, engine.settings.restOfGivenUp)
    return [
      series.attempts, min(series.repeats, 4), min(next.repeats, 5), series.cause.kind,
      series.repeats < 3 ? 0 : Int(age),
    ]
  }

  /// How many rows have come on screen since a prefetch claim was made.
  private func claimAge(_ row: RowState) -> Int {
    Int(engine.claims.appearedCount &- row.prefetchedAfter)
  }

  private func times(of row: RowState) -> [Int] {
    let run = row.run.map { engine.runs[$0] }
    var due: Int64 = 0
    if case .backoff(let until) = row.work { due = until - driver.now }
    if let end = run?.graceEnd { due = end - driver.now }
    return [
      Int(due),
      run.map { Int($0.startedAt - driver.now) } ?? 0,
      row.wasDisplayed ? Int(row.displayedAt - driver.now) : 0,
    ]
  }

  private var ofGate: [Int] {
    var facts = [
      engine.isSuspended ? 1 : 0
    ]
    facts += [
      Int(driver.now - engine.lastTurn),
      engine.displayedRows,
    ]
    // A heal long ago does not matter.
    facts.append(
      engine.failures.lastHeal.map { max(Int($0 - driver.now), -2_000_000_000) } ?? -2_000_000_000)
    facts += [
      engine.failures.pendingHeal.list ? 1 : 0, engine.failures.pendingHeal.network ? 1 : 0,
    ]
    let oldest = engine.runs.ids.map { engine.runs[$0].startedAt }.min() ?? driver.now
    // A return matters while a load runs that began before it.
    for time in [engine.failures.lastResume, engine.failures.lastNetwork] {
      facts.append(time.map { $0 > oldest ? Int($0 - driver.now) : -1 } ?? -1)
    }
    facts += engine.gate.loadTimes.recent.map { Int($0) } + [.min]
    facts += [engine.isFiltering ? 1 : 0, engine.looksAgain ? 1 : 0]
    for window in engine.windows {
      facts += [
        window.key.list, window.shown.lowerBound, window.shown.upperBound,
        window.isForward ? 1 : 0, window.range.lowerBound, window.range.upperBound,
      ]
    }
    for motion in engine.gate.motions {
      facts += [.min, motion.list, Int(motion.lastMove - driver.now)]
      facts += motion.appearances.flatMap { [Int(driver.now - $0.time), $0.count] }
    }
    return facts
  }

  private func kind(of work: RowState.Work) -> Int {
    switch work {
    case .none: 0
    case .waiting: 1
    case .running: 2
    case .backoff: 3
    case .failed: 4
    case .givenUp: 5
    }
  }

  private func kind(of knowledge: RowState.Knowledge) -> Int {
    switch knowledge {
    case .unknown: 0
    case .value: 1
    case .staleValue: 2
    case .nothing: 3
    }
  }
}
