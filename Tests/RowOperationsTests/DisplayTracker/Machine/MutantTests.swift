import Testing

@testable import RowOperations
@testable import RowOperationsTesting

/// A machine driven wrongly on purpose, as lists are driven all over the world.
struct MutantDriver {
  enum Fault: String, CaseIterable {
    case endsByIndexPath
    case cancelPrefetchKillsVisibleLoad
    case noGenerationCompare
    case cancelsAtOnce
    case leavingNeighbourEndsSharedLoad
    case gateStaysShut
    case deadCellIsInherited
    case rendersWithoutSerial
    case generationsRestart
    case prefetchFillsEverySlot
    case promotionRestarts
    case worksOffTheOldestFirst
    case abandonedLoadsAreFree
    case neverCancels
    case failuresStick
    case removedRowsStay
  }

  let fault: Fault
  var driver: MachineDriver
  /// Renders that were decided on and are carried out later.
  private var lateRenders: [(cell: Int, shown: MachineDriver.Shown)] = []

  init(_ fault: Fault, _ variant: MachineVariant) {
    self.fault = fault
    let driven = MachineVariant(variant.name, slots: variant.slots, sharing: variant.isSharing) {
      $0 = variant.settings
      if fault == .failuresStick { $0.retry = .never }
    }
    driver = driven.driver
  }

  mutating func apply(_ step: EventScript.Step) {
    switch (fault, step) {
    case (.endsByIndexPath, .didEndDisplaying(let row, _)):
      let shown = driver.shown.first { $0.value.row == row }
      driver.apply(.didEndDisplaying(row: row, cell: shown?.key ?? -1))
    case (.cancelPrefetchKillsVisibleLoad, .cancelPrefetch(let rows)):
      driver.apply(step)
      driver.apply(.invalidate(rows))
    case (.cancelsAtOnce, .didEndDisplaying(let row, let cell)):
      driver.apply(step)
      if let id = driver.rowIDs[row], driver.machine.rows[id].displays == 0,
        driver.cellIDs[cell] != nil
      {
        driver.apply(.invalidate([row]))
      }
    case (.leavingNeighbourEndsSharedLoad, .didEndDisplaying(_, let cell)):
      endAll(withLoadOf: cell)
    case (.gateStaysShut, .passEnd):
      if driver.machine.gate.isMoving { driver.machine.scrollMoved(at: driver.now) }
      driver.apply(step)
    case (.deadCellIsInherited, .deallocate):
      break
    case (.generationsRestart, .removeAll):
      driver.apply(step)
      driver.machine.lastSerial = 0
    case (.promotionRestarts, .willDisplay(_, let cell)):
      driver.apply(step)
      if let row = driver.shown[cell]?.row, driver.phase(of: row) == .loading {
        driver.apply(.invalidate([row]))
      }
    case (.neverCancels, .time(let time)):
      driver.apply(step)
      for id in driver.machine.loads.ids { driver.machine.loads[id].deadline += time.nanoseconds }
    case (.removedRowsStay, .remove):
      break
    case (_, .passEnd):
      endPass()
    default:
      driver.apply(step)
    }
    if fault == .rendersWithoutSerial, case .cellFor = step {
      for render in lateRenders where driver.shown[render.cell] != nil {
        driver.shown[render.cell] = render.shown
      }
      lateRenders = []
      driver.audit()
    }
  }

  private mutating func endAll(withLoadOf cell: Int) {
    guard let row = driver.shown[cell]?.row else { return }
    let neighbours = driver.shown.filter { $0.value.row / 2 == row / 2 }.keys
    for cell in neighbours { driver.apply(.didEndDisplaying(row: row, cell: cell)) }
  }

  private mutating func endPass() {
    if fault == .noGenerationCompare {
      for generation in driver.inbox.map(\.generation) { acceptAnyway(generation) }
    }
    driver.commit()
    driver.machine.passEnded(at: driver.now)
    driver.carryOut()
    admit()
    if fault == .rendersWithoutSerial {
      for load in driver.changed where driver.machine.loads.contains(load) {
        for cell in driver.machine.cells(of: load) { note(cell) }
      }
    }
    driver.renderChanges()
    driver.audit()
  }

  /// The value of a cancelled operation is taken for the row's all the same.
  private mutating func acceptAnyway(_ generation: UInt64) {
    guard let run = driver.runs[generation], run.isAbandoned, let id = driver.rowIDs[run.row]
    else { return }
    driver.keep(generation, for: driver.machine.rows[id].load, row: run.row)
  }

  private mutating func note(_ id: CellID) {
    guard let cell = driver.cellIDs.first(where: { $0.value == id })?.key,
      let row = driver.shown[cell]?.row
    else { return }
    let shown = MachineDriver.Shown(
      row: row, phase: driver.phase(of: row), value: driver.value(of: row))
    lateRenders.append((cell, shown))
  }

  private mutating func admit() {
    switch fault {
    case .prefetchFillsEverySlot:
      while driver.ledger.hasFree,
        let load = driver.machine.nextLoad(mayPrefetch: true, at: driver.now)
      { driver.start(load) }
    case .worksOffTheOldestFirst:
      while driver.ledger.hasFree, let load = driver.machine.order.ids(newestPassFirst: false).last
      { driver.start(load) }
    case .abandonedLoadsAreFree:
      while driver.machine.runningLoads < driver.slots,
        let load = driver.machine.nextLoad(mayPrefetch: driver.ledger.mayPrefetch, at: driver.now)
      { driver.start(load) }
      driver.admit()
    default:
      driver.admit()
    }
  }
}

@Suite("Deliberate faults are caught")
struct MutantTests {
  /// What the checks find when a script is played with a fault; empty if nothing is found.
  static func findings(
    _ script: EventScript, _ fault: MutantDriver.Fault, _ variant: MachineVariant
  ) -> [String] {
    var mutant = MutantDriver(fault, variant)
    var naive = NaiveTracker(settings: variant.settings, slots: variant.slots, key: variant.key)
    for step in script.steps {
      mutant.driver.decisions = []
      mutant.apply(step)
      naive.apply(step, mutant.driver.decisions)
      if step == .passEnd {
        for row in 0..<6 where mutant.driver.phase(of: row) != naive.phase(of: row) {
          naive.complain("the phase of row \(row) is wrong")
        }
      }
      let found = mutant.driver.violations.map(\.description) + naive.complaints
      if !found.isEmpty { return found }
    }
    return []
  }

  @Test("Each fault is found by random walks", arguments: MutantDriver.Fault.allCases)
  func isFound(fault: MutantDriver.Fault) {
    let variant = MachineVariant("shared loads", sharing: fault == .leavingNeighbourEndsSharedLoad)
    let found = (0..<100 as Range<UInt64>).contains { seed in
      let script = EventScript.random(seed: seed, length: 200, rows: 6, cells: 4)
      return !Self.findings(script, fault, variant).isEmpty
    }
    #expect(found)
  }

  /// The shortest stories of the known faults, and what is said about them.
  static let stories: [(MutantDriver.Fault, String, String)] = [
    (.endsByIndexPath, "c3(a) W3(a) c4(b) W4(b) | E4(a) | +150ms |", "cancelled 4 for nothing"),
    (.cancelPrefetchKillsVisibleLoad, "c2(a) W2(a) P[2] | X[2] |", "decided"),
    (.noGenerationCompare, "c2(a) W2(a) | v2 | F2 |", "newestShown"),
    (.cancelsAtOnce, "c0(a) W0(a) | E0(a) W0(a) |", "decided"),
    (.leavingNeighbourEndsSharedLoad, "c0(a) W0(a) c1(b) W1(b) | E0(a) | +150ms |", "for nothing"),
    (.gateStaysShut, "B c0(a) W0(a) | +150ms |", "waits though a slot is free"),
    (.deadCellIsInherited, "c0(a) W0(a) | D(a) | +150ms |", "after its grace"),
    (.rendersWithoutSerial, "c0(a) W0(a) | c1(a) |", "newestShown"),
    (.generationsRestart, "c0(a) W0(a) | -* c1(a) | F0 |", "endsOnce"),
    (.prefetchFillsEverySlot, "P[0,1] |", "started 1 though -1 is next"),
    (.promotionRestarts, "P[0] | c0(a) W0(a) |", "decided"),
    (.worksOffTheOldestFirst, "cW[0…3] |", "though 0 is next"),
    (.abandonedLoadsAreFree, "cW[0,1] | !* | !* | !* |", "without a slot"),
    (.neverCancels, "c0(a) W0(a) | E0(a) | +200ms |", "after its grace"),
    (.failuresStick, "c0(a) W0(a) | f0 | E0(a) | W0(a) |", "the phase of row 0"),
    (.removedRowsStay, "c0(a) W0(a) | -[0] |", "decided"),
  ]

  @Test("Each fault's shortest story is told by name", arguments: stories)
  func isNamed(fault: MutantDriver.Fault, story: String, finding: String) throws {
    var variant = MachineVariant("as told", sharing: fault == .leavingNeighbourEndsSharedLoad)
    if fault == .gateStaysShut {
      variant = MachineVariant("when settled") { $0.scrollPolicy = .whenSettled }
    }
    let script = try EventScript(story)
    let findings = Self.findings(script, fault, variant)
    #expect(findings.contains { $0.contains(finding) }, "found \(findings)")
  }

  @Test("Without a fault nothing is found in the same stories", arguments: stories)
  func isClean(fault: MutantDriver.Fault, story: String, finding: String) throws {
    let variant = MachineVariant("shared loads", sharing: fault == .leavingNeighbourEndsSharedLoad)
    let script = try EventScript(story)
    #expect(NaiveTrackerTests.complaints(script, variant) == [])
    #expect(RandomWalkTests.violations(script, variant) == [])
  }
}
