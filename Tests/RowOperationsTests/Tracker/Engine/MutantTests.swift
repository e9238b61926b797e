// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Proofs
import RowOperations
import RowOperationsTesting
import Testing

@Suite("Deliberate faults")
struct MutantTests {
  typealias Fault = MutantDriver.Fault

  /// Faults of hosts, which the naive model does not cover.
  static let hostFaults: Set<Fault> = [.viewsOutliveTheirHosts, .recycledHostsKeepTheirViews]

  /// Faults of batches.
  static let batchFaults: Set<Fault> = [
    .goneRowsTakeAnswers, .missingRowsAreFilledIn, .failuresOfBatchesAreValues,
  ]

  private static func variant(for fault: Fault) -> EngineVariant {
    batchFaults.contains(fault)
      ? EngineVariant("batches of three") { $0.batchSize = 3 } : EngineVariant("default")
  }

  /// The findings of the checks when a script is played with a fault.
  static func findings(
    _ script: EventScript, _ fault: Fault, _ variant: EngineVariant
  ) -> [String] {
    let mutant = MutantDriver(fault, variant)
    guard hostFaults.contains(fault) else {
      return NaiveTrackerTests.complaints(script, mutant, variant)
    }
    for step in script.steps {
      mutant.apply(step)
      if !mutant.violations.isEmpty { return mutant.violations.map(\.description) }
    }
    return []
  }

  @Test("Random walks detect each fault", arguments: Fault.allCases)
  func isFound(fault: Fault) {
    let variant = Self.variant(for: fault)
    let found = (0..<100 as Range<UInt64>).contains { seed in
      let script = EventScript.random(
        seed: seed, length: 200, rows: 6, cells: 4, withHosts: Self.hostFaults.contains(fault),
        withBatches: Self.batchFaults.contains(fault))
      return !Self.findings(script, fault, variant).isEmpty
    }
    #expect(found)
  }

  /// Each fault with its shortest script and a part of its finding.
  static let stories: [(Fault, String, String)] = [
    (.endsByIndexPath, "c3(a) W3(a) c4(b) W4(b) | E4(a) | +150ms |", "cancelled 4 for nothing"),
    (.cancelPrefetchKillsVisibleLoad, "c2(a) W2(a) P[2] | X[2] |", "decided"),
    (.noGenerationCompare, "c2(a) W2(a) | v2 | F2 |", "newestShown"),
    (.cancelsAtOnce, "c0(a) W0(a) | E0(a) W0(a) |", "decided"),
    (.leavingCellEndsTheLoad, "c0(a) W0(a) c0(b) W0(b) | E0(a) | +150ms |", "for nothing"),
    (.gateStaysShut, "B c0(a) W0(a) | +150ms |", "waits though a slot is free"),
    (.deadCellIsInherited, "c0(a) W0(a) | D(a) | +150ms |", "after its grace"),
    (.rendersWithoutSerial, "c0(a) W0(a) | c1(a) |", "newestShown"),
    (.generationsRestart, "c0(a) W0(a) | -* c0(a) |", "endsOnce"),
    (.prefetchLeavesSlotsIdle, "P[0,1] |", "1 waits though a slot is free"),
    (.promotionRestarts, "P[0] | c0(a) W0(a) |", "decided"),
    (.worksOffTheOldestFirst, "cW[0…3] |", "though [0] is next"),
    (.lingeringLoadsAreFree, "cW[0,1] | -* cW[0,1] | -* cW[0,1] | -* cW[0,1] |", "without a slot"),
    (.neverCancels, "c0(a) W0(a) | E0(a) | +200ms |", "after its grace"),
    (.failuresStick, "c0(a) W0(a) | f0 | E0(a) | W0(a) |", "the phase of row 0"),
    (.removedRowsStay, "c0(a) W0(a) | -[0] |", "decided"),
    (.viewsOutliveTheirHosts, "c0(a) W0(a) h1(b,a) | E0(a) |", "viewsFollowHosts"),
    (.recycledHostsKeepTheirViews, "c0(a) W0(a) h1(b,a) | c2(a) |", "rightRow"),
    (.offScreenCellsAreRendered, "c0(a) W0(a) | E0(a) | |", "off screen"),
    (.retriesForEver, "c2(a) W2(a) | f2 | E2(a) |", "the phase of row 2"),
    (.stepsOutliveTheirLoads, "c0(a) W0(a) | s0 | F0 |", "before its end"),
    (.networkComesBackUnheard, "c1(a) W1(a) | f1 | N |", "waits though a slot is free"),
    (.coveredRowsLoad, "c0(a) W0(a) C(a) |", "started 0 though [] is next"),
    (.coversEndDisplays, "c0(a) W0(a) | C(a) | +150ms |", "cancelled 0 for nothing"),
    (.goneRowsTakeAnswers, "cW[0,1] | v0 | F0 |", "newestShown"),
    (.missingRowsAreFilledIn, "cW[0,1] | F0 |", "the phase of row 1"),
    (.failuresOfBatchesAreValues, "cW[0,1] | f0 |", "the phase of row"),
    (.listsMoveTogether, "L2@[0] S1 |", "0 waits though a slot is free"),
  ]

  @Test("The shortest script of each fault leads to its finding", arguments: stories)
  func isNamed(fault: Fault, story: String, finding: String) throws {
    var variant = Self.variant(for: fault)
    if fault == .gateStaysShut {
      variant = EngineVariant("when settled") { $0.scrollPolicy = .whenSettled }
    }
    let script = try EventScript(story)
    let findings = Self.findings(script, fault, variant)
    #expect(findings.contains { $0.contains(finding) }, "found \(findings)")
  }

  @Test("Without the fault the same scripts lead to no finding", arguments: stories)
  func isClean(fault: Fault, story: String, finding: String) throws {
    let variant = Self.variant(for: fault)
    let script = try EventScript(story)
    if !Self.hostFaults.contains(fault) {
      #expect(NaiveTrackerTests.complaints(script, variant) == [])
    }
    #expect(RandomWalkTests.violations(script, variant) == [])
  }
}
