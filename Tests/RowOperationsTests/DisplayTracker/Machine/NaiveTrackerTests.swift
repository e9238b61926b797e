import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The machine against the rules written down naively")
struct NaiveTrackerTests {
  static func complaints(_ script: EventScript, _ variant: MachineVariant) -> [String] {
    var driver = variant.driver
    var naive = NaiveTracker(
      settings: driver.machine.settings, slots: driver.slots, key: variant.key)
    for step in script.steps {
      driver.decisions = []
      driver.apply(step)
      naive.apply(step, driver.decisions)
      if step == .passEnd {
        for row in 0..<6 where driver.phase(of: row) != naive.phase(of: row) {
          naive.complain("row \(row) is \(driver.phase(of: row)), not \(naive.phase(of: row))")
        }
      }
      if !naive.complaints.isEmpty { return naive.complaints }
    }
    return []
  }

  @Test("Every decision has a reason, and every reason a decision", arguments: MachineVariant.all)
  func decisions(variant: MachineVariant) {
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
