import Proofs
import RowOperations
import RowOperationsTesting
import Testing

@Suite("Random walks over the tracker's engine")
struct RandomWalkTests {
  static func violations(
    _ script: EventScript, _ variant: EngineVariant, nested: EventScript = EventScript()
  ) -> [Violation] {
    // With calls from inside, most loops pause, and the next turn continues.
    let driver = variant.driver(addedEffects: nested.steps.isEmpty ? 1_000 : 2)
    driver.nested = nested.steps[...]
    for step in script.steps {
      driver.apply(step)
      let found = driver.violations + EngineAudit.violationsWithinTurn(of: driver.engine)
      if !found.isEmpty { return found }
    }
    // The turns that are still requested, and one that has nothing to do.
    for _ in 0..<200 where driver.isTurnRequested { driver.apply(.passEnd) }
    if driver.isTurnRequested { return [Violation(.turnsEnd, "turns request each other for ever")] }
    driver.apply(.passEnd)
    driver.rest()
    return driver.violations
  }

  private func walk(
    _ variant: EngineVariant, withHosts: Bool = false, isNested: Bool = false
  ) {
    for seed in 0..<(withHosts ? WalkBudget.walks / 3 : WalkBudget.walks) {
      let script = EventScript.random(
        seed: seed, length: 200, rows: 6, cells: 4, withHosts: withHosts)
      let nested =
        isNested
        ? EventScript.random(seed: ~seed, length: 100, rows: 6, cells: 4, withHosts: withHosts)
        : EventScript()
      guard !Self.violations(script, variant, nested: nested).isEmpty else { continue }
      let short = script.shrunk { !Self.violations($0, variant, nested: nested).isEmpty }
      let shortNested = nested.shrunk { !Self.violations(short, variant, nested: $0).isEmpty }
      Issue.record(
        """
        seed \(seed): \(Self.violations(short, variant, nested: shortNested)) after \(short), \
        with \(shortNested) inside
        """)
      return
    }
  }

  @Test(
    "The invariants hold after every input and at the end of every turn",
    arguments: EngineVariant.all + EngineVariant.all.map(\.withOddRows))
  func invariants(variant: EngineVariant) { walk(variant) }

  @Test("The invariants hold with views in hosts", arguments: EngineVariant.all)
  func hosts(variant: EngineVariant) { walk(variant, withHosts: true) }

  @Test(
    "The invariants hold if the app's code calls between any two effects, turns included",
    arguments: EngineVariant.all.map(\.withOddRows))
  func nestedCalls(variant: EngineVariant) { walk(variant, withHosts: true, isNested: true) }
}
