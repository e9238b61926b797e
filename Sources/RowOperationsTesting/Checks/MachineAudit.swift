import RowOperations

/// Goes through a tracker's books when a turn has ended.
///
/// O(everything that the tracker knows).
package struct MachineAudit {
  private let machine: TrackerMachine
  private let ledger: SlotLedger
  private let now: Int64
  private var violations: [Violation] = []

  /// - Parameters:
  ///   - ledger: The slots as they are used, by this tracker alone.
  ///   - now: The time of the turn.
  package static func violations(
    in machine: TrackerMachine, ledger: SlotLedger, at now: Int64
  ) -> [Violation] {
    var audit = MachineAudit(machine: machine, ledger: ledger, now: now)
    audit.checkClaims()
    audit.checkDisplayedRows()
    audit.checkSlots()
    audit.checkWork()
    audit.checkOrder()
    audit.checkMemory()
    return audit.violations
  }

  /// What is to hold after each event, before the turn that ends the pass.
  package static func violationsWithinPass(of machine: TrackerMachine) -> [Violation] {
    var audit = MachineAudit(machine: machine, ledger: SlotLedger(count: 0), now: 0)
    audit.checkClaims()
    return audit.violations
  }

  private init(machine: TrackerMachine, ledger: SlotLedger, now: Int64) {
    self.machine = machine
    self.ledger = ledger
    self.now = now
  }

  private mutating func require(
    _ condition: Bool, _ invariant: Violation.Invariant, _ explanation: @autoclosure () -> String
  ) {
    if !condition { violations.append(Violation(invariant, explanation())) }
  }

  /// What rows and loads say of their claims agrees with the cells.
  private mutating func checkClaims() {
    var bindings: [RowID: Int32] = [:]
    var displays: [RowID: Int32] = [:]
    for id in machine.cells.ids {
      let cell = machine.cells[id]
      guard let row = cell.row else { continue }
      require(machine.rows.contains(row), .booksAgree, "cell \(id.index) is bound to no row")
      bindings[row, default: 0] += 1
      if cell.isDisplayed { displays[row, default: 0] += 1 }
    }
    var claims: [LoadID: (displays: Int32, landings: Int32, prefetches: Int32)] = [:]
    for id in machine.rows.ids {
      let row = machine.rows[id]
      require(row.bindings == bindings[id] ?? 0, .booksAgree, "row \(id.index) miscounts its cells")
      require(
        row.displays == displays[id] ?? 0, .booksAgree, "row \(id.index) miscounts its displays")
      var claim = claims[row.load] ?? (0, 0, 0)
      claim.displays += row.displays
      claim.landings += row.isLanding ? 1 : 0
      claim.prefetches += row.isPrefetched ? 1 : 0
      claims[row.load] = claim
    }
    for id in machine.loads.ids {
      let load = machine.loads[id]
      let (displays, landings, prefetches) = claims[id] ?? (0, 0, 0)
      let agrees =
        load.displays == displays && load.landings == landings && load.prefetches == prefetches
      require(agrees, .booksAgree, "load \(id.index) miscounts its rows' claims")
    }
  }

  private mutating func checkDisplayedRows() {
    let displayedRows = machine.rows.ids.filter { machine.rows[$0].displays > 0 }.count
    require(machine.displayedRows == displayedRows, .booksAgree, "displayed rows are miscounted")
    for id in machine.loads.ids where machine.loads[id].displays > 0 {
      let load = machine.loads[id]
      let isLookedAfter = load.phase != .idle || load.knowledge == .nothing
      require(isLookedAfter, .nothingForgotten, "load \(id.index) is displayed and forgotten")
      require(
        load.knowledge != .staleValue || load.work != .none || load.hasFailed, .newestShown,
        "load \(id.index) shows an old value and no newer one is on its way")
    }
  }

  private mutating func checkSlots() {
    let running = machine.loads.ids.filter { machine.loads[$0].work == .running }.count
    require(running == machine.runningLoads, .booksAgree, "running loads are miscounted")
    let slots = ledger.count
    require(running <= slots, .slotsUsed, "\(running) loads run in \(slots) slots")
    let prefetching = machine.loads.ids.filter { id in
      guard machine.loads[id].work == .running, case .prefetched = machine.loads[id].place else {
        return false
      }
      return true
    }.count
    require(
      prefetching == machine.runningPrefetches, .booksAgree, "running prefetches are miscounted")
    var probe = machine
    guard let next = probe.nextLoad(mayPrefetch: ledger.mayPrefetch, at: now) else { return }
    require(!ledger.hasFree, .slotsUsed, "load \(next.index) waits while a slot is idle")
    let hasGrace = machine.loads.ids.contains {
      machine.loads[$0].work == .running && !machine.loads[$0].isClaimed
    }
    let couldYield = hasGrace && ledger.wouldGainByCancelling
    require(
      !couldYield, .slotsUsed,
      "load \(next.index) waits for a slot that an unclaimed load holds")
    require(
      !ledger.isFullOfPrefetches || !ledger.wouldGainByCancelling, .slotsUsed,
      "load \(next.index) waits while prefetched ones have all slots")
  }

  private mutating func checkWork() {
    for id in machine.loads.ids {
      let load = machine.loads[id]
      switch load.work {
      case .running:
        require(
          load.isClaimed || load.deadline > now, .noUnclaimedWork,
          "load \(id.index) runs, unclaimed, after its grace")
      case .waiting, .backoff:
        require(load.isClaimed, .noUnclaimedWork, "load \(id.index) waits, unclaimed")
      case .none:
        require(
          !load.isClaimed || !load.wantsLoad, .nothingForgotten,
          "load \(id.index) is claimed and wanted, and nothing is done")
      }
    }
  }

  private mutating func checkOrder() {
    for newestFirst in [true, false] {
      let order = machine.order.ids(newestPassFirst: newestFirst)
      let keys = order.compactMap { machine.loads[$0].place }.map { key($0, newestFirst) }
      let isSorted = zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 }
      require(isSorted, .priorityOrder, "\(order.map(\.index)) is not the order of claims")
      let waiting = machine.loads.ids.filter { machine.loads[$0].work == .waiting }
      require(Set(order) == Set(waiting), .booksAgree, "the order does not hold who waits")
      require(order.count == keys.count, .priorityOrder, "somebody without a claim waits")
      let places = order.map { machine.order.place(of: $0) }
      require(
        places == order.map { machine.loads[$0].place }, .priorityOrder,
        "somebody waits in the wrong place")
    }
  }

  private func key(_ place: WaitingOrder.Place, _ newestFirst: Bool) -> SortKey {
    switch place {
    case .landing(let rank): SortKey(kind: 0, pass: 0, rank: rank)
    case .displayed(let pass, let rank):
      SortKey(kind: 1, pass: newestFirst ? UInt64.max - pass : pass, rank: rank)
    case .prefetched(let rank): SortKey(kind: 2, pass: 0, rank: rank)
    }
  }

  private struct SortKey: Comparable {
    let kind: Int
    let pass: UInt64
    let rank: UInt64

    static func < (a: SortKey, b: SortKey) -> Bool {
      (a.kind, a.pass, a.rank) < (b.kind, b.pass, b.rank)
    }
  }

  private mutating func checkMemory() {
    let values = machine.loads.ids.filter { machine.loads[$0].hasValue }.count
    require(values == machine.keptValues, .booksAgree, "kept values are miscounted")
    for id in machine.loads.ids {
      let load = machine.loads[id]
      let isBound = machine.rows(of: id).contains { machine.rows[$0].bindings > 0 }
      let isUsed =
        load.isClaimed || load.hasValue || load.hasFailed || load.work != .none || isBound
      require(isUsed, .nothingLeft, "load \(id.index) is kept for nothing")
    }
    if let limit = machine.settings.valueLimit, values > limit {
      let claimed = machine.loads.ids.filter { machine.loads[$0].hasValue }
        .allSatisfy { machine.loads[$0].isClaimed }
      require(claimed, .nothingLeft, "\(values) values are kept, \(limit) are allowed")
    }
    for id in machine.rows.ids {
      let row = machine.rows[id]
      require(machine.loads.contains(row.load), .booksAgree, "row \(id.index) has no load")
      guard machine.settings.sharesLoads else { continue }
      require(
        row.bindings > 0 || row.isClaimed, .nothingLeft, "row \(id.index) is kept for nothing")
    }
  }
}
