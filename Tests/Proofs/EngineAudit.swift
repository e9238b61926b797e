import RowOperationsTesting

@testable import RowOperations

/// Checks the state of a tracker at the end of a turn, in O(its rows and cells).
package struct EngineAudit {
  private var engine: TrackerEngine
  private let ledger: SlotLedger
  private let now: Int64
  private var violations: [Violation] = []

  package static func violations(
    in engine: TrackerEngine, ledger: SlotLedger, at now: Int64
  ) -> [Violation] {
    var audit = EngineAudit(engine: engine, ledger: ledger, now: now)
    audit.checkClaims()
    audit.checkWaitingCells()
    audit.checkHosts()
    audit.checkWindows()
    audit.checkDisplayedRows()
    audit.checkSlots()
    audit.checkWork()
    audit.checkStreams()
    audit.checkLandings()
    audit.checkOrder()
    audit.checkMemory()
    return audit.violations + engine.violationsOnScreen { "\($0.index)" }
  }

  /// Checks what holds after each input, before the turn evaluates it.
  package static func violationsWithinTurn(of engine: TrackerEngine) -> [Violation] {
    var audit = EngineAudit(engine: engine, ledger: SlotLedger(count: 0), now: 0)
    audit.checkClaims()
    audit.checkWaitingCells()
    audit.checkHosts()
    return audit.violations
  }

  private init(engine: TrackerEngine, ledger: SlotLedger, now: Int64) {
    self.engine = engine
    self.ledger = ledger
    self.now = now
  }

  private mutating func require(
    _ condition: Bool, _ invariant: Violation.Invariant, _ explanation: @autoclosure () -> String
  ) {
    if !condition { violations.append(Violation(invariant, explanation())) }
  }

  // MARK: Cells and claims

  private mutating func checkClaims() {
    var bindings: [RowID: Int32] = [:]
    var displays: [RowID: Int32] = [:]
    var covers: [RowID: Int32] = [:]
    var removals: [RowID: Int32] = [:]
    for id in engine.cells.ids {
      let cell = engine.cells[id]
      if let row = cell.removedRow {
        require(cell.row == nil, .stateAgrees, "cell \(id.index) has two rows")
        removals[row, default: 0] += 1
      }
      guard let row = cell.row else { continue }
      require(engine.rows.contains(row), .stateAgrees, "cell \(id.index) is bound to no row")
      bindings[row, default: 0] += 1
      if cell.isDisplayed { displays[row, default: 0] += 1 }
      if cell.presence == .covered { covers[row, default: 0] += 1 }
    }
    for id in engine.rows.ids {
      let row = engine.rows[id]
      require(
        row.bindings == bindings[id] ?? 0, .stateAgrees, "row \(id.index) miscounts its cells")
      let agrees =
        row.displays == displays[id] ?? 0 && row.covers == covers[id] ?? 0
        && row.removals == removals[id] ?? 0
      require(agrees, .stateAgrees, "row \(id.index) miscounts its cells on screen")
    }
  }

  private mutating func checkWaitingCells() {
    let waiting = engine.cellsToBindAnew
    let agree = waiting.allSatisfy {
      engine.cells.contains($0) && engine.cells[$0].isDisplayed
        && engine.cells[$0].removedRow != nil
    }
    require(
      agree && Set(waiting).count == waiting.count, .stateAgrees,
      "a cell waits for no row, or is listed twice")
  }

  private mutating func checkHosts() {
    for id in engine.cells.ids {
      let cell = engine.cells[id]
      switch cell.host {
      case .none:
        require(
          cell.presence == presence(cell.report, otherwise: .away), .viewsFollowHosts,
          "cell \(id.index) is displayed though its list does not say so, or the reverse")
      case .gone:
        require(
          cell.presence == .away, .viewsFollowHosts, "view \(id.index) outlives its host on screen")
      case .cell(let host):
        require(engine.cells.contains(host), .stateAgrees, "view \(id.index) is in no cell")
        let highest = min(
          engine.cells[host].presence, presence(cell.report, otherwise: .displayed))
        require(
          cell.presence == highest, .viewsFollowHosts,
          "view \(id.index) does not follow cell \(host.index)")
      }
    }
  }

  private func presence(
    _ report: CellState.Report, otherwise: CellState.Presence
  ) -> CellState.Presence {
    switch report {
    case .none: otherwise
    case .displayed: .displayed
    case .covered, .inBackground: .covered
    case .ended: .away
    }
  }

  private mutating func checkWindows() {
    var places: [RowID: Int32] = [:]
    for window in engine.windows {
      require(window.isSettled, .stateAgrees, "a window is between two states of its data")
      for position in window.range {
        for row in window[position].rows { places[row, default: 0] += 1 }
      }
    }
    for id in engine.rows.ids {
      let row = engine.rows[id]
      require(row.places == places[id] ?? 0, .stateAgrees, "row \(id.index) miscounts its places")
    }
    let known = places.keys.allSatisfy { engine.rows.contains($0) }
    require(known, .stateAgrees, "a window holds a forgotten row")
    let expected = Set(engine.rows.ids.filter { engine.rows[$0].isExpected })
    require(
      expected == Set(engine.claims.expected), .stateAgrees, "windows claim other rows than listed")
    let prefetched = engine.rows.ids.filter { engine.rows[$0].isPrefetched }
    let limit = engine.settings.prefetchWindow.limit
    require(prefetched.count <= limit, .stateAgrees, "more than \(limit) rows are prefetched")
  }

  private mutating func checkDisplayedRows() {
    let displayedRows = engine.rows.ids.filter { engine.rows[$0].displays > 0 }.count
    require(engine.displayedRows == displayedRows, .stateAgrees, "displayed rows are miscounted")
    let blankRows = engine.rows.ids.filter { row in
      engine.rows[row].displays > 0 && engine.rows[row].knowledge == .unknown
        && engine.rows[row].step != .value
    }.count
    require(engine.blankRows == blankRows, .stateAgrees, "blank rows are miscounted")
  }

  // MARK: Slots and work

  private mutating func checkSlots() {
    let running = engine.rows.ids.filter { engine.rows[$0].run != nil }
    for id in running {
      guard let run = engine.rows[id].run else { continue }
      let isItsOwn = engine.runs.contains(run) && engine.runs[run].row == id
      require(isItsOwn, .oneLoadPerRow, "row \(id.index) runs as another one")
    }
    let loads = Set(running.compactMap { engine.rows[$0].run }.map(engine.load))
    require(loads.count == engine.runningLoads, .stateAgrees, "running loads are miscounted")
    let slots = ledger.count
    require(loads.count <= slots, .slotsUsed, "\(loads.count) loads run in \(slots) slots")
    let lanes = engine.lanes.loads
    require(loads.isSuperset(of: lanes.keys), .stateAgrees, "an ended load is in a lane")
    if let limit = engine.settings.laneLimit {
      let largest = Dictionary(grouping: lanes.values) { $0 }.values.map(\.count).max() ?? 0
      require(largest <= limit, .slotsUsed, "\(largest) loads of a lane run")
    }
    let prefetching = loads.filter { strongestClaim(of: $0) == .prefetched }
    require(
      prefetching.count == engine.runs.prefetching, .stateAgrees,
      "running prefetches are miscounted")
    checkBatches()
    guard let (next, urgency, _) = engine.nextLoad(at: now) else { return }
    require(!ledger.hasFree, .slotsUsed, "row \(next.index) waits while a slot is idle")
    guard urgency > .zero, ledger.wouldGainByCancelling else { return }
    require(
      loads.allSatisfy { engine.rows(of: $0).contains { engine.rows[$0].isClaimed } }, .slotsUsed,
      "row \(next.index) waits for a slot that an unclaimed load holds")
    require(
      !engine.hasPrefetchToYield(to: urgency, at: now), .slotsUsed,
      "row \(next.index) waits for the slot of a prefetch that loses less")
  }

  private func strongestClaim(of load: RunID) -> ClaimKind? {
    engine.rows(of: load).compactMap { engine.rows[$0].claim?.kind }.min()
  }

  private mutating func checkBatches() {
    let batches = engine.runs.ids.filter { engine.runs[$0].role == .batch }
    for batch in batches where !engine.runs[batch].isLingering {
      let members = engine.currentMembers(of: batch)
      require(!members.isEmpty, .noUnclaimedWork, "a batch goes on without rows")
      require(
        engine.runs.members(of: batch).count <= max(engine.settings.batchSize, 1), .stateAgrees,
        "a batch has too many rows")
      for run in members {
        let row = engine.runs[run].row
        require(
          engine.rows[row].run == run && engine.load(of: run) == batch, .oneLoadPerRow,
          "row \(row.index) is in a batch that does not load it")
      }
      let isKept = members.contains { engine.rows[engine.runs[$0].row].isClaimed }
      require(
        (engine.runs[batch].graceEnd == nil) == isKept
          && engine.runs[batch].claim == strongestClaim(of: batch) ?? .prefetched,
        .stateAgrees, "a batch misjudges its claim")
    }
  }

  private mutating func checkWork() {
    for id in engine.rows.ids {
      let row = engine.rows[id]
      switch row.work {
      case .running(let run, _):
        let load = engine.load(of: run)
        let isInGrace = engine.runs[load].graceEnd.map { $0 > now } ?? false
        let isKept = engine.rows(of: load).contains { engine.rows[$0].isClaimed }
        require(
          isKept || isInGrace, .noUnclaimedWork,
          "row \(id.index) runs, unclaimed, after its grace")
      case .waiting:
        require(row.claim != nil, .noUnclaimedWork, "row \(id.index) waits, unclaimed")
      case .backoff:
        require(row.isClaimed, .noUnclaimedWork, "row \(id.index) waits, unclaimed")
      case .none:
        require(
          row.claim == nil || !row.wantsLoad, .nothingForgotten,
          "row \(id.index) has a claim and no value, and does not wait or run")
      case .failed, .givenUp:
        break
      }
    }
    checkFailures()
  }

  private mutating func checkStreams() {
    let streams = engine.streams
    guard let settings = engine.settings.streams else {
      return require(streams.isEmpty, .stateAgrees, "a row listens without streams")
    }
    require(streams.open <= max(settings.limit, 0), .slotsUsed, "\(streams.open) streams are open")
    for id in streams.rows {
      guard let state = streams[id], engine.rows.contains(id) else {
        require(false, .nothingLeft, "forgotten row \(id.index) listens")
        continue
      }
      let row = engine.rows[id]
      require(row.listening != .none, .stateAgrees, "row \(id.index) does not know that it listens")
      let isInGrace = state.stage == .open && state.graceEnd.map { $0 > now } == true
      require(
        row.displays > 0 || isInGrace, .noUnclaimedWork,
        "row \(id.index) listens off screen, after its grace")
      require(state.end == nil, .stateAgrees, "the end of row \(id.index)'s stream is forgotten")
      if let due = state.due {
        require(due > now, .newestShown, "an element of row \(id.index) is late")
      }
      switch state.stage {
      case .open, .paused, .queued:
        require(!engine.isSuspended, .noUnclaimedWork, "row \(id.index) listens while suspended")
      case .suspended:
        require(engine.isSuspended, .nothingForgotten, "row \(id.index) is not resumed")
      case .ended, .failed: break
      }
      if state.stage == .queued {
        require(
          streams.open >= settings.limit || engine.holdsStream(of: id, at: now), .slotsUsed,
          "row \(id.index) waits while a stream is free")
      }
    }
    for id in engine.rows.ids where streams[id] == nil {
      let row = engine.rows[id]
      require(row.listening == .none, .stateAgrees, "row \(id.index) believes that it listens")
      let listens = row.displays > 0 && row.knowledge == .value && row.work == .none
      require(!listens, .nothingForgotten, "row \(id.index) has a value and does not listen")
    }
    for id in engine.rows.ids {
      let row = engine.rows[id]
      let isLoaded = row.knowledge == .value && row.work == .none
      let showsFailure = row.listening == .paused || row.listening == .failed
      require(
        !isLoaded || showsFailure || row.failure == .none, .newestShown,
        "row \(id.index) shows an old failure beside its value")
    }
  }

  private mutating func checkFailures() {
    for (id, series) in engine.failures.series {
      guard engine.rows.contains(id) else {
        require(false, .nothingLeft, "failures of forgotten row \(id.index) are kept")
        continue
      }
      require(
        engine.rows[id].work != .none || engine.rows[id].listening == .owed, .stateAgrees,
        "row \(id.index) has failed \(series.repeats) times and does not count as failed")
    }
    for id in engine.rows.ids {
      let row = engine.rows[id]
      require(
        row.failure == .none || row.work != .none || row.listening != .none, .newestShown,
        "row \(id.index) shows an old failure, and neither fails nor loads")
      let hasFailed = row.work == .failed || row.work == .givenUp
      require(
        !hasFailed || engine.failures.series[id] != nil, .stateAgrees,
        "row \(id.index) counts as failed and has not")
    }
  }

  private mutating func checkLandings() {
    let landings = Set(engine.gate.motions.flatMap(\.landing))
    let landing = Set(engine.rows.ids.filter { engine.rows[$0].isLanding })
    require(landings == landing, .stateAgrees, "lists land on other rows than those that know it")
  }

  private mutating func checkOrder() {
    let order = engine.waitingByPriority
    let waiting = engine.rows.ids.filter { engine.rows[$0].work == .waiting }
    require(Set(order) == Set(waiting), .stateAgrees, "the order lacks a waiting row")
    guard !engine.gate.isMoving else { return }
    let keys = order.compactMap { engine.rows[$0].claim }
    let isSorted = zip(keys, keys.dropFirst()).allSatisfy { !$1.goesBefore($0) }
    require(isSorted, .priorityOrder, "\(order.map(\.index)) is not the order of claims")
    require(order.count == keys.count, .priorityOrder, "a row without a claim waits")
  }

  // MARK: Memory

  private mutating func checkMemory() {
    let values = engine.rows.ids.filter { engine.rows[$0].hasValue }.count
    require(values == engine.kept.count, .stateAgrees, "kept values are miscounted")
    for id in engine.rows.ids {
      let row = engine.rows[id]
      let isUsed =
        row.isClaimed || row.knowledge != .unknown || row.work != .none || row.bindings > 0
        || row.places > 0 || row.listening != .none || row.removals > 0
      require(isUsed, .nothingLeft, "row \(id.index) is kept without use")
    }
    let hosts = Set(engine.cells.ids.map { engine.cells[$0].host })
    for id in engine.cells.ids {
      let cell = engine.cells[id]
      let isOnScreen = [.displayed, .covered, .inBackground].contains(cell.report)
      let isInHost = cell.host != .none && cell.host != .gone
      require(
        cell.row != nil || cell.removedRow != nil || isOnScreen || isInHost
          || hosts.contains(.cell(id)), .nothingLeft,
        "cell \(id.index) is kept without use")
    }
    if let limit = engine.settings.valueLimit, values > limit {
      let unclaimed = engine.rows.ids.filter {
        engine.rows[$0].hasValue && !engine.rows[$0].isClaimed
      }
      require(
        unclaimed.isEmpty, .nothingLeft, "\(values) values are kept, \(limit) are allowed")
    }
  }
}

extension DisplayTracker {
  /// Checks all records of the tracker after a turn, for a tracker that shares its slots with none.
  package func audit() -> [Violation] { core.audit(EngineAudit.violations) }
}
