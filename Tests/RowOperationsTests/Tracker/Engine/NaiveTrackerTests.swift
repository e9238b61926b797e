import Proofs
import RowOperations
import RowOperationsTesting
import Testing

@Suite("The engine against a naive model")
struct NaiveTrackerTests {
  static func complaints(_ script: EventScript, _ variant: EngineVariant) -> [String] {
    complaints(script, variant.driver, variant)
  }

  /// The complaints of a naive tracker about the decisions of a driver.
  static func complaints(
    _ script: EventScript, _ driver: EngineDriver, _ variant: EngineVariant
  ) -> [String] {
    var naive = NaiveTracker(
      settings: variant.settings, slots: variant.slots, orderCount: variant.orderCount,
      cause: variant.cause)
    for step in script.steps {
      driver.decisions = []
      driver.apply(step)
      naive.apply(step, driver.decisions, driver.windows)
      if step == .passEnd {
        for row in 0..<6 where !driver.phase(of: row).isLike(naive.phase(of: row)) {
          naive.complain(
            "the phase of row \(row) is \(driver.phase(of: row)), not \(naive.phase(of: row))")
        }
        let metrics = driver.engine.counts(at: driver.now)
        if metrics.blankTime != naive.blankTime {
          naive.complain("blank for \(metrics.blankTime), not for \(naive.blankTime) ns")
        }
        if metrics.timeToFirstValue.count != naive.firstValueTimes.count {
          naive.complain(
            "\(metrics.timeToFirstValue.count) first values, not \(naive.firstValueTimes)")
        }
      }
      let found = driver.violations.map(\.description) + naive.complaints
      if !found.isEmpty { return found }
    }
    return []
  }

  @Test(
    "Every decision has a reason, and every reason leads to a decision",
    arguments: EngineVariant.all)
  func decisions(variant: EngineVariant) {
    for seed in 0..<WalkBudget.walks {
      let script = EventScript.random(seed: seed, length: 200, rows: 6, cells: 4)
      if !Self.complaints(script, variant).isEmpty {
        let short = script.shrunk { !Self.complaints($0, variant).isEmpty }
        Issue.record("seed \(seed): \(Self.complaints(short, variant)) after \(short)")
        return
      }
    }
  }
}

extension LoadPhase {
  /// Whether the phases are equal apart from the error of a waiting row.
  fileprivate func isLike(_ other: LoadPhase) -> Bool {
    if case .waiting = self, case .waiting = other { return true }
    return self == other
  }
}
