// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import Proofs
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Batches of rows", .timeLimit(.minutes(10)))
@MainActor
struct BatchTests {
  // MARK: Requests

  @Test("One request loads the rows of a turn, and its answer shows in one turn")
  func oneRequest() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…4] |")
    #expect(await rig.batches(1) == [[0, 1, 2, 3, 4]])
    #expect(rig.violations == [])
    await rig.answer(0, with: [0, 1, 2, 3, 4])
    #expect((0...4).map { rig.value(of: $0) } == ["0", "1", "2", "3", "4"])
    #expect((0...4).allSatisfy { rig.phase(of: $0) == .loaded })
    let metrics = rig.tracker.metrics
    #expect((metrics.batches, metrics.started, metrics.finished) == (1, 5, 5))
    #expect(metrics.peakRunning == 1)
    #expect(rig.violations == [])
  }

  @Test("A batch has no more rows than its size, and takes one slot")
  func size() async throws {
    let rig = BatchRig(of: 2) { $0.slots = UpdateSlots(2) }
    try rig.play("cW[0…4] |")
    #expect(await rig.batches(2) == [[0, 1], [2, 3]])
    #expect(rig.phase(of: 4) == .waiting)
    await rig.answer(0, with: [0, 1])
    #expect(await rig.batches(2) == [[2, 3], [4]])
    #expect(rig.tracker.metrics.batches == 3)
    #expect(rig.violations == [])
  }

  @Test("A size below one counts as one, and a million takes all waiting rows", arguments: [0, -1])
  func oddSizes(size: Int) async throws {
    let small = BatchRig(of: size)
    try small.play("cW[0…2] |")
    #expect(await small.batches(3) == [[0], [1], [2]])
    for size in [1_000_000, Int.max] {
      let large = BatchRig(of: size) { $0.slots = UpdateSlots(1) }
      try large.play("cW[0…40] |")
      #expect(await large.batches(1) == [Array(0...40)])
      await large.answer(0, with: Array(0...40))
      #expect(large.tracker.metrics.finished == 41)
    }
  }

  @Test("Prefetched rows ride only beside prefetched rows")
  func prefetched() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] P[5,6] |")
    #expect(await rig.batches(2) == [[0, 1], [5, 6]])
    #expect(
      rig.contexts.value.map(\.claim).sorted { "\($0)" < "\($1)" } == [.displayed, .prefetched])
    try rig.play("c5(z) W5(z) |")
    #expect(rig.contexts.value.allSatisfy { $0.claim == .displayed })
    #expect(rig.tracker.metrics.batches == 2)
    #expect(rig.violations == [])
  }

  @Test("Rows that the app's cache has are not in the request")
  func cached() async throws {
    let stored = Box<[Int: String]>([:])
    let rig = BatchRig {
      $0.slots = UpdateSlots(1)
      $0.cached = { row in stored.value[row] }
    }
    try rig.play("cW[0…3]")
    stored.change { $0 = [1: "stored", 3: "stored"] }
    try rig.play("|")
    #expect(await rig.batches(1) == [[0, 2]])
    #expect(rig.value(of: 1) == "stored")
    #expect(rig.tracker.metrics.started == 2)
    await rig.answer(0, with: [0, 2])
    #expect(rig.violations == [])
    try rig.play("cW[4,5]")
    stored.change { $0 = [4: "stored", 5: "stored"] }
    try rig.play("| |")
    #expect(rig.tracker.metrics.batches == 1, "all rows are cached")
    #expect(rig.tracker.audit() == [])
  }

  @Test("Trackers that share slots take one slot for each batch")
  func sharedSlots() async throws {
    let slots = UpdateSlots(1)
    let rigs = (0..<2).map { _ in BatchRig { $0.slots = slots } }
    for rig in rigs { try rig.play("cW[0…2] |") }
    #expect(await rigs[0].batches(1) == [[0, 1, 2]])
    #expect(rigs[1].gate.log.began.isEmpty)
    #expect(rigs[1].tracker.explain(1).contains("held for 0 ms by rows 0, 1 and 1 more"))
    await rigs[0].answer(0, with: [0, 1, 2])
    #expect(await rigs[1].batches(1) == [[0, 1, 2]])
  }

  // MARK: Leaving

  @Test("A batch goes on until its last row has left, and then for its grace")
  func leaving() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    try rig.play("E0(a) | +200ms |")
    #expect(rig.gate.log.cancelled.isEmpty, "the other row waits")
    try rig.play("E1(b) | +100ms |")
    #expect(rig.gate.log.cancelled.isEmpty)
    #expect(rig.violations == [])
    try rig.play("+60ms |")
    #expect(rig.gate.log.cancelled == [[0, 1]])
    #expect(rig.recorder.cancelled.sorted() == [0, 1])
    await rig.tracker.waitUntilIdle()
    #expect(rig.tracker.metrics.cancelledRunning == 2)
    #expect(rig.tracker.metrics.cancelledPerStage == [.fetch: 2])
    #expect(rig.recorder.stopped.sorted() == [0, 1])
    #expect(rig.violations == [])
  }

  @Test("A row that has left joins again, without another request")
  func rejoining() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    try rig.play("E0(a) | +200ms | W0(a) E1(b) | +200ms |")
    #expect(rig.gate.log.cancelled.isEmpty && rig.tracker.metrics.batches == 1)
    #expect(rig.phase(of: 0) == .loading)
    await rig.answer(0, with: [0, 1])
    #expect(rig.value(of: 0) == "0")
    #expect(rig.value(of: 1) == "1", "an answer for a row that has left is kept")
    #expect(rig.tracker.metrics.finishedOffScreen == 1)
    #expect(rig.violations == [])
  }

  @Test("Answers for rows that were set or removed are refused")
  func setAndRemoved() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…2] |")
    _ = await rig.batches(1)
    try rig.play("v0 -[1] |")
    #expect(rig.gate.log.cancelled.isEmpty)
    await rig.answer(0, with: [0, 1, 2])
    #expect(rig.value(of: 0) == "set 0")
    #expect(rig.value(of: 1) == nil)
    #expect(rig.value(of: 2) == "2")
    let metrics = rig.tracker.metrics
    #expect((metrics.started, metrics.finished, metrics.refusedStale) == (3, 1, 2))
    #expect(metrics.applied == 1 && rig.recorder.stopped.contains(0))
    #expect(rig.violations == [])
  }

  @Test("The value of a row that was invalidated meanwhile is stale, and the row loads again")
  func invalidated() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    try rig.play("![0] |")
    await rig.answer(0, with: [0, 1])
    #expect(await rig.batches(1) == [[0]])
    #expect(rig.phase(of: 0) == .loading && rig.value(of: 0) == "0")
    #expect(rig.phase(of: 1) == .loaded)
    await rig.answer(0, with: [0])
    #expect(rig.phase(of: 0) == .loaded)
    #expect(rig.violations == [])
  }

  @Test("An answer for a row that was invalidated and has left is refused")
  func invalidatedAndGone() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    try rig.play("![0] E0(a) |")
    await rig.answer(0, with: [0, 1])
    #expect(rig.value(of: 0) == nil)
    #expect(rig.tracker.metrics.refusedStale == 1)
    #expect(rig.violations == [])
  }

  // MARK: Waiting

  @Test("The progress of a batch shows in each of its rows, and ends with it")
  func progress() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    rig.contexts.value[0].context.report(progress: 0.5)
    await rig.tracker.waitUntil { $0.phase(of: 1).progress == 0.5 }
    #expect(rig.tracker.phase(of: 0).progress == 0.5)
    await rig.answer(0, with: [0, 1])
    #expect(rig.phase(of: 0) == .loaded)
    #expect(rig.violations == [])
  }

  // MARK: Reports

  @Test("The explanation of a row names the size of its batch")
  func explanation() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…11] P[20,21] P[30] | +120ms")
    _ = await rig.batches(2)
    #expect(
      rig.tracker.explain(3)
        == "Row 3 has been loading for 120 ms in stage fetch, in a batch with 11 others.")
    try rig.play("X[20,21,30] +200ms | +200ms |")
    await rig.tracker.waitUntil { $0.core.engine.runs.lingering == 0 }
    try rig.play("c40(z) W40(z) |")
    _ = await rig.batches(2)
    #expect(rig.tracker.explain(40).hasSuffix("in a batch of its own."))
  }

  @Test("Each row has its events, and all rows of a batch name the same batch")
  func events() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…2] |")
    _ = await rig.batches(1)
    await rig.answer(0, with: [0, 2])
    var batches: [UInt64] = []
    var generations: Set<UInt64> = []
    for event in rig.recorder.events {
      if case .joined(let generation, let batch) = event.kind {
        batches.append(batch)
        generations.insert(generation)
      }
    }
    #expect(batches.count == 3 && Set(batches).count == 1 && generations.count == 3)
    #expect(rig.recorder.started == [0, 1, 2])
    #expect(rig.recorder.finished == [0, 2] && rig.recorder.failed == [1])
    let stages = rig.recorder.rows { if case .ran(.fetch, _, _) = $0 { true } else { false } }
    #expect(stages.sorted() == [0, 1, 2])
  }

  @Test("A context without an operation has the rows and the claim that a test gives it")
  func looseContext() async throws {
    let context = BatchContext(rows: [3, 4], claim: .prefetched)
    #expect(context.rows == [3, 4] && context.claim == .prefetched)
    #expect(try await context.stage(.decode) { 7 } == 7)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try context.checkCancellation()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
