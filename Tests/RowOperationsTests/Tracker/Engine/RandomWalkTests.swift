import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Random walks over the tracker's engine")
struct RandomWalkTests {
  static func violations(
    _ script: EventScript, _ variant: EngineVariant, nested: EventScript = EventScript(),
    rendersOffScreen: Bool = false
  ) -> [Violation] {
    // With calls from inside, most loops pause, and the next turn continues.
    let driver = variant.driver(addedEffects: nested.steps.isEmpty ? 1_000 : 2)
    driver.nested = nested.steps[...]
    driver.rendersOffScreen = rendersOffScreen
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

  private func walk(_ variant: EngineVariant, withHosts: Bool = false, isNested: Bool = false) {
    for seed in 0..<(withHosts ? WalkBudget.walks / 3 : WalkBudget.walks) {
      let script = EventScript.random(
        seed: seed, length: 200, rows: 6, cells: 4, withHosts: withHosts,
        withStreams: variant.hasStreams, withBatches: variant.hasBatches,
        withLongTimes: variant.waitsLong, withRenames: true)
      let nested =
        isNested
        ? EventScript.random(
          seed: ~seed, length: 100, rows: 6, cells: 4, withHosts: withHosts,
          withStreams: variant.hasStreams, withBatches: variant.hasBatches,
          withLongTimes: variant.waitsLong, withRenames: true)
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

  @Test("A walk finds a driver that renders cells off screen")
  func canFail() {
    let script = EventScript.random(seed: 1, length: 200, rows: 6, cells: 4)
    let found = Self.violations(script, EngineVariant("default"), rendersOffScreen: true)
    #expect(!found.isEmpty)
  }

  private static let variants = EngineVariant.all + EngineVariant.batches + EngineVariant.held

  @Test(
    "The invariants hold after every input and at the end of every turn",
    arguments: variants + variants.map(\.withOddRows))
  func invariants(variant: EngineVariant) { walk(variant) }

  @Test("The invariants hold with views in hosts", arguments: EngineVariant.all)
  func hosts(variant: EngineVariant) { walk(variant, withHosts: true) }

  @Test(
    "The invariants hold if the app's code calls between any two effects, turns included",
    arguments: variants.map(\.withOddRows))
  func nestedCalls(variant: EngineVariant) { walk(variant, withHosts: true, isNested: true) }

  /// A driver whose renders each make a call about cells, or none, and always the same.
  private static func drawCalls(seed: UInt64, for driver: EngineDriver) {
    let random = EventScript.random(seed: seed, length: 400, rows: 4, cells: 4, withHosts: true)
    let calls = random.steps.filter { step in
      switch step {
      case .cellFor, .viewFor, .willDisplay, .didEndDisplaying, .cover, .unbind, .reconcile,
        .remove, .removeAll, .passEnd:
        true
      default: false
      }
    }
    driver.callOfRender = { cell, row in
      let place = 5 * cell + (row ?? 4)
      return place % 3 == 0 || calls.isEmpty ? nil : calls[place % calls.count]
    }
  }

  static func violations(
    _ script: EventScript, _ variant: EngineVariant, callsOf seed: UInt64
  ) -> [Violation] {
    let driver = variant.driver
    drawCalls(seed: seed, for: driver)
    for step in script.steps {
      driver.apply(step)
      // A fault ends here, and not never.
      if driver.renders > 10_000 { return [Violation(.turnsEnd, "renders call each other")] }
      let found = driver.violations + EngineAudit.violationsWithinTurn(of: driver.engine)
      if !found.isEmpty { return found }
    }
    for _ in 0..<200 where driver.isTurnRequested { driver.apply(.passEnd) }
    if driver.isTurnRequested { return [Violation(.turnsEnd, "turns request each other for ever")] }
    return driver.violations
  }

  @Test(
    "The invariants hold, and turns end, if each render makes the same call about cells each time",
    arguments: EngineVariant.all.map(\.withOddRows))
  func callsOfRenders(variant: EngineVariant) {
    for seed in 0..<2 * WalkBudget.walks {
      let script = EventScript.random(
        seed: seed, length: 60, rows: 4, cells: 4, withHosts: true, withStreams: variant.hasStreams)
      guard !Self.violations(script, variant, callsOf: ~seed).isEmpty else { continue }
      let short = script.shrunk { !Self.violations($0, variant, callsOf: ~seed).isEmpty }
      let found = Self.violations(short, variant, callsOf: ~seed)
      Issue.record("seed \(seed): \(found) after \(short)")
      return
    }
  }

  @Test("A row that a render displays is rendered before onCommit names it")
  func displayedByRender() throws {
    for variant in EngineVariant.all.map(\.reporting) {
      let driver = variant.driver
      for step in try EventScript("c0(a) W0(a) c1(b) W1(b) | E1(b) v1 | v0").steps {
        driver.apply(step)
      }
      driver.nested = try EventScript("W1(b)").steps[...]
      for _ in 0..<3 { driver.apply(.passEnd) }
      #expect(driver.nested.isEmpty)
      #expect(driver.violations == [], "\(variant)")
    }
  }

  /// A walk in which an invariant was once broken, with the calls of the app's code inside it.
  struct FoundWalk: Sendable, CustomTestStringConvertible {
    let name: String
    let script: String
    let nested: String
    var variants = EngineVariant.all.map(\.withOddRows)
    var testDescription: String { name }
  }

  static let found = [
    FoundWalk(
      name: "a list that comes to rest requests the turn that reads its rows ahead",
      script: """
        c4(b) ~* P[5,1] | h3(b,d) W1(c) W5(a) h5(a,c) h0(c,c) h3(a,a) h4(d,c) | h3(a,c) Z h(c,d)
        O[3,5,2,4,0,1] h(a,a) c3(a) h2(c,a) ~* F3 E5(c) | h(d,b) c2(a) h3(c,a) | h(a,c) h0(b,a)
        h5(a,b) z h(c,d)
        """,
      nested: """
        E0(b) E0(c) F4 N | c3(a) E4(d) +55ms | M D(c) +49ms +35ms h4(b,b) h5(a,b) U(d) y1 h4(b,b)
        P[3,1,0] | h3(d,a)
        """,
      variants: EngineVariant.all + EngineVariant.all.map(\.withOddRows)),
    FoundWalk(
      name: "a turn that leaves a start to the next one has forgotten no operation",
      script: """
        L[5,2,0] P[3,4,0] h1(a,d) | +95ms h(d,c) | | ![1,3,5] ![0…2,4] f0 U(c) c2(c) |
        L[0,3,4,1] E5(d) h0(d,c) | p1 c1(a) v3 F3 h0(b,a) U(b) U(d) ![3] |
        Q2@0[1,5,4,2,5,1,0,1] h(d,c) -* E4(a) z | h3(c,b) -* h1(b,a) P[4,0,2,3] | |
        W5(d) h(d,c) c3(d) L1@[4,0,5,2] h1(b,a) h0(a,a) | c1(a) E3(d) h2(c,b) |
        B1 P[0,1,5,4] | -[4,3] | h5(d,a) -[2…5] h(a,b) P[2,4,1,3]
        """,
      nested: "| Z ![5] M1 F3 E4(d) U(b) c1(a) s3 V2@0…7[0…2] E3(b) S2 M2 | z B2 -[1…4]"),
    FoundWalk(
      name: "a list that turns around requests the turn that reads the rows behind it",
      script: """
        h1(d,a) h0(c,c) h(a,d) O[1,5…3,0,2] Z h(d,a) | h1(b,d) h(c,c) c0(a) D(a) c0(b) c3(d) |
        W4(b) E1(d)
        """,
      nested: "W3(c) | R(a,d) L[2] f1 z P[1,4,2,0] c4(a) h2(c,a) ![0,1] W2(a) m5 E0(c) +63ms",
      variants: EngineVariant.batches.map(\.withOddRows)),
    FoundWalk(
      name: "a row that leaves as its owed load is suspended counts as failed again",
      script: """
        h3(a,a) h2(c,b) h(d,d) h0(b,a) W2(a) | v2 p3 E3(b) | c2(c) e0 |
        q3 -[0,5,2] h0(a,c) c2(c) c2(b) W4(b) E4(c) h2(d,c) U(c) c0(d) h5(a,c) | E3(b) h2(c,d)
        """,
      nested: """
        x2 e3 R(a,b,d) ![3] W2(a) e1 D(c) F2 E1(c) X[5,0] e4 E3(a) W0(c) q3 ~* X[5,3,2,0] x2 h3(a,c)
        h5(b,a) f1 h1(b,c) W2(c) e1 e4 e1 F3 c4(a) Z C(d)
        """),
    FoundWalk(
      name: "a slot that becomes free among the renders is filled, and its row rendered",
      script: """
        h4(d,b) L[3] | c3(c) h0(a,d) F3 | h(b,a) ~* c0(b) -[4,1,3,0] h5(b,c) h5(d,c) P[3,0,4,1]
        h(a,c) | h(d,a) h4(d,d) s3 e0 -[5,1,4,0] L[0,3,1,4] x3 h3(b,b) |
        h3(c,d) P[2,5,4,0] h4(b,b) | h0(b,a) h3(a,a) U(a) h(b,d) h3(d,c) e0 h3(b,b) -[5,4,2,3]
        P[4,1] h(a,a) | L[2,0,5] h4(c,b) q0 h1(a,a) | -[4,1] h5(d,b) c0(a) h3(c,a)
        """,
      nested: """
        -[0] y0 e4 P[0] h5(c,a) M2 q1 B2 W2(c) q4 e2 !* E4(a) W2(b) W1(a) e0 W1(d) P[0,4,2] p0 h1(c,b)
        P[5,4] z f1 L2@[3,0,1] P[0,1,5,2] v5 F4 e4 F4 W4(c) L1@[0] V2@0…7[1…3] ![2,0,3,5]
        """),
  ]

  @Test("The invariants hold in walks in which they once did not", arguments: found)
  func foundBefore(walk: FoundWalk) throws {
    let (script, nested) = (try EventScript(walk.script), try EventScript(walk.nested))
    for variant in walk.variants {
      #expect(Self.violations(script, variant, nested: nested) == [], "\(variant)")
    }
  }
}
