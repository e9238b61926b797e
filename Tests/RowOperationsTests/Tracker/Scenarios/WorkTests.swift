// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Started, cancelled and idle work", .timeLimit(.minutes(10)))
@MainActor
struct WorkTests {
  @Test("A thousand cancelled prefetches leave no work")
  func manyPrefetches() async {
    let rig = TrackerRig { $0.prefetchWindow.limit = 1000 }
    rig.tracker.prefetch(0..<1000)
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.waitingLoads == 1000 - 4)
    rig.tracker.cancelPrefetch(0..<1000)
    rig.tracker.endPass()
    rig.clock.advance(by: .milliseconds(150))
    rig.tracker.endPass()
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.started == 4)
    #expect(rig.tracker.metrics.cancelledWaiting == 996)
    #expect(rig.tracker.core.engine.rows.count == 0)
  }

  @Test("A deallocated tracker cancels its operations and leaves nothing behind")
  func deinitCancels() async throws {
    var rig: TrackerRig? = TrackerRig()
    weak var tracker: DisplayTracker<Int, TrackerRig.Loaded>?
    tracker = rig?.tracker
    let gate = try #require(rig?.gate)
    try rig?.play("c1(a) W1(a) P[2] |")
    await gate.waitForLoads([1, 2])
    rig = nil
    #expect(tracker == nil)
    await gate.wait { $0.cancelled.count == 2 && $0.waiting.isEmpty }
  }

  @Test("A cancelled task stops waiting for an idle tracker, and others wait on")
  func cancelledWait() async throws {
    let rig = TrackerRig()
    try rig.play("c1(a) W1(a) |")
    let ended = Log<Int>([])
    var tasks: [Task<Void, Never>] = []
    for number in 0..<2 {
      tasks.append(
        Task {
          await rig.tracker.waitUntilIdle()
          ended.append(number)
        })
      await until { rig.tracker.core.waiters.count == number + 1 }
    }
    tasks[1].cancel()
    await until { !ended.value.isEmpty }
    #expect(ended.value == [1])
    try await rig.playToTheEnd("F1")
    await tasks[0].value
  }

  @Test("A burst of 1,000 values takes a few turns and renders each cell once")
  func burst() async {
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(1000)
    let gate = LoadGate<Int, Int>()
    let tracker = DisplayTracker(configuration: configuration) { try await gate.load($0) }
    let cells = (0..<1000).map { SimulatedCell(number: $0) }
    var renders = 0
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { _, phase in
        if phase.kind == .loaded { renders += 1 }
      }
      tracker.willDisplay(cell)
    }
    await gate.wait { $0.waiting.count == 1000 }
    let turns = tracker.metrics.turns
    gate.openAll { $0 }
    await tracker.waitUntilIdle()
    withExtendedLifetime(cells) {}
    #expect(renders == 1000)
    #expect(tracker.metrics.applied == 1000)
    #expect(tracker.metrics.turns - turns < 500, "turns are shared")
  }

  @Test("Displayed rows are committed first, and onCommit follows all renders of the turn")
  func commitOrder() {
    var order: [String] = []
    let rig = TrackerRig {
      $0.onCommit = { order.append("committed \($0.sorted())") }
    }
    let cells = (0..<2).map { SimulatedCell(number: $0) }
    for (row, cell) in cells.enumerated() {
      rig.tracker.bind(cell, to: row) { _, phase in
        if phase.kind == .loaded { order.append("rendered \(row)") }
      }
    }
    rig.tracker.prefetch([0])
    rig.tracker.willDisplay(cells[1])
    rig.tracker.endPass()
    rig.arrive(0)
    rig.arrive(1)
    withExtendedLifetime(cells) { rig.tracker.endPass() }
    #expect(order == ["rendered 1", "rendered 0", "committed [0, 1]"])
  }

  @Test("A grace ends on time even if the clock advances before the wait for it begins")
  func graceInTime() async throws {
    let rig = TrackerRig()
    let cell = SimulatedCell(number: 0)
    rig.tracker.bind(cell, to: 1) { _, _ in }
    rig.tracker.willDisplay(cell)
    await rig.recorder.wait { $0.started == [1] }
    await rig.tracker.pendingTurns()
    rig.tracker.didEndDisplaying(cell)
    // Right after the turn in which the grace begins, before the wait for its end.
    DispatchQueue.main.async { rig.clock.advance(by: .milliseconds(150)) }
    await rig.recorder.wait { $0.cancelled == [1] }
  }

  @Test("Suspensions, orders, positions and other reports of a list each request a turn")
  func turnsOfReports() {
    let tracker = TrackerRig { $0.onImpression = { _ in } }.tracker
    let list = tracker.addList(onBind: nil)
    let reports: [() -> Void] = [
      { tracker.suspend() }, { tracker.resume() }, { tracker.cellsVanished() },
      { tracker.forgetImpressions() }, { tracker.setOrder(0..<10) },
      { tracker.showsPositions(2..<4, of: Array(0..<10)) },
      { tracker.coverList(list, isCovered: true) }, { tracker.coverList(list, isCovered: false) },
      { tracker.removeList(0) },
    ]
    for (number, report) in reports.enumerated() {
      tracker.endPass()
      #expect(!tracker.core.engine.turns.isRequested, "before report \(number)")
      report()
      #expect(tracker.core.engine.turns.isRequested, "report \(number)")
    }
  }

  @Test("The condition of a wait is read again in a turn that the wait requests")
  func waiting() async {
    let rig = TrackerRig()
    var reads = 0
    await rig.tracker.core.wait {
      reads += 1
      return reads == 2
    }
    #expect(reads == 2)
  }

  @Test("waitUntilIdle does not wait for rows that the scroll policy holds back")
  func idleWhileHeldBack() async throws {
    let rig = TrackerRig { $0.scrollPolicy = .whenSettled }
    try rig.play("B c1(a) W1(a) |")
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.started == 0)
    try rig.play("S |")
    #expect(rig.tracker.metrics.started == 1)
  }

  @Test("A suspended tracker starts no load, finishes running loads, and continues on resume")
  func suspended() async throws {
    let rig = TrackerRig { $0.slots = UpdateSlots(1) }
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) P[3] | Z | F1")
    #expect(rig.phase(of: 1) == .loaded)
    await rig.tracker.waitUntilIdle()
    #expect(rig.recorder.started == [1])
    try rig.play("z |")
    #expect(rig.rows(in: .loading) == [2])
    #expect(rig.phase(of: 3) == .waiting && !rig.isWaiting(3))
  }
}
