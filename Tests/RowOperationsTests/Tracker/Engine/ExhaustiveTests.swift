import Proofs
import RowOperations
import RowOperationsTesting
import Testing

@Suite("Every short sequence of inputs, on every kind of engine")
struct ExhaustiveTests {
  static let variants: [EngineVariant] = [
    EngineVariant("when settled") {
      $0.scrollPolicy = .whenSettled
      $0.valueLimit = 1
    },
    EngineVariant("adaptive, one value kept") { $0.valueLimit = 1 },
    EngineVariant("shared loads", sharing: true) { $0.scrollPolicy = .immediate },
    EngineVariant("retried after a delay, with a timeout", slots: 1) {
      $0.scrollPolicy = .immediate
      $0.retry = .backoff(.constant(.milliseconds(100), limit: 1))
      $0.timeout = 200_000_000
    },
  ].map { variant in
    // Times that are multiples of each other, so that few of them differ.
    var alike = EngineVariant(variant.name, slots: variant.slots, sharing: variant.isSharing) {
      $0 = variant.settings
      $0.grace = 100_000_000
      $0.quietTime = 100_000_000
    }
    // Rows that fail alike are alike.
    alike.hasOddFailures = false
    return alike
  }

  /// And one in which some rows need no operation.
  static let allVariants = variants + [variants[0].withOddRows]

  @Test("The invariants hold after all of them", arguments: allVariants)
  func invariants(variant: EngineVariant) {
    let found = Search(rows: 3, cells: 2).run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  @Test("They hold with views in hosts")
  func hosts() {
    let found = Search(rows: 2, cells: 3, withHosts: true).run(depth: WalkBudget.depthOfHosts) {
      Self.variants[1].driver
    }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }
}
