import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("The engine after every short sequence of inputs")
struct ExhaustiveTests {
  static let variants: [EngineVariant] = [
    EngineVariant("when settled") {
      $0.scrollPolicy = .whenSettled
      $0.valueLimit = 1
    },
    EngineVariant("adaptive, one value kept") { $0.valueLimit = 1 },
    EngineVariant("immediate") { $0.scrollPolicy = .immediate },
    EngineVariant("retried after a delay, with a timeout", slots: 1) {
      $0.scrollPolicy = .immediate
      $0.retry = RetryPolicy.backoff(.constant(.milliseconds(100), limit: 1)).engine
      $0.timeout = 200_000_000
    },
  ].map { variant in
    // Times that are multiples of each other lead to fewer different states.
    var alike = EngineVariant(variant.name, slots: variant.slots) {
      $0 = variant.settings
      $0.grace = 100_000_000
      $0.quietTime = 100_000_000
    }
    // Rows that fail in the same way need no separate search.
    alike.hasOddFailures = false
    return alike
  }

  /// The variants, and one of them with rows that need no operation.
  static let allVariants = variants + [variants[0].withOddRows]

  @Test("The search finds a driver that renders cells off screen")
  func canFail() {
    let found = Search(rows: 1, cells: 1).run(depth: 4) {
      let driver = EngineVariant("default").driver
      driver.rendersOffScreen = true
      return driver
    }
    #expect(found != nil)
  }

  @Test("The invariants hold after every short sequence", arguments: allVariants)
  func invariants(variant: EngineVariant) {
    let found = Search(rows: 3, cells: 2).run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  @Test("The invariants hold after every short sequence with renames", arguments: variants)
  func renames(variant: EngineVariant) {
    let search = Search(rows: 2, cells: 2, withRenames: true)
    let found = search.run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  /// Rows that live.
  static let liveVariants: [EngineVariant] = [false, true].map { isLoad in
    var variant = EngineVariant("live rows, loaded by their streams: \(isLoad)", slots: 1) {
      $0.scrollPolicy = .immediate
      $0.streams = .steady(isLoad: isLoad, limit: 1)
      $0.grace = 100_000_000
      $0.quietTime = 100_000_000
      $0.valueLimit = 1
    }
    variant.hasOddFailures = false
    return variant
  }

  @Test("The invariants hold after every short sequence with streams", arguments: liveVariants)
  func streams(variant: EngineVariant) {
    let search = Search(rows: 2, cells: 2, withStreams: true)
    let found = search.run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  /// The variants with loads of several rows.
  static let batchVariants = [(variants[1], 2), (variants[3], 3)].map { variant, size in
    var batched = EngineVariant("batches of \(size), \(variant.name)", slots: 1) {
      $0 = variant.settings
      $0.batchSize = size
    }
    batched.hasOddFailures = false
    return batched
  }

  @Test("The invariants hold after every short sequence of batches", arguments: batchVariants)
  func batches(variant: EngineVariant) {
    let search = Search(rows: 3, cells: 2, withBatches: true)
    let found = search.run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  @Test(
    "The invariants hold after every short sequence with two lists that move",
    arguments: variants.prefix(2))
  func lists(variant: EngineVariant) {
    let search = Search(rows: 2, cells: 2, withLists: true)
    let found = search.run(depth: WalkBudget.depth) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  @Test("The invariants hold after every short sequence with views in hosts")
  func hosts() {
    let found = Search(rows: 2, cells: 3, withHosts: true).run(depth: WalkBudget.depthOfHosts) {
      Self.variants[1].driver
    }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }

  @Test(
    "The invariants hold if the app's code makes any call in any turn",
    arguments: [variants[0].withOddRows, variants[3].withOddRows, variants[0].reporting])
  func calls(variant: EngineVariant) {
    let search = Search(rows: 2, cells: 2, withCalls: true)
    let found = search.run(depth: WalkBudget.depthOfCalls) { variant.driver }
    if let found { Issue.record("\(found.violations) after \(found.script)") }
  }
}
