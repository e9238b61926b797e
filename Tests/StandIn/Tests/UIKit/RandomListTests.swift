#if canImport(UIKit)
  import RowOperationsTesting
  @testable import TestSupport
  import Testing
  import UIKit

  @testable import RowOperations

  /// All suites share one main run loop, so they run one after the other.
  @Suite("Lists on the stand-in", .serialized, .timeLimit(.minutes(20)))
  enum StandIn {}

  extension StandIn {
    @Suite("Random lists")
    @MainActor
    struct RandomListTests {
      @Test(
        "After every change the rows on screen are displayed, and no others",
        arguments: ListKind.allCases)
      func displays(kind: ListKind) async {
        await run { _ in [kind] }
      }

      @Test("Lists that share a tracker display their own rows on screen, and no others")
      func sharedTracker() async {
        let all = ListKind.allCases
        await run { [all[Int($0) % all.count], all[Int($0) / all.count % all.count]] }
      }

      private func run(_ kinds: (UInt64) -> [ListKind]) async {
        for seed in ListSeeds.range {
          let trial = ListTrial(kinds(seed), seed: seed)
          await trial.run()
          if !trial.violations.isEmpty {
            Issue.record(
              "\(kinds(seed)), seed \(seed): \(trial.violations.prefix(4)) with \(trial.variant)")
            return
          }
        }
      }
    }
  }
#endif
