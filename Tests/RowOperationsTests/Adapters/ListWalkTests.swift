import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("Random walks of lists that share a tracker", .timeLimit(.minutes(60)))
  @MainActor
  struct ListWalkTests {
    nonisolated static let counts = [1, 2]

    /// Walks in which the checks were once wrong.
    private static let found: [UInt64] = [
      // A row next to the screen of one list is prefetched by another one, which is then covered.
      3_083_114_447_764_066_353
    ]

    @Test("The rows on screen are displayed and loaded, and no others", arguments: counts)
    func displays(count: Int) {
      for seed in Self.found + seeds(StressLevel.current.lists * 6) {
        #expect(walk(seed, lists: count, steps: 80).violations == [])
      }
    }

    @Test(
      "The naive model finds a reason for every decision in recordings of lists", arguments: counts)
    func recordings(count: Int) throws {
      for seed in recorded {
        let differences = try walk(seed, lists: count, steps: 40).replay()
        #expect(differences == [])
      }
    }

    /// The same recordings in each quick run, and new ones in longer runs.
    private var recorded: [UInt64] {
      StressLevel.current == .low ? [0, 1] : seeds(StressLevel.current.lists)
    }

    private func walk(_ seed: UInt64, lists: Int, steps: Int) -> ListWalk {
      let walk = ListWalk(seed: seed, lists: lists, forwards: Self.forwards(seed))
      for _ in 0..<steps where walk.violations.isEmpty { walk.step() }
      if walk.violations.isEmpty { walk.finish() }
      return walk
    }

    private func seeds(_ count: Int) -> [UInt64] {
      var generator = SeededGenerator(seed: StressLevel.seed)
      return (0..<count).map { _ in generator.next() }
    }

    /// The app forwards nothing, everything, or a random part, with repetitions.
    private static func forwards(_ seed: UInt64) -> ((ListEvent<Int>) -> [ListEvent<Int>])? {
      var random = SeededGenerator(seed: seed)
      switch seed % 4 {
      case 0, 1: return nil
      case 2: return { [$0] }
      default:
        return { event in
          Array(repeating: event, count: Int.random(in: 0...2, using: &random))
        }
      }
    }
  }
}
