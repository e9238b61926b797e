import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// Random calls from all the app's code that a tracker runs: from closures and from deinits.
@Suite("Random calls from deinits and closures", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct DeinitStress {
  @Test("Random calls from closures and deinits leave the tracker's state consistent")
  func walks() async {
    var origins: Set<CallerWalk.Origin> = []
    for seed in seeds(StressLevel.current.lists * 40) {
      let walk = CallerWalk(seed: seed)
      await walk.run(steps: 100)
      origins.formUnion(walk.origins)
      #expect(walk.mistakes == [], "seed \(seed)")
      #expect(walk.tracker.audit() == [], "seed \(seed)")
      #expect(walk.staleCells == [], "seed \(seed)")
      walk.empty()
      #expect(walk.tracker.audit() == [], "seed \(seed), emptied")
      #expect(walk.tracker.core.engine.rows.count == 0, "seed \(seed), emptied")
      #expect(walk.tracker.core.engine.cells.count == 0, "seed \(seed), emptied")
    }
    #expect(origins == Set(CallerWalk.Origin.allCases), "calls come from each kind of code")
  }

  @Test("The walk detects an app that mixes rows up")
  func canFail() async {
    let walk = CallerWalk(seed: 1, mixesRowsUp: true)
    await walk.run(steps: 100)
    #expect(walk.mistakes != [])
  }

  private func seeds(_ count: Int) -> [UInt64] {
    var generator = SeededGenerator(seed: StressLevel.seed)
    return (0..<count).map { _ in generator.next() }
  }
}
