import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The engine as two rows become one")
struct MergeEngineTests {
  /// Row 1 becomes row 2, or the rows of the case.
  struct Case: Sendable, CustomTestStringConvertible {
    let script: String
    let keepsFormer: Bool
    var variant = EngineVariant("one slot", slots: 1)
    var former = 1
    var testDescription: String { "\(script) \(variant)" }
  }

  private static let withBackoff = EngineVariant("retried after a delay") {
    $0.retry = RetryPolicy.backoff(.constant(.seconds(9), limit: 9)).engine
  }

  static let cases = [
    // Neither has anything, or one or both have a claim.
    Case(script: "c1(a) c2(b) |", keepsFormer: false),
    Case(script: "c5(d) W5(d) | P[1] c2(a) |", keepsFormer: true),
    Case(script: "c5(d) W5(d) | c1(a) P[2] |", keepsFormer: false),
    Case(script: "c5(d) W5(d) | P[1,2] |", keepsFormer: false),
    // A row on screen goes before a claimed one.
    Case(script: "c5(d) W5(d) | c1(a) W1(a) P[2] |", keepsFormer: true),
    Case(script: "c5(d) W5(d) | P[1] c2(a) W2(a) |", keepsFormer: false),
    Case(script: "c5(d) W5(d) | c1(a) W1(a) c2(b) W2(b) |", keepsFormer: false),
    Case(script: "c5(d) W5(d) | c1(a) W1(a) P[2] | E1(a)", keepsFormer: true),
    Case(script: "c5(d) W5(d) | c1(a) W1(a) P[2] | C(a) |", keepsFormer: true),
    // A value that is out of date goes before them.
    Case(script: "c5(d) W5(d) | v1 ![1] c2(b) W2(b) |", keepsFormer: true),
    Case(script: "c5(d) W5(d) | v2 ![2] c1(b) W1(b) |", keepsFormer: false),
    Case(script: "v1 v2 ![1,2] |", keepsFormer: false),
    // A failure, or nothing to load, goes before that.
    Case(script: "c1(a) W1(a) | f1 | v2 ![2]", keepsFormer: true),
    Case(script: "c2(a) W2(a) | f2 | v1 ![1]", keepsFormer: false),
    Case(script: "c1(a) W1(a) | f1 | v2 ![2]", keepsFormer: true, variant: withBackoff),
    Case(
      script: "c5(a) W5(a) | v2 ![2]", keepsFormer: true,
      variant: EngineVariant("one slot", slots: 1).withOddRows, former: 5),
    // A load goes before those, also one that was handed over to a stream.
    Case(script: "c1(a) W1(a) | f1 | c2(b) W2(b) |", keepsFormer: false),
    Case(script: "c2(a) W2(a) | f2 | c1(b) W1(b) |", keepsFormer: true),
    Case(
      script: "c2(b) W2(b) | f2 | c1(a) W1(a) | +600ms |", keepsFormer: true,
      variant: EngineVariant("loaded by streams", slots: 1) {
        $0.streams = .steady(isLoad: true)
      }),
    // A value goes before all.
    Case(script: "v1 c2(a) W2(a) |", keepsFormer: true),
    Case(script: "v2 c1(a) W1(a) |", keepsFormer: false),
    Case(script: "v1 v2 |", keepsFormer: false),
  ]

  @Test("The row goes on that would lose more, else the new one", arguments: cases)
  func keptRow(test: Case) throws {
    let driver = test.variant.driver
    for step in try EventScript(test.script).steps { driver.apply(step) }
    let former = try #require(driver.rowIDs[test.former])
    let new = try #require(driver.rowIDs[2])
    let expected = test.keepsFormer ? former : new
    #expect(driver.engine.keptRow(of: former, new) == expected)
    driver.apply(.rename(test.former, to: 2))
    #expect(
      driver.rowIDs
        == driver.rowIDs.filter { $0.key == 5 && test.former != 5 }
        .merging([2: expected]) { $1 })
    driver.apply(.passEnd)
    driver.apply(.passEnd)
    #expect(driver.violations == [])
  }

  @Test("The landing of a row becomes that of the other one, once, in each list")
  func landing() throws {
    let driver = EngineVariant("one slot", slots: 1).driver
    let script = "c5(d) W5(d) | L1@[1,3,2] L2@[3,1] |"
    for step in try EventScript(script).steps { driver.apply(step) }
    let rank = driver.rowIDs[1].map { driver.engine.rows[$0].landingRank }
    driver.apply(.rename(2, to: 4))
    driver.apply(.rename(1, to: 4))
    driver.apply(.passEnd)
    let landing = driver.engine.gate.motions.map { $0.landing.map { driver.engine.rows[$0] } }
    #expect(landing.map(\.count) == [2, 2] && landing.joined().allSatisfy(\.isLanding))
    #expect(driver.rowIDs.keys.sorted() == [3, 4, 5] && driver.violations == [])
    driver.apply(.rename(6, to: 3))
    driver.apply(.listScrollDidSettle(list: 1))
    driver.apply(.listScrollDidSettle(list: 2))
    driver.apply(.passEnd)
    #expect(rank != nil && driver.violations == [])
  }
}
