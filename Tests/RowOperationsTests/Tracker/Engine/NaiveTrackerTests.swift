import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

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
      startsPerSecond: variant.startsPerSecond,
      lane: variant.lane,
      cause: variant.cause)
    return naive.complaints(about: driver, playing: script)
  }

  @Test("The model finds an engine that retries no failed row")
  func canFail() throws {
    let driver = EngineVariant("never retried") { $0.retry = .never }.driver
    let script = try EventScript("c0(a) W0(a) | f0 | E0(a) | W0(a) |")
    let found = Self.complaints(script, driver, EngineVariant("default"))
    #expect(found.contains { $0.contains("the phase of row 0") })
  }

  @Test(
    "Every decision has a reason, and every reason leads to a decision",
    arguments: EngineVariant.all + EngineVariant.batches + EngineVariant.held)
  func decisions(variant: EngineVariant) {
    for seed in 0..<WalkBudget.walks {
      let script = EventScript.random(
        seed: seed, length: 200, rows: 6, cells: 4, withStreams: variant.hasStreams,
        withBatches: variant.hasBatches, withLongTimes: variant.waitsLong,
        withRenames: true)
      if !Self.complaints(script, variant).isEmpty {
        let short = script.shrunk { !Self.complaints($0, variant).isEmpty }
        Issue.record("seed \(seed): \(Self.complaints(short, variant)) after \(short)")
        return
      }
    }
  }

  /// Scripts that walks have found, most of which turn a list around.
  static let found = [
    "c4(b) C(b) W3(d) W4(b) -[4] v4 c4(d) |",
    "c2(c) c3(b) C(c) O[4,2,1,3] W3(b) | W5(c) -* c2(d) v2 W1(d) |",
    "O[3,4,1,5,2] Q1@0[3,5,4,2,1,3,5,3] M R(a,c,d) c5(d) | c4(d) | E4(d) c5(a) V1@0…7[3…5] |",
    "R(a,c,d) D(c) c5(d) | c0(a) c5(c) c4(d) M | W4(c) P[2,0,4,1] !* f0 E3(a) |",
    "W2(b) B O[5,4,0,2,3] c2(b) W2(a) c0(a) | |",
    "c2(b) L[4,5,3,1] R(b,d) | c1(c) W1(c) c0(d) |",
    "W4(c) O[2,4,0,5,1] L[0,5,2,4] c5(c) | c4(a) W4(a) c0(d) W1(d) |",
    "W5(b) O[3] c3(b) | D(b) c5(d) W0(d) O[0,5,1,3,2] B | |",
    "c1(a) W1(a) | c0(a) -* +63ms |",
    "P[1,4,5] | +119ms s1 +110ms c1(b) W1(b) |",
    "P[1] | F1 P[3…5] -[0,2,5,4] L[5,0,3,1] | L[1,0,2,4] F0 +53ms | B ~* c0(d) P[3,4,2] W3(d) |",
    // A row leaves the window and enters it again within one turn.
    "R(b,c) c1(b) | c5(b) c3(c) |",
    // A row gets a slot and gives it to another one before its operation is made.
    "c2(c) W3(a) W2(c) c5(d) W0(d) B O[4,1,0,3,2,5] | f5 c5(c) +22ms c3(a) |",
    // A prefetch that gives its slot had failed before.
    "W0(d) c3(d) | f3 N | P[5,3,1] c0(c) D(d) R(b,c,d) | !* R(b,d) F0 X[5] |",
    // A row that waits for another attempt is covered, and then prefetched.
    "c1(b) W1(d) c2(d) M W1(b) | f3 c3(d) | C(d) | P[3,2] f4 |",
    "L[0,2,1] P[0,3] | C(d) f3 W3(a) | c3(a) | c3(d) E2(a) | f1 P[2,3] |",
  ]

  /// Scripts with streams for which the engine was wrong.
  static let foundWithStreams = [
    "v5 W3(c) ![1,4,5] c5(c) | e5 |",
    "W2(a) c0(a) | !* F0 | e0 |",
    "c3(a) L[1,0] P[0,5,3] | f5 | W0(a) f3 | e3 |",
    "c3(c) W2(c) | f3 Z z +1ms |",
    "c0(d) W4(c) W0(d) | Z E2(d) z c4(c) | x4 +107ms | N |",
    "c1(b) W2(b) | x1 N | +107ms Z | e1 z |",
    "c1(a) W5(a) c3(c) W3(c) | e1 | v3 x3 |",
    "c1(a) W5(a) c3(c) W3(c) | e1 | v3 q3 |",
    "P[2,0,3] W3(a) c5(a) | e2 s5 |",
    "Q1@0[0,2,1,5,3,5,1,2] V1@0…7[0] | e2 c3(c) R(a,c) c5(d) c2(b) v5 W4(d) | E1(d) W3(b) |",
    "P[0,3,1,4] W3(b) | e0 c2(b) c0(d) | W1(c) W1(d) q2 P[2,1] | c1(c) e1 O[5,3,2,4,0] | c4(c) |",
    "c3(a) W0(a) P[2,1,3,5] | N e2 f3 | | E3(a) Z |",
    "c3(c) W2(c) | e3 !* | N f3 | | R(b,d) |",
    "c1(b) c1(d) L[2,0,3,4] W5(b) c5(a) | B +64ms W0(a) E1(b) !* | W4(d) P[4,5] | P[3] F1 x1 |",
  ]

  @Test(
    "The model agrees with the engine where it once did not", arguments: found + foundWithStreams)
  func foundBefore(script: String) throws {
    for variant in EngineVariant.all {
      #expect(Self.complaints(try EventScript(script), variant) == [], "\(variant)")
    }
  }

  /// Loads yield in the turn in which their rows get other ids, and so other lanes.
  @Test(
    "The model agrees with the engine about rows with lanes",
    arguments: [
      "P[0,5,1] L[1,3,2] L2@[2,0,4,3] W3(b) | =1>0 S2 c4(b) F5 L[4,3] |",
      "c5(d) O[4,5,3…1] W5(d) | -[4,1,3,5] c5(c) P[0,2,3,5] | W4(c) |",
    ])
  func foundWithLanes(script: String) throws {
    let script = try EventScript(script)
    for variant in EngineVariant.held { #expect(Self.complaints(script, variant) == []) }
  }

  @Test(
    "A new row may load beside one that began under the same name",
    arguments: [
      "Q1@0[1,3,4,2,0,4,2,4] V1@0…7[0,1] | =1>2 | P[3,1] F3 | c0(c) X[1,2,4,0] R(a,b,c) |",
      "W5(a) L[0,5,1] | f1 =0>3 | W1(b) c0(b) | U(b) c1(a) |",
      "W3(a) c1(a) | W3(c) =1>3 | c1(c) | E5(c) |", "c1(b) W2(b) | =1>5 W2(a) | c1(a) | c2(a) |",
      "c4(d) W3(a) c1(a) | W3(c) =1>3 | c1(c) | W5(d) ![3] F1 E1(c) |",
      "W3(a) c1(a) | =1>3 ![2,1,5] | L[1] P[4,2] X[3,5,4] | Z c0(c) F1 W5(c) z |",
      "Q1@0[3,1,0,4,2,1,3,3] P[1,2,5] | c5(d) B1 =1>3 F2 W3(d) | V1@0…7[0…2] c4(c) R(b,c) c1(b) "
        + "| e4 | E2(b) !* F5 F1 |",
      "P[1,5,4,2] -[2,5] | =1>2 | v4 L2@[1,2,5] | L2@[0] | F1 +500ms |",
      "c3(a) W0(a) | =3>2 Q1@0[4,2…0,4,4,2,3] | c2(b) W4(a) F5 X[4,1] c3(c) W2(c) | -*",
      "V1@0…7[1,2] W0(a) O[0] c4(a) | =4>5 | Q2@0[0,1,1,2,4,1,1,5] Q1@0[1,0,0,3,3,1,0,5] =2>1 "
        + "V2@0…7[1…3] | c2(d) V1@0…7[3…5] W0(d) c1(a) |",
    ])
  func sameName(script: String) throws {
    for variant in EngineVariant.all + EngineVariant.held {
      #expect(Self.complaints(try EventScript(script), variant) == [], "\(variant)")
    }
  }

  /// Scripts that random walks seldom play: the last claimed row is removed while another one has
  /// left, and failures follow each other.
  static let rareInBatches = [
    "cW[0,1] | E0(a) E1(b) | +100ms | W0(a) | +100ms | F0 F1 |",
    "cW[0,1] | E0(a) | +200ms | W0(a) | F0 F1 |",
    "cW[0,1] | p0 | E0(a) | m0 F1 | W0(a) |",
    "cW[0,1] | E0(a) | -[1] | +160ms |", "cW[0,1] | E0(a) | v1 | W0(a) | F0 |",
    "cW[0…2] | f0 | +50ms | f0 | +50ms | F0 F1 F2 |",
    "c0(a) W0(a) | f0 | E0(a) | W0(a) c1(b) W1(b) |",
    "cW[0…2] | f0 | E0(a) E1(b) E2(c) | W0(a) W1(b) W2(c) | f0 | F2 |",
    // A row that failed with others is invalidated between two displays.
    "L[3,0] | W5(b) f3 c3(b) W2(c) Z | c2(b) !* O[5,0,2,1,4,3] | c1(c) z |",
    "L[3,0] | W5(b) f3 c3(b) Z | c2(b) !* z |",
    // A prefetch that gives its slot had failed before.
    "L1@[5,1,3] c3(a) v3 ![1,3,0,4] W4(a) | Z f1 z | P[3] c1(b) c4(a) | W3(b) |",
    "W0(d) c3(d) | f3 N | P[5,3,1] c0(c) D(d) R(b,c,d) | !* R(b,d) F0 |",
    // A row gets a slot and gives it to another one before its operation is made.
    "c2(c) W3(a) W2(c) c5(d) W0(d) B O[4,1,0,3,2,5] | f5 c5(c) +22ms c3(a) |",
    // A window jumps in the turn in which its list comes to rest, so that it holds fewer rows.
    "P[5,1,2] | m1 W5(d) B c0(d) | O[2,3,1,5] Q1@0[3,5,2,2,1,1,0,2] V1@0…7[2…4] W0(c) c5(c) "
      + "| O[5,3,0,4,2,1] +113ms C(c) +113ms c3(d) F2 |",
  ]

  @Test("The model agrees with the engine about rare courses of batches", arguments: rareInBatches)
  func rare(script: String) throws {
    for variant in EngineVariant.batches {
      #expect(Self.complaints(try EventScript(script), variant) == [], "\(variant)")
    }
  }

  /// Scripts without which a change of the rules for streams would pass unnoticed.
  static let streamsAtEdges = [
    "c1(a) W1(a) c2(b) W2(b) | v1 | +500ms | +100ms E2(b) | +100ms W2(b) | e2 | q2 | +1000ms |",
    "c0(a) W0(a) c1(b) W1(b) c3(c) W3(c) c4(d) W4(d) | F0 F1 | F3 F4 | q0 x1 | Z z Z | x3 e4 "
      + "| z v3 Z z | N | +2000ms | +2000ms |",
    "c0(a) W0(a) c1(b) W1(b) | F0 F1 | e0 | e0 q0 E0(a) e1 x1 E1(b) | +150ms | W0(a) | e0 | "
      + "+200ms |",
    "c1(a) W1(a) | e1 e1 x1 ![1] | e1 e1 q1 | | +1000ms | y1 | | e1 |",
    "c1(a) W1(a) | F1 | q1 | c2(a) c1(a) | E1(a) W1(a) | -[1] c1(a) W1(a) | F1 | q1 | E1(a) | "
      + "W1(a) | e1 |",
    "c1(a) W1(a) | +700ms | +100ms | +700ms s1 e1 | e1 x1 | N Z | z +1ms |",
    "c0(a) W0(a) | F0 | e0 | e0 +100ms E0(a) | +150ms e0 | P[0] ![0] | W0(a) | F0 e0 |",
    "c1(a) W1(a) c3(b) W3(b) | f1 f3 | E1(a) E3(b) | W1(a) W3(b) | +500ms P[1] X[1,3] | E3(b) "
      + "L[3] | +150ms | q1 v3 q3 | -[1] c1(a) W1(a) | e1 |",
    "c0(a) W0(a) | F0 | x0 | +1000ms | +1000ms x0 | +1000ms | +1000ms |",
    "c0(a) W0(a) | F0 | x0 | +1000ms | x0 | +1500ms | +500ms |",
    "c3(a) W3(a) | f3 | E3(a) | W3(a) | +500ms | E3(a) P[3] | +150ms |",
    "c1(a) W1(a) c4(b) W4(b) | F1 F4 | x1 | N | +100ms x4 | N | +1000ms | +1000ms |",
    "c0(a) W0(a) | F0 | | e0 | e0 | | +100ms |",
    "c3(a) W3(a) | +500ms | +200ms |",
    "c2(a) W1(a) | E3(a) | +117ms R(a,b) +106ms |",
    "W1(a) c5(a) | c3(a) | +65ms +103ms |",
    "v3 W1(d) W3(b) c5(b) c3(d) | c5(d) f5 |",
    "L[3] | c4(c) e3 W5(c) | !* +101ms |",
    "W2(b) c5(b) | e5 e5 | x5 |",
    "W2(b) c5(b) | e5 x5 |",
    "W4(b) c5(b) | q5 | y5 |",
    "P[2] | F2 c2(d) W1(c) | c1(c) | W2(d) x1 e1 | |",
    "P[1,0] +68ms | c1(d) W0(d) F1 | e1 | +38ms |",
    "L[4,3,1] | W5(d) +118ms -[4] c1(d) | +117ms +96ms +27ms | q1 v1 |",
  ]

  @Test("The model and the engine agree on streams at the edges", arguments: streamsAtEdges)
  func streams(script: String) throws {
    for variant in EngineVariant.live {
      #expect(Self.complaints(try EventScript(script), variant) == [], "\(variant)")
    }
  }

  @Test("A prefetched value loses its place once, however many jumps follow")
  func jumpedOverTwice() throws {
    let variant = EngineVariant("ten values kept", slots: 2) {
      $0.valueLimit = 10
      $0.prefetchWindow.limit = 16
    }
    let script = try EventScript(
      """
      c0(a) Q1@0[0…10] W0(a) v1 | F0 D(a) c0(b) c1(c) c2(d) c4(e) V1@0…89[0…4] \
      W4(e) W2(d) W1(c) W0(b) | F2 F4 | F5 c45(b) c74(c) c75(d) c49(e) | \
      c13(e) c41(d) c43(c) c56(b) F45 | F13 | F43 | F56 F41 c20(f) W20(f) | F20 |
      """)
    #expect(Self.complaints(script, variant) == [])
  }
}
