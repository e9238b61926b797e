// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

/// The stage `fetch` has the limit, since loads of a rig wait at the gate in that stage.
@Suite("Limits of stages", .timeLimit(.minutes(10)))
@MainActor
struct StageLimitTests {
  private func rig(
    _ slots: Int = 8, limit: Int = 1, stopsWhenCancelled: Bool = true,
    configure: (inout TrackerConfiguration<Int, TrackerRig.Loaded>) -> Void = { _ in }
  ) -> TrackerRig {
    TrackerRig(stopsWhenCancelled: stopsWhenCancelled) {
      $0.slots = UpdateSlots(slots, stageLimits: [.fetch: limit])
      configure(&$0)
    }
  }

  /// Waits until the given loads are in the stage, in that order, and the others wait.
  private func wait(_ rig: TrackerRig, inside: [Int], waiting: [Int]) async {
    await rig.gate.wait { $0.waiting.map(\.row) == inside }
    await rig.tracker.waitUntil { tracker in
      waiting.allSatisfy { tracker.explain($0).contains("waiting for stage") }
    }
  }

  @Test("A stage holds as many loads as its limit; other loads keep their slots and wait")
  func width() async throws {
    let rig = rig(8, limit: 2)
    try rig.play("cW[0…9] |")
    await rig.gate.wait { $0.waiting.count == 2 }
    #expect(rig.recorder.started == Array(0...7), "the others wait for slots")
    for _ in 0..<10 {
      await rig.gate.wait { !$0.waiting.isEmpty }
      #expect(rig.gate.log.waiting.count <= 2 && rig.violations == [])
      await rig.end(rig.gate.log.waiting[0].row, with: .success(.init(row: 0, generation: 0)))
    }
    #expect(rig.tracker.metrics.finished == 10)
  }

  @Test("A permit goes to the claim that is strongest at that moment")
  func strongestFirst() async throws {
    let rig = rig()
    try rig.play("cW[0,1,2,3] |")
    await rig.gate.wait { $0.waiting.count == 1 }
    let first = rig.gate.log.waiting[0].row
    let others = [0, 1, 2, 3].filter { $0 != first }
    await wait(rig, inside: [first], waiting: others)
    // From now on the first row is only prefetched, and the second row has no claim.
    let names = ["a", "b", "c", "d"]
    try rig.play(
      "E\(others[0])(\(names[others[0]])) P[\(others[0])] E\(others[1])(\(names[others[1]])) |")
    for row in [first, others[2], others[0]] {
      await rig.gate.wait { $0.waiting.map(\.row) == [row] }
      await rig.end(row, with: .success(.init(row: row, generation: 0)))
    }
    await rig.gate.wait { $0.waiting.map(\.row) == [others[1]] }
    await rig.end(others[1], with: .success(.init(row: 0, generation: 0)))
    #expect(rig.violations == [])
  }

  @Test("Rows on screen enter the stage in the order in which they reach it")
  func order() async throws {
    for isMoving in [false, true] {
      let rig = rig { $0.scrollPolicy = .immediate }
      try rig.play("c9(z) W9(z) |")
      await wait(rig, inside: [9], waiting: [])
      for (row, cell) in zip(1...3, ["a", "b", "c"]) {
        try rig.play("\(isMoving ? "M" : "") c\(row)(\(cell)) W\(row)(\(cell)) |")
        await wait(rig, inside: [9], waiting: Array(1...row))
      }
      for row in [9, 1, 2, 3] {
        await rig.gate.wait { $0.waiting.map(\.row) == [row] }
        await rig.end(row, with: .success(.init(row: row, generation: 0)))
      }
    }
  }

  @Test("A load that waits for a stage is cancelled at once, and reports that stage")
  func cancelWaiting() async throws {
    let rig = rig { $0.grace = .zero }
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    try rig.play("c2(b) W2(b) |")
    await wait(rig, inside: [1], waiting: [2])
    try rig.play("E2(b) |")
    await rig.recorder.wait { $0.stopped == [2] }
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 1])
    #expect(rig.gate.log.began.map(\.row) == [1])
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
  }

  @Test("A cancelled load with a lingering body returns its permit, up to the limit")
  func lingering() async throws {
    let rig = rig(stopsWhenCancelled: false) { $0.grace = .zero }
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    try rig.play("E1(a) c2(b) W2(b) |")
    await wait(rig, inside: [1, 2], waiting: [])
    try rig.play("E2(b) c3(c) W3(c) |")
    await wait(rig, inside: [1, 2], waiting: [3])
    #expect(rig.violations == [])
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    await wait(rig, inside: [2, 3], waiting: [])
    for row in [2, 3] { await rig.end(row, with: .success(.init(row: row, generation: 0))) }
    #expect(rig.tracker.metrics.finished == 1 && rig.violations == [])
  }

  @Test("Permits for which several loads wait call one owner once, and go to the chosen loads")
  func choice() async {
    let permits = StagePermits([.decode: 2])
    let owner = CountingOwner()
    let visits = (0..<5).map { _ in StagePermit(.decode, permits) }
    let id = UpdateID(index: 0, generation: 0)
    #expect(visits.map { $0.request(owner, id) } == [true, true, false, false, false])
    visits[0].leave()
    visits[1].leave()
    #expect(owner.calls.value == 1 && permits.idle == [])
    permits.grantAll { $0.last?.ticket }
    await visits[4].granted()
    await visits[3].granted()
    #expect(owner.calls.value == 1 && permits.idle == [])
    // One load waits, so it gets the permit without a choice.
    visits[3].leave()
    await visits[2].granted()
    #expect(owner.calls.value == 1 && permits.idle == [])
  }

  @Test("Each choice of a load calls an owner again")
  func secondChoice() async {
    let permits = StagePermits([.decode: 1])
    let owner = CountingOwner()
    let visits = (0..<4).map { _ in StagePermit(.decode, permits) }
    for visit in visits { _ = visit.request(owner, UpdateID(index: 0, generation: 0)) }
    for (leaving, chosen) in [(0, 3), (3, 2)] {
      let calls = owner.calls.value
      visits[leaving].leave()
      #expect(owner.calls.value == calls + 1)
      permits.grantAll { $0.last?.ticket }
      await visits[chosen].granted()
    }
  }

  @Test("Lingering bodies that hold all permits are reported once, until a load gets a permit")
  func held() async throws {
    let permits = StagePermits([.decode: 1, .fetch: 1])
    let owner = Inbox(number: 0, permits: permits, clock: { 0 }, announce: { _ in })
    let visits = (0..<3).map { _ in StagePermit(.decode, permits) }
    for visit in visits {
      _ = visit.request(owner, UpdateID(index: 0, generation: 0))
      if visit !== visits[2] { visit.cancel() }
    }
    #expect(permits.newlyHeld() == [.decode] && permits.newlyHeld() == [])
    visits[0].leave()
    #expect(permits.newlyHeld() == [])
    await visits[2].granted()
    visits[2].cancel()
    _ = visits[0].request(owner, UpdateID(index: 0, generation: 0))
    #expect(permits.newlyHeld() == [.decode])
  }

  @Test("A tracker reports once that cancelled bodies hold all permits of a stage")
  func reportsHeldPermits() async {
    // The hook is the process's, and such a report names no operation.
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      try await StageLimitTests().reportHeldPermits()
    }
  }

  private func reportHeldPermits() async throws {
    let reports = Log<OperationMisuse>([])
    OperationDiagnostics.onMisuse = { if $0.operation == nil { reports.append($0) } }
    let rig = rig(stopsWhenCancelled: false) { $0.grace = .zero }
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    try rig.play("E1(a) c2(b) W2(b) |")
    await wait(rig, inside: [1, 2], waiting: [])
    #expect(reports.value.isEmpty)
    try rig.play("E2(b) c3(c) W3(c) |")
    await wait(rig, inside: [1, 2], waiting: [3])
    try rig.play("| | |")
    #expect(reports.value.map(\.code) == [.ignoredCancellation])
    #expect(reports.value.first?.description.contains("permits of stage fetch") == true)
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    await wait(rig, inside: [2, 3], waiting: [])
    try rig.play("|")
    #expect(reports.value.count == 1)
  }

  @Test("The wait for a stage counts towards the timeout, and a timeout returns the permit")
  func timeout() async throws {
    let rig = rig { $0.timeout = .seconds(1) }
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    try rig.play("+500ms c2(b) W2(b) |")
    await wait(rig, inside: [1], waiting: [2])
    try rig.play("+500ms |")
    await wait(rig, inside: [2], waiting: [])
    #expect(rig.phase(of: 1) == .failed)
    try rig.play("+400ms c3(c) W3(c) |")
    await wait(rig, inside: [2], waiting: [3])
    try rig.play("+100ms |")
    #expect(rig.phase(of: 2) == .failed)
    await wait(rig, inside: [3], waiting: [])
    await rig.end(3, with: .success(.init(row: 3, generation: 0)))
  }

  @Test("The wait for a stage does not count towards the load time")
  func estimate() async throws {
    let rig = rig { $0.grace = .zero }
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    // One after the other, as rows on screen enter the stage in the order of their arrival.
    try rig.play("c2(b) W2(b) |")
    await wait(rig, inside: [1], waiting: [2])
    try rig.play("c3(c) W3(c) |")
    await wait(rig, inside: [1], waiting: [2, 3])
    try rig.play("+100ms")
    await rig.end(1, with: .success(.init(row: 1, generation: 0)))
    await wait(rig, inside: [2], waiting: [3])
    try rig.play("+100ms")
    await rig.end(2, with: .success(.init(row: 2, generation: 0)))
    await wait(rig, inside: [3], waiting: [])
    try rig.play("+150ms -[3] |")
    await rig.recorder.wait { $0.stopped == [3] }
    let milliseconds = rig.tracker.core.engine.gate.loadTimes.recent.map { $0 / 1_000_000 }
    #expect(milliseconds == [100, 100, 150])
  }

  @Test("A limited stage inside another one runs under the permit of the outer one")
  func nested() async throws {
    let inside = Box(0)
    let most = Box(0)
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(6, stageLimits: [.fetch: 1, .decode: 1])
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
      // Half of the loads nest the stages the other way round.
      let (outer, inner): (UpdateStage, UpdateStage) =
        context.row.isMultiple(of: 2) ? (.fetch, .decode) : (.decode, .fetch)
      return try await context.stage(outer) {
        try await context.stage(inner) {
          let count = inside.add()
          most.change { $0 = max($0, count) }
          await Task.yield()
          inside.change { $0 -= 1 }
          return context.row
        }
      }
    }
    let cells = (0..<30).map { SimulatedCell(number: $0) }
    for (row, cell) in cells.enumerated() {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntilIdle()
    #expect(tracker.metrics.finished == 30 && most.value <= 2)
    #expect(tracker.violations() == [])
    withExtendedLifetime(cells) {}
  }

  @Test("A load that has left a limited stage waits for the next limited stage")
  func consecutive() async {
    let gate = Gate()
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4, stageLimits: [.fetch: 1, .decode: 1])
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
      let row = try await context.stage(.fetch) { context.row }
      return try await context.stage(.decode) {
        await gate.opened()
        return row
      }
    }
    let cells = (1...2).map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: cell.number) { _, _ in }
      tracker.willDisplay(cell)
    }
    await tracker.waitUntil { tracker in
      cells.allSatisfy { tracker.explain($0.number).contains("decode") }
    }
    #expect(cells.count { tracker.explain($0.number).contains("waiting for stage decode") } == 1)
    gate.open()
    await tracker.waitUntilIdle()
    #expect(tracker.metrics.finished == 2)
  }

  @Test("The explanation names the stage for which a row or the holder of a slot waits")
  func explained() async throws {
    let rig = rig(2)
    try rig.play("c1(a) W1(a) |")
    await wait(rig, inside: [1], waiting: [])
    try rig.play("+2000ms c2(b) W2(b) c3(c) W3(c) |")
    await wait(rig, inside: [1], waiting: [2])
    try rig.play("+1000ms")
    #expect(
      rig.tracker.explain(2)
        == "Row 2 has been loading for 1 s, waiting for stage fetch (limit 1).")
    #expect(
      rig.tracker.explain(3)
        == """
        Row 3 waits: first in line; slot 1 held for 3 s by row 1 in stage fetch; slot 2 held for 1 s by \
        row 2, waiting for stage fetch (limit 1).
        """)
    rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
  }

  @Test("Trackers with shared slots share permits, and a deallocated tracker returns its own")
  func shared() async throws {
    let slots = UpdateSlots(8, stageLimits: [.fetch: 1])
    var first: TrackerRig? = TrackerRig { $0.slots = slots }
    let second = TrackerRig { $0.slots = slots }
    try first?.play("cW[1,2] |")
    await first?.gate.wait { $0.waiting.count == 1 }
    try second.play("P[9] c3(c) W3(c) |")
    await wait(second, inside: [], waiting: [3, 9])
    try second.play("c4(d) W4(d) |")
    await wait(second, inside: [], waiting: [3, 4, 9])
    first = nil
    for row in [3, 4, 9] {
      await second.gate.wait { $0.waiting.map(\.row) == [row] }
      await second.end(row, with: .success(.init(row: row, generation: 0)))
    }
    #expect(slots.permits?.idle == [])
  }

  @Test("A cancelled task of an update stops waiting for a stage")
  func childTask() async throws {
    let gate = Gate()
    let (isWaiting, didStop) = (Gate(), Gate())
    var configuration = TrackerConfiguration<Int, Int>()
    configuration.slots = UpdateSlots(4, stageLimits: [.decode: 1])
    let tracker = DisplayTracker<Int, Int>(configuration: configuration) { context in
      if context.row == 1 {
        return try await context.stage(.decode) {
          await gate.opened()
          return 1
        }
      }
      let child = Task { try await context.stage(.decode) { 0 } }
      while !isWaiting.isOpen { await Task.yield() }
      child.cancel()
      let result = await child.result
      if (try? result.get()) == nil { didStop.open() }
      return 2
    }
    let cells = (1...2).map { SimulatedCell(number: $0) }
    for (row, cell) in zip(1...2, cells) {
      tracker.bind(cell, to: row) { _, _ in }
      tracker.willDisplay(cell)
      await tracker.waitUntil { $0.explain(row).contains("decode") }
    }
    isWaiting.open()
    await didStop.opened()
    gate.open()
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: 1) == .loaded(1) && tracker.phase(of: 2) == .loaded(2))
    withExtendedLifetime(cells) {}
  }

  @Test("An update without a tracker and a stage without a limit do not wait")
  func unlimited() async throws {
    let operation = UpdateOperation<Int, Int>(token: RowToken(row: 1, generation: 1)) { context in
      try await context.stage(.decode) { context.row }
    }
    #expect(try await OperationQueue(width: 1).value(of: operation) == 1)
    let rig = TrackerRig { $0.slots = UpdateSlots(8, stageLimits: [.decode: 1]) }
    try await rig.playToTheEnd("cW[0…5] |")
    #expect(rig.gate.log.waiting.count == 6)
    rig.gate.openAll { TrackerRig.Loaded(row: $0, generation: 0) }
    #expect(UpdateSlots(0, stageLimits: [.decode: -3]).stageLimits == [.decode: 1])
  }
}

/// Counts the free permits for which it should choose a load.
private final class CountingOwner: UpdateOwner {
  let calls = Box()
  let number = 0
  let permits: StagePermits? = nil

  func permitIsFree() { calls.add() }
  func updateStepped(_ id: UpdateID) {}
  func updateEnded(_ id: UpdateID) {}
  func now() -> Int64 { 0 }
}
