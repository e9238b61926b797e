import RowOperationsTesting

@testable import RowOperations

/// All of a driver's state that decides how it goes on, with whatever does not matter left out.
///
/// Rows and cells have no numbers here: rows are known by all that is true of them, sorted, and cells
/// by the row that they show. Ranks count by their order, times by how far they are away.
struct CanonicalState: Hashable {
  /// Two hashes of everything: what is equal in both is taken for equal.
  private let first: Int
  private let second: Int

  init(_ driver: MachineDriver, rows: Int, cells: Int) {
    let facts = CanonicalFacts(driver).all(rows: rows, cells: cells)
    first = facts.hashValue
    var hasher = Hasher()
    hasher.combine(facts.count)
    for fact in facts.reversed() { hasher.combine(fact) }
    second = hasher.finalize()
  }
}

private struct CanonicalFacts {
  private let driver: MachineDriver
  private let machine: TrackerMachine
  private let isAdaptive: Bool
  /// Where each load stands in each of the orders, by load.
  private var places: [LoadID: [Int]] = [:]

  init(_ driver: MachineDriver) {
    self.driver = driver
    machine = driver.machine
    isAdaptive = machine.settings.scrollPolicy == .adaptive
    let loads = Array(machine.loads.ids)
    let displayed = loads.filter { machine.loads[$0].wasDisplayed }
    let passes = Set(displayed.map { machine.loads[$0].displayPass }).sorted()
    for load in loads {
      let state = machine.loads[load]
      places[load] = [
        state.wasDisplayed ? passes.firstIndex(of: state.displayPass) ?? 0 : -1,
        rank(of: load, among: displayed, by: \.displayRank),
        rank(of: load, among: loads.filter { machine.loads[$0].landings > 0 }, by: \.landingRank),
        rank(
          of: load, among: loads.filter { machine.loads[$0].prefetches > 0 }, by: \.prefetchRank),
        position(of: load, in: machine.running.elements(in: TrackerMachine.RunList.grace)),
        position(of: load, in: machine.memory.elements(in: TrackerMachine.MemoryList.values)),
        position(of: load, in: machine.memory.elements(in: TrackerMachine.MemoryList.failures)),
      ]
    }
  }

  private func rank(
    of load: LoadID, among loads: [LoadID], by rank: (LoadState) -> UInt64
  ) -> Int {
    guard loads.contains(load) else { return -1 }
    return loads.count { rank(machine.loads[$0]) < rank(machine.loads[load]) }
  }

  private func position<Item: Equatable>(of item: Item, in items: some Sequence<Item>) -> Int {
    Array(items).firstIndex(of: item) ?? -1
  }

  func all(rows: Int, cells: Int) -> [Int] {
    let ofRows = (0..<rows).map { facts(ofRow: $0) }
    let order = ofRows.indices.sorted { ofRows[$0].lexicographicallyPrecedes(ofRows[$1]) }
    let ofCells = (0..<cells).map { facts(ofCell: $0, rows: order) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return order.flatMap { ofRows[$0] + [.min] } + ofCells.flatMap(\.self) + ofGate
  }

  private func facts(ofCell cell: Int, rows: [Int]) -> [Int] {
    guard let id = driver.cellIDs[cell] else { return [-2, 0, 1] }
    let row = machine.cells[id].row.flatMap { row in
      rows.firstIndex { driver.rowIDs[$0] == row }
    }
    let shown = driver.shown[cell]
    let isCurrent =
      shown.map { $0.phase == driver.phase(of: $0.row) && $0.value == driver.value(of: $0.row) }
      ?? true
    return [row ?? -1, machine.cells[id].isDisplayed ? 1 : 0, isCurrent ? 1 : 0]
  }

  private func facts(ofRow number: Int) -> [Int] {
    // Its operations, the oldest first, and how they are going to end.
    let runs = driver.runs.filter { $0.value.row == number }.sorted { $0.key < $1.key }
      .map {
        ($0.value.isAbandoned ? 2 : 1) * (driver.pendingArrivals[$0.key].map { $0 ? 10 : 100 } ?? 1)
      }
    let origin: Int =
      switch driver.origin(number) {
      case .operation: 0
      case .cache: 1
      case .nowhere: 2
      }
    guard let id = driver.rowIDs[number] else { return [0, origin] + runs }
    let row = machine.rows[id]
    let load = machine.loads[row.load]
    let flags = [
      row.wasDisplayed, row.isLanding, row.isPrefetched, row.isTouched, load.hasFailed,
      load.wasDisplayed, load.isTouched, load.usesPrefetchShare,
      driver.changed.contains(row.load), machine.backoffs.contains(row.load),
    ]
    var facts = [1, origin, Int(row.bindings), Int(row.displays), Int(load.failures)]
    facts += flags.map { $0 ? 1 : 0 }
    facts += [
      load.work.hashValueForTests, load.knowledge.hashValueForTests,
      load.toldPhase.hashValueForTests,
    ]
    facts += [
      position(of: id, in: machine.prefetchedRows.elements(in: 0)),
      machine.appearedRows.firstIndex(of: id) ?? -1,
    ]
    return facts + (places[row.load] ?? []) + times(of: load) + runs
  }

  private func times(of load: LoadState) -> [Int] {
    let isInGrace = load.work == .running && !load.isClaimed
    let countsStart = isAdaptive || machine.settings.timeout != nil
    return [
      isInGrace || load.work == .backoff ? Int(load.deadline - driver.now) : 0,
      countsStart && load.work == .running ? Int(load.startedAt - driver.now) : 0,
      isAdaptive && load.wasDisplayed ? Int(load.displayedAt - driver.now) : 0,
    ]
  }

  private var ofGate: [Int] {
    var facts = [
      machine.isSuspended ? 1 : 0, machine.gate.isMoving ? 1 : 0,
      machine.gate.quietDeadline.map { Int($0 - driver.now) } ?? -1,
    ]
    if isAdaptive {
      facts += [
        machine.gate.nextJudgement.map { Int($0 - driver.now) } ?? -1,
        Int(machine.gate.loadTime ?? -1), machine.displayedRows,
      ]
      let counted = machine.gate.appearances.filter { $0.time > driver.now - ScrollGate.window }
      facts += counted.flatMap { [Int(driver.now - $0.time), $0.count] }
    }
    return facts
  }
}

extension LoadState.Work {
  fileprivate var hashValueForTests: Int {
    switch self {
    case .none: 0
    case .waiting: 1
    case .running: 2
    case .backoff: 3
    }
  }
}

extension LoadState.Knowledge {
  fileprivate var hashValueForTests: Int {
    switch self {
    case .unknown: 0
    case .value: 1
    case .staleValue: 2
    case .nothing: 3
    }
  }
}

extension LoadPhase {
  fileprivate var hashValueForTests: Int {
    switch self {
    case .idle: 0
    case .waiting: 1
    case .loading: 2
    case .loaded: 3
    case .failed: 4
    }
  }
}
