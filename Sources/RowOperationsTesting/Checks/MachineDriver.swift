import RowOperations

/// A tracker's machine with a shell that has no threads, closures or values: steps go in, loads end
/// when they are told to, and after each turn the books are gone through.
///
/// Rows and cells have the numbers of an ``EventScript``. It is a value, so that a search can go on
/// from any point.
package struct MachineDriver {
  /// An operation that was started and has not come to its end.
  package struct Run: Hashable, Sendable {
    package let row: Int
    let load: LoadID
    package var isAbandoned = false
    var isTimedOut = false
  }

  /// What the machine has decided.
  package enum Decision: Hashable, Sendable {
    case start(row: Int)
    case cancel(row: Int)
    /// The operation was cancelled as well.
    case timeOut(row: Int)
    /// A value is no longer kept.
    case evict(row: Int)
  }

  /// Where a row's value comes from.
  package enum Origin: Hashable, Sendable {
    case operation
    /// The app's own cache has it.
    case cache
    /// There is nothing to load for the row.
    case nowhere
  }

  /// What a cell was last told.
  package struct Shown: Hashable, Sendable {
    package let row: Int
    package let phase: LoadPhase
    /// The generation of the value, if it shows one.
    package let value: UInt64?
  }

  package internal(set) var machine: TrackerMachine
  package let slots: Int
  package private(set) var now: Int64 = 0
  package internal(set) var runs: [UInt64: Run] = [:]
  package internal(set) var shown: [Int: Shown] = [:]
  package internal(set) var violations: [Violation] = []
  /// All decisions since they were last taken, in order.
  package var decisions: [Decision] = []

  private let resource: (@Sendable (Int) -> Int)?
  package let origin: @Sendable (Int) -> Origin
  package internal(set) var rowIDs: [Int: RowID] = [:]
  private var rowNumbers: [RowID: Int] = [:]
  private var loadsOfResources: [Int: LoadID] = [:]
  package internal(set) var cellIDs: [Int: CellID] = [:]
  private var cellNumbers: [CellID: Int] = [:]
  var inbox: [(generation: UInt64, isValue: Bool)] = []
  /// Which value each load has, and what each value was loaded for.
  private var values: [LoadID: UInt64] = [:]
  private var rowsOfValues: [UInt64: Int] = [:]
  /// Loads whose cells the next turn renders.
  package internal(set) var changed: [LoadID] = []
  private var localEdits: UInt64 = 0

  /// - Parameters:
  ///   - resource: Which rows share a load; `nil` if none do.
  ///   - origin: Where a row's value comes from.
  package init(
    settings: TrackerMachine.Settings = .init(), slots: Int,
    resource: (@Sendable (Int) -> Int)? = nil,
    origin: @escaping @Sendable (Int) -> Origin = { _ in .operation }
  ) {
    var settings = settings
    settings.sharesLoads = resource != nil
    machine = TrackerMachine(settings: settings)
    self.slots = slots
    self.resource = resource
    self.origin = origin
  }

  package var ledger: SlotLedger {
    SlotLedger(
      count: slots, running: machine.runningLoads, prefetching: machine.runningPrefetches,
      abandoned: runs.values.filter(\.isAbandoned).count)
  }

  package func phase(of row: Int) -> LoadPhase {
    knownLoad(row).map { machine.phase(of: $0) } ?? .idle
  }

  /// The generation of the value that a row has.
  package func value(of row: Int) -> UInt64? {
    rowIDs[row].flatMap { values[machine.rows[$0].load] }
  }

  // MARK: Steps

  package mutating func apply(_ step: EventScript.Step) {
    switch step {
    case .cellFor(let row, let cell): bind(cell, to: row)
    case .willDisplay(_, let cell): machine.cellDisplayed(knownCell(cell))
    case .didEndDisplaying(_, let cell): end(cell)
    case .unbind(let cell): unbind(cell)
    case .deallocate(let cell): vanish(cell)
    case .reconcile(let cells): reconcile(cells)
    case .prefetch(let rows):
      machine.prefetched(rows.prefix(machine.settings.prefetchLimit).map { intern($0) })
    case .cancelPrefetch(let rows):
      for row in rows { if let id = rowIDs[row] { machine.prefetchCancelled(id) } }
    case .scrollWillBegin: machine.scrollBegan(at: now)
    case .scrollDidMove: machine.scrollMoved(at: now)
    case .scrollWillEnd(let rows):
      machine.scrollWillEnd(landingOn: rows.map { intern($0) }, at: now)
    case .scrollDidSettle: machine.scrollSettled()
    case .suspend: machine.suspended()
    case .resume: machine.resumed()
    case .finish(let row): endLoad(of: row, withValue: true)
    case .fail(let row): endLoad(of: row, withValue: false)
    case .setValue(let row): setValue(of: row)
    case .retry(let row): if let load = knownLoad(row) { machine.retried(load) }
    case .invalidate(let rows):
      for row in rows { if let load = knownLoad(row) { machine.invalidated(load, at: now) } }
    case .remove(let rows): for row in rows { remove(row) }
    case .invalidateAll:
      for load in Array(machine.loads.ids) { machine.invalidated(load, at: now) }
    case .removeAll: removeAll()
    case .removeCachedValues: machine.evictAll()
    case .passEnd: endPass()
    case .time(let time): now += time.nanoseconds
    }
    carryOut()
  }

  mutating func endLoad(of row: Int, withValue isValue: Bool) {
    let pending = runs.filter { run in
      run.value.row == row && !inbox.contains { $0.generation == run.key }
    }
    if let oldest = pending.keys.min() { end(oldest, withValue: isValue) }
  }

  /// An operation comes to its end; it counts in the next turn.
  package mutating func end(_ generation: UInt64, withValue isValue: Bool) {
    guard runs[generation] != nil, !inbox.contains(where: { $0.generation == generation }) else {
      return
    }
    inbox.append((generation, isValue))
  }

  /// The operations that have ended since the last turn, and whether with a value.
  package var pendingArrivals: [UInt64: Bool] {
    Dictionary(uniqueKeysWithValues: inbox.map { ($0.generation, $0.isValue) })
  }

  /// A turn of the main queue.
  package mutating func endPass() {
    commit()
    machine.passEnded(at: now)
    carryOut()
    admit()
    renderChanges()
    audit()
  }

  mutating func audit() {
    violations += MachineAudit.violations(in: machine, ledger: ledger, at: now)
    checkEnds()
  }

  // MARK: Cells

  mutating func knownCell(_ cell: Int) -> CellID {
    if let id = cellIDs[cell] { return id }
    let id = machine.cellAppeared()
    cellIDs[cell] = id
    cellNumbers[id] = cell
    return id
  }

  mutating func bind(_ cell: Int, to row: Int) {
    let rowID = intern(row)
    lookUp(row)
    let id = knownCell(cell)
    machine.cellBound(id, to: rowID)
    render(id)
  }

  mutating func end(_ cell: Int) {
    guard let id = cellIDs[cell] else { return }
    machine.cellEnded(id)
    forgetIfUnused(id, cell)
  }

  mutating func unbind(_ cell: Int) {
    guard let id = cellIDs[cell] else { return }
    machine.cellUnbound(id)
    shown[cell] = nil
    forgetIfUnused(id, cell)
  }

  mutating func forgetIfUnused(_ id: CellID, _ cell: Int) {
    guard machine.cells[id].row == nil, !machine.cells[id].isDisplayed else { return }
    vanish(cell)
  }

  mutating func vanish(_ cell: Int) {
    guard let id = cellIDs.removeValue(forKey: cell) else { return }
    machine.cellVanished(id)
    cellNumbers[id] = nil
    shown[cell] = nil
  }

  mutating func reconcile(_ displayed: [Int]) {
    for cell in displayed { machine.cellDisplayed(knownCell(cell)) }
    for cell in cellIDs.keys.sorted() where !displayed.contains(cell) { end(cell) }
  }

  // MARK: Rows

  mutating func intern(_ row: Int) -> RowID {
    if let id = rowIDs[row] { return id }
    let key = resource?(row)
    let id = machine.rowAppeared(sharing: key.flatMap { loadsOfResources[$0] })
    rowIDs[row] = id
    rowNumbers[id] = row
    if let key { loadsOfResources[key] = machine.rows[id].load }
    return id
  }

  private func knownLoad(_ row: Int) -> LoadID? {
    rowIDs[row].map { machine.rows[$0].load } ?? resource.flatMap { loadsOfResources[$0(row)] }
  }

  /// Asks the app's cache for a row whose value is not there.
  private mutating func lookUp(_ row: Int) {
    guard origin(row) == .cache, let load = knownLoad(row),
      machine.loads[load].knowledge == .unknown, machine.loads[load].work != .running
    else { return }
    setValue(of: row)
  }

  mutating func setValue(of row: Int) {
    let id = intern(row)
    let load = machine.rows[id].load
    machine.valueFound(for: load, cost: 1, at: now)
    localEdits += 1
    keep(UInt64.max - localEdits, for: load, row: row)
  }

  mutating func keep(_ value: UInt64, for load: LoadID, row: Int) {
    values[load] = value
    rowsOfValues[value] = row
  }

  mutating func remove(_ row: Int) {
    if let id = rowIDs[row] {
      machine.removed(id, at: now)
    } else if let load = knownLoad(row) {
      machine.discardIfUnused(load, at: now)
    }
    carryOut()
  }

  mutating func removeAll() {
    for row in rowIDs.keys.sorted() { remove(row) }
    for load in Array(machine.loads.ids) { machine.discardIfUnused(load, at: now) }
  }

  // MARK: What the machine has decided

  mutating func carryOut() {
    let effects = machine.effects
    machine.effectsCarriedOut()
    for timeOut in effects.timedOut { runs[timeOut.generation]?.isTimedOut = true }
    for generation in effects.cancelled {
      guard let run = runs[generation] else { continue }
      runs[generation]?.isAbandoned = true
      decisions.append(run.isTimedOut ? .timeOut(row: run.row) : .cancel(row: run.row))
    }
    for load in effects.evicted {
      guard let value = values.removeValue(forKey: load), let row = rowsOfValues[value] else {
        continue
      }
      decisions.append(.evict(row: row))
    }
    changed += effects.changed
    for load in effects.forgottenLoads {
      values[load] = nil
      for (key, other) in loadsOfResources where other == load { loadsOfResources[key] = nil }
    }
    for id in effects.forgottenRows {
      guard let row = rowNumbers.removeValue(forKey: id) else { continue }
      if rowIDs[row] == id { rowIDs[row] = nil }
    }
  }

  mutating func commit() {
    let arrived = inbox
    inbox = []
    for (generation, isValue) in arrived {
      guard let run = runs.removeValue(forKey: generation) else { continue }
      guard !run.isAbandoned else {
        if run.isTimedOut { continue }
        if isValue { machine.staleValueRefused() } else { machine.cancelledLoadEnded(in: nil) }
        continue
      }
      let counts = machine.loadEnded(
        run.load, generation: generation, isValue ? .value(cost: 1) : .failure, at: now)
      if !counts {
        violations.append(Violation(.endsOnce, "load of row \(run.row) ended uncounted"))
      } else if isValue {
        keep(generation, for: run.load, row: run.row)
      }
    }
  }

  mutating func admit() {
    while let load = machine.nextLoad(mayPrefetch: ledger.mayPrefetch, at: now) {
      if !ledger.hasFree {
        guard ledger.wouldGainByCancelling,
          machine.yieldSlot(prefetchesYield: ledger.isFullOfPrefetches, at: now)
        else { return }
        carryOut()
        // What the cancelled load says of load times may hold the other one back now.
        continue
      }
      start(load)
    }
  }

  mutating func start(_ load: LoadID) {
    guard let leader = machine.leader(of: load), let row = rowNumbers[leader] else { return }
    defer { carryOut() }
    lookUp(row)
    guard machine.loads[load].work == .waiting else { return machine.judgeNow(load, at: now) }
    if runs.values.contains(where: { $0.load == load && !$0.isAbandoned }) {
      violations.append(Violation(.oneLoadPerResource, "row \(row) is loaded twice"))
    }
    let generation = machine.loadStarted(load, at: now)
    guard origin(row) != .nowhere else {
      return machine.nothingFound(for: load, generation: generation, at: now)
    }
    runs[generation] = Run(row: row, load: load)
    decisions.append(.start(row: row))
  }

  // MARK: What cells show

  mutating func renderChanges() {
    let loads = changed
    changed = []
    for load in loads where machine.loads.contains(load) {
      for cell in machine.cells(of: load) { render(cell) }
    }
  }

  mutating func render(_ id: CellID) {
    guard let cell = cellNumbers[id], let rowID = machine.cells[id].row,
      let row = rowNumbers[rowID]
    else { return }
    let load = machine.rows[rowID].load
    let value = values[load]
    if let value, let owner = rowsOfValues[value],
      (resource ?? { $0 })(owner) != (resource ?? { $0 })(row)
    {
      violations.append(Violation(.rightRow, "cell \(cell) shows \(owner) for row \(row)"))
    }
    shown[cell] = Shown(row: row, phase: machine.phase(of: load), value: value)
  }

  /// After a turn, each cell shows what its row has; and each start is accounted for.
  mutating func checkEnds() {
    for (cell, id) in cellIDs {
      guard let row = machine.cells[id].row.flatMap({ rowNumbers[$0] }) else { continue }
      let expected = Shown(row: row, phase: phase(of: row), value: value(of: row))
      if shown[cell] != expected {
        violations.append(
          Violation(
            .newestShown, "cell \(cell) shows \(String(describing: shown[cell])), not \(expected)"))
      }
    }
    let metrics = machine.metrics
    let ended =
      metrics.finished + metrics.failed + metrics.cancelledRunning + metrics.refusedStale
    let pending = runs.values.filter { !$0.isTimedOut }.count
    if metrics.started != ended + pending {
      violations.append(
        Violation(.endsOnce, "\(metrics.started) starts, \(ended) ends and \(pending) pending"))
    }
  }
}
