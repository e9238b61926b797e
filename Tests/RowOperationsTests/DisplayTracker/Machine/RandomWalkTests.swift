import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Random walks over the tracker's machine")
struct RandomWalkTests {
  static func violations(_ script: EventScript, _ variant: MachineVariant) -> [Violation] {
    var driver = variant.driver
    for step in script.steps {
      driver.apply(step)
      let found = driver.violations + MachineAudit.violationsWithinPass(of: driver.machine)
      if !found.isEmpty { return found }
    }
    return []
  }

  @Test(
    "The invariants hold after every event and at the end of every turn",
    arguments: MachineVariant.all + MachineVariant.all.map(\.withOddRows))
  func invariants(variant: MachineVariant) {
    for seed in 0..<WalkBudget.walks {
      let script = EventScript.random(seed: seed, length: 200, rows: 6, cells: 4)
      if !Self.violations(script, variant).isEmpty {
        let short = script.shrunk { !Self.violations($0, variant).isEmpty }
        Issue.record("seed \(seed): \(Self.violations(short, variant)) after \(short)")
        return
      }
    }
  }
}
