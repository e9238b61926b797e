import RowOperations

/// Checks the state of a tracker at the end of a turn.
///
/// O(the tracker's rows, cells and loads).
package struct EngineAudit {
  private let engine: TrackerEngine
  private let ledger: SlotLedger
  private let now: Int64
  private var violations: [Violation] = []

  /// - Parameters:
  ///   - ledger: The tracker's use of the slots.
  ///   - now: The time of the turn.
  package static func violations(
    in engine: TrackerEngine, ledger: SlotLedger, at now: Int64
  ) -> [Violation] {
    var audit = EngineAudit(engine: engine, ledger: ledger, now: now)
    audit.checkClaims()
    audit.checkHosts()
    audit.checkDisplayedRows()
    audit.checkSlots()
    audit.checkWork()
    audit.checkOrder()
    audit.checkMemory()
    return audit.violations
  }

  /// Checks the invariants that hold after each input, before the turn evaluates it.
  package static func violationsWithinTurn(of engine: TrackerEngine) -> [Violation] {
    var audit = EngineAudit(engine: engine, ledger: SlotLedger(count: 0), now: 0)
    audit.checkClaims()
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

  /// Checks that the claims of rows and loads agree with the cells.
  private mutating func checkClaims() {
    var bindings: [RowID: Int32] = [:]
    var displays: [RowID: Int32] = [:]
    var covers: [LoadID: Int32] = [:]
    for id in engine.cells.ids {
      let cell = engine.cells[id]
      guard let row = cell.row else { continue }
      require(engine.rows.contains(row), .booksAgree, "cell \(id.index) is bound to no row")
      bindings[row, default: 0] += 1
      if cell.isDisplayed { displays[row, default: 0] += 1 }
      if cell.presence == .covered { covers[engine.rows[row].load, default: 0] += 1 }
    }
    var claims: [LoadID: (displays: Int32, landings: Int32, prefetches: Int32)] = [:]
    for id in engine.rows.ids {
      let row = engine.rows[id]
      require(row.bindings == bindings[id] ?? 0, .booksAgree, "row \(id.index) miscounts its cells")
      require(
        row.displays == displays[id] ?? 0, .booksAgree, "row \(id.index) miscounts its displays")
      var claim = claims[row.load] ?? (0, 0, 0)
      claim.displays += row.displays
      claim.landings += row.isLanding ? 1 : 0
      claim.prefetches += row.isPrefetched ? 1 : 0
      claims[row.load] = claim
    }
    for id in engine.loads.ids {
      let load = engine.loads[id]
      let (displays, landings, prefetches) = claims[id] ?? (0, 0, 0)
      let agrees =
        load.displays == displays && load.landings == landings && load.prefetches == prefetches
        && load.covers == covers[id] ?? 0
      require(agrees, .booksAgree, "load \(id.index) miscounts its rows' claims")
    }
  }

  /// A view in hosts is displayed only while all its hosts are.
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
        require(engine.cells.contains(host), .booksAgree, "view \(id.index) is in no cell")
        let highest = min(
          engine.cells[host].presence, presence(cell.report, otherwise: .displayed))
        require(
          cell.presence == highest, .viewsFollowHosts,
          "view \(id.index) does not follow cell \(host.index)")
      }
    }
  }

  /// The presence that a cell's own report allows.
  private func presence(
    _ report: CellState.Report, otherwise: CellState.Presence
  ) -> CellState.Presence {
    switch report {
    case .none: otherwise
    case .displayed: .displayed
    case .covered: .covered
    case .ended: .away
    }
  }

  private mutating func checkDisplayedRows() {
    let displayedRows = engine.rows.ids.filter { engine.rows[$0].displays > 0 }.count
    require(engine.displayedRows == displayedRows, .booksAgree, "displayed rows are miscounted")
    let blankRows = engine.rows.ids.filter { row in
      engine.rows[row].displays > 0 && engine.loads[engine.rows[row].load].knowledge == .unknown
        && engine.loads[engine.rows[row].load].step != .value
    }.count
    require(engine.blankRows == blankRows, .booksAgree, "blank rows are miscounted")
    for id in engine.loads.ids where engine.loads[id].displays > 0 {
      let load = engine.loads[id]
      let isLookedAfter =
        load.work != .none || load.knowledge == .value || load.knowledge == .nothing
      require(isLookedAfter, .nothingForgotten, "load \(id.index) is displayed and forgotten")
      require(
        load.knowledge != .staleValue || load.work != .none, .newestShown,
        "load \(id.index) shows an old value and no newer one is on its way")
    }
  }

  // MARK: Slots and work

  private mutating func checkSlots() {
    let running = engine.loads.ids.filter { engine.loads[$0].run != nil }
    require(running.count == engine.runningLoads, .booksAgree, "running loads are miscounted")
    for id in running {
      guard let run = engine.loads[id].run else { continue }
      let isItsOwn = engine.runs.contains(run) && engine.runs[run].load == id
      require(isItsOwn, .oneLoadPerResource, "load \(id.index) runs as another one")
    }
    let slots = ledger.count
    require(running.count <= slots, .slotsUsed, "\(running.count) loads run in \(slots) slots")
    let prefetching = running.filter { engine.loads[$0].priority?.kind == .prefetched }
    require(
      prefetching.count == engine.runningPrefetches, .booksAgree,
      "running prefetches are miscounted")
    var probe = engine
    guard let (next, kind) = probe.nextLoad(mayPrefetch: ledger.mayPrefetch, at: now) else {
      return
    }
    require(!ledger.hasFree, .slotsUsed, "load \(next.index) waits while a slot is idle")
    let hasGrace = running.contains { !engine.loads[$0].isClaimed }
    let isOnlyPrefetched = kind == .prefetched
    let couldYield = hasGrace && !isOnlyPrefetched && ledger.wouldGainByCancelling
    require(
      !couldYield, .slotsUsed,
      "load \(next.index) waits for a slot that an unclaimed load holds")
    let hangs = running.contains { load in
      engine.loads[load].usesPrefetchShare
        && engine.loads[load].run.map { engine.runs[$0].isHung } ?? false
    }
    require(
      !hangs || isOnlyPrefetched || !ledger.wouldGainByCancelling, .slotsUsed,
      "load \(next.index) waits for a slot that a hung prefetch holds")
    require(
      !ledger.isFullOfPrefetches || !ledger.wouldGainByCancelling, .slotsUsed,
      "load \(next.index) waits while prefetched ones have all slots")
  }

  private mutating func checkWork() {
    for id in engine.loads.ids {
      let load = engine.loads[id]
      switch load.work {
      case .running(let run, _):
        let isInGrace = engine.runs[run].graceEnd.map { $0 > now } ?? false
        require(
          load.isClaimed || isInGrace, .noUnclaimedWork,
          "load \(id.index) runs, unclaimed, after its grace")
      case .waiting:
        require(load.priority != nil, .noUnclaimedWork, "load \(id.index) waits, unclaimed")
      case .backoff:
        require(load.isClaimed, .noUnclaimedWork, "load \(id.index) waits, unclaimed")
      case .none:
        require(
          load.priority == nil || !load.wantsLoad, .nothingForgotten,
          "load \(id.index) has a claim and no value, and does not wait or run")
      case .setAside:
        require(
          load.priority?.kind == .prefetched, .noUnclaimedWork,
          "load \(id.index) is set aside though it has another claim")
      case .failed, .givenUp:
        break
      }
    }
    checkFailures()
  }

  private mutating func checkFailures() {
    for (id, series) in engine.failures {
      guard engine.loads.contains(id) else {
        require(false, .nothingLeft, "failures of forgotten load \(id.index) are kept")
        continue
      }
      require(
        engine.loads[id].work != .none, .booksAgree,
        "load \(id.index) has failed \(series.repeats) times and does not count as failed")
    }
    for id in engine.loads.ids {
      let hasFailed = engine.loads[id].work == .failed || engine.loads[id].work == .givenUp
      require(
        !hasFailed || engine.failures[id] != nil, .booksAgree,
        "load \(id.index) counts as failed and has not")
    }
  }

  private mutating func checkOrder() {
    let order = engine.waitingByPriority
    let keys = order.compactMap { key($0) }
    let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
    require(isSorted, .priorityOrder, "\(order.map(\.index)) is not the order of claims")
    require(order.count == keys.count, .priorityOrder, "a load without a claim waits")
    let waiting = engine.loads.ids.filter { engine.loads[$0].work == .waiting }
    require(Set(order) == Set(waiting), .booksAgree, "the order lacks a waiting load")
  }

  /// The sort key of a load: the kind of its claim, its turn, its rank.
  private func key(_ load: LoadID) -> SortKey? {
    guard let priority = engine.loads[load].priority else { return nil }
    var pass: UInt64 = 0
    if priority.kind == .displayed, engine.gate.isMoving {
      pass = .max - engine.loads[load].displayPass
    }
    return SortKey(kind: priority.kind, pass: pass, rank: priority.rank)
  }

  private struct SortKey: Comparable {
    let kind: Priority.Kind
    let pass: UInt64
    let rank: UInt64

    static func < (a: SortKey, b: SortKey) -> Bool {
      (a.kind, a.pass, a.rank) < (b.kind, b.pass, b.rank)
    }
  }

  // MARK: Memory

  private mutating func checkMemory() {
    let values = engine.loads.ids.filter { engine.loads[$0].hasValue }.count
    require(values == engine.keptValues, .booksAgree, "kept values are miscounted")
    for id in engine.loads.ids {
      let load = engine.loads[id]
      let isBound = engine.rows(of: id).contains { engine.rows[$0].bindings > 0 }
      let isUsed =
        load.isClaimed || load.knowledge != .unknown || load.work != .none || isBound
      require(isUsed, .nothingLeft, "load \(id.index) is kept without use")
    }
    if let limit = engine.settings.valueLimit, values > limit {
      let unclaimed = engine.loads.ids.filter {
        engine.loads[$0].hasValue && !engine.loads[$0].isClaimed
      }
      // Prefetched values may wait for their display.
      let mayWait = limit == 0 ? engine.settings.prefetchLimit : 0
      let isUnseen = unclaimed.allSatisfy { engine.loads[$0].isUnseenPrefetch }
      require(
        unclaimed.isEmpty || isUnseen && unclaimed.count <= mayWait, .nothingLeft,
        "\(values) values are kept, \(limit) are allowed")
    }
    for id in engine.rows.ids {
      let row = engine.rows[id]
      require(engine.loads.contains(row.load), .booksAgree, "row \(id.index) has no load")
      guard engine.settings.sharesLoads else { continue }
      require(
        row.bindings > 0 || row.isClaimed, .nothingLeft, "row \(id.index) is kept without use")
    }
  }
}
