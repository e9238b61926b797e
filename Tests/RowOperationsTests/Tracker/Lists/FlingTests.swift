import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("A fling over 10,000 rows", .timeLimit(.minutes(10)))
@MainActor
struct FlingTests {
  /// Flings a list from its beginning to its end, with loads that take 300 ms.
  ///
  /// - Returns: The rows that started to load, and the rows on screen or prefetched while the list
  ///   rested.
  private func fling(_ policy: ScrollPolicy) async -> (started: [Int], wanted: Set<Int>) {
    let rig = TrackerRig { $0.scrollPolicy = policy }
    let rows = Array(0..<10_000)
    let list = ListSimulator(rows: rows, viewport: 616) { rig.player.app.handle($0) }
    list.layOut()
    await load(rig)
    // A finger moves the list in two passes, which tell the pace.
    list.beginDrag()
    for _ in 0..<2 {
      rig.clock.advance(by: .milliseconds(1))
      list.drag(by: 44, in: .milliseconds(1))
      rig.tracker.endPass()
    }
    // Then faster than any finger, in frames short enough to show each row.
    var frames = 0
    list.endDrag(velocity: 900)
    while list.isMoving {
      rig.clock.advance(by: .milliseconds(1))
      list.advance(by: .milliseconds(1))
      rig.tracker.endPass()
      frames += 1
      if frames % 300 == 0 { await endLoads(rig) }
    }
    #expect(list.rowsPassed >= 9_000)
    await load(rig)
    #expect(rig.player.app.pendingRows(in: list).isEmpty && rig.violations == [])
    let window = list.visibleRows.count + list.behavior.prefetchDepth
    return (rig.recorder.started, Set(rows.prefix(window) + rows.suffix(window)))
  }

  /// Ends loads after their time until no load is left.
  private func load(_ rig: TrackerRig) async {
    rig.tracker.endPass()
    while rig.tracker.core.engine.runs.count > 0 {
      rig.clock.advance(by: .milliseconds(300))
      await endLoads(rig)
      await Task.yield()
    }
  }

  /// Ends the running loads; a cancelled load ends by itself.
  private func endLoads(_ rig: TrackerRig) async {
    await rig.loadsBegan()
    let running = rig.tracker.currentGenerations
    rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    await rig.tracker.waitUntil { running.isDisjoint(with: $0.currentGenerations) }
  }

  @Test(
    "A fling loads only the rows around its resting position",
    arguments: [ScrollPolicy.adaptive, .whenSettled])
  func rowsAtRest(policy: ScrollPolicy) async {
    let (started, wanted) = await fling(policy)
    #expect(Set(started).isSubset(of: wanted))
    #expect(started.count == Set(started).count, "each row loads once")
  }

  @Test("The check detects a policy that holds no load back")
  func immediate() async {
    let (started, wanted) = await fling(.immediate)
    #expect(!Set(started).isSubset(of: wanted))
  }
}
