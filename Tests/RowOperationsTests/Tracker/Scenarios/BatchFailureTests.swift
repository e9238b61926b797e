// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Failures of batches", .timeLimit(.minutes(10)))
@MainActor
struct BatchFailureTests {
  /// The codes of the library's own errors in the events of failed rows.
  private func codes(_ rig: BatchRig) -> [OperationError.Code?] {
    rig.recorder.events.compactMap { event in
      guard case .failed(_, let error) = event.kind else { return nil }
      return .some((error as? OperationError)?.code)
    }
  }

  @Test("A row that the answer lacks fails alone, and nothing retries it by itself")
  func missing() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…2] |")
    _ = await rig.batches(1)
    await rig.answer(0, with: [0, 2, 77])
    #expect(rig.phase(of: 1) == .failed && rig.code(of: 1) == .missingFromBatch)
    #expect(rig.value(of: 0) == "0" && rig.value(of: 2) == "2")
    #expect(!rig.tracker.explain(77).contains("loaded"), "rows that nobody asked for are ignored")
    try rig.play("E1(b) | W1(b) | Z | z | N | +5000ms |")
    #expect(rig.tracker.metrics.batches == 1)
    try rig.play("y1 |")
    #expect(await rig.batches(1) == [[1]])
    await rig.answer(1, with: [1])
    #expect(rig.phase(of: 1) == .loaded)
    #expect(rig.violations == [])
  }

  @Test("An empty answer fails each row")
  func empty() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    await rig.answer(0, with: [])
    #expect([0, 1].allSatisfy { rig.code(of: $0) == .missingFromBatch })
    #expect(codes(rig) == [.missingFromBatch, .missingFromBatch])
    #expect(rig.tracker.metrics.failed == 2)
    #expect(rig.violations == [])
    async let refreshed: Void = rig.tracker.refresh([0, 1])
    #expect(await rig.batches(1) == [[0, 1]])
    rig.gate.answerAll { "\($0)" }
    await refreshed
    #expect(rig.phase(of: 0) == .loaded && rig.phase(of: 1) == .loaded)
  }

  @Test("A prefetch in a batch is in vain once its row is removed, or its batch fails or times out")
  func inVain() async throws {
    let rig = BatchRig { $0.timeout = .seconds(1) }
    try rig.play("P[1,2] |")
    _ = await rig.batches(1)
    try rig.play("-[1] |")
    #expect(rig.tracker.metrics.prefetchedInVain == 1)
    await rig.fail(2)
    #expect(rig.tracker.metrics.prefetchedInVain == 2)
    try rig.play("P[3,4] |")
    _ = await rig.batches(1)
    try rig.play("+1000ms |")
    #expect(rig.tracker.metrics.prefetchedInVain == 4)
    #expect(rig.violations == [])
  }

  @Test("A failed batch loads again in halves, until the row at fault is alone")
  func halves() async throws {
    let asked = Box()
    let rig = BatchRig {
      $0.retry = .backoff(.constant(.seconds(1), limit: 2))
      $0.shouldRetry = { _ in
        asked.add()
        return true
      }
    }
    try rig.play("cW[0…5] |")
    #expect(await rig.batches(1) == [[0, 1, 2, 3, 4, 5]])
    await rig.fail(0)
    #expect(asked.value == 1, "once for all rows")
    #expect((0...5).allSatisfy { rig.tracker.phase(of: $0).error is BatchRig.Failure })
    #expect(codes(rig) == Array(repeating: nil, count: 6), "the error is the app's")
    try rig.play("+999ms |")
    #expect(rig.tracker.metrics.batches == 1)
    try rig.play("+1ms |")
    #expect(await rig.batches(2) == [[0, 1, 2], [3, 4, 5]])
    await rig.answer(0, with: [0, 1, 2])
    await rig.fail(3)
    try rig.play("+1000ms |")
    #expect(await rig.batches(2) == [[3, 4], [5]])
    await rig.answer(5, with: [5])
    await rig.fail(3)
    try rig.play("+1000ms |")
    #expect(await rig.batches(2) == [[3], [4]])
    await rig.answer(3, with: [3])
    // Only now do the two attempts that the policy allows begin to count.
    for _ in 0..<2 {
      await rig.fail(4)
      #expect(rig.tracker.explain(4).contains("loads again in"))
      try rig.play("+1000ms |")
      #expect(await rig.batches(1) == [[4]])
    }
    await rig.fail(4)
    try rig.play("+5000ms |")
    #expect(rig.phase(of: 4) == .failed)
    #expect(rig.tracker.metrics.finished == 5)
    #expect(rig.violations == [])
  }

  @Test("Healthy rows never ride with rows whose batch has failed")
  func separated() async throws {
    let rig = BatchRig { $0.retry = .backoff(.constant(.seconds(1), limit: 2)) }
    try rig.play("cW[0…3] |")
    _ = await rig.batches(1)
    await rig.fail(0)
    try rig.play("+1000ms c7(y) W7(y) c8(z) W8(z) |")
    #expect(await rig.batches(3) == [[0, 1], [2, 3], [7, 8]])
  }

  @Test("After the next display, rows of a failed batch load again in halves, too")
  func nextDisplay() async throws {
    let rig = BatchRig()
    try rig.play("cW[0…3] |")
    _ = await rig.batches(1)
    await rig.fail(0)
    #expect((0...3).allSatisfy { rig.phase(of: $0) == .failed })
    try rig.play("E0(a) E1(b) E2(c) E3(d) | W0(a) W1(b) W2(c) W3(d) |")
    #expect(await rig.batches(2) == [[0, 1], [2, 3]])
    await rig.answer(0, with: [0, 1])
    await rig.answer(2, with: [2, 3])
    try rig.play("!* |")
    #expect(await rig.batches(1) == [[0, 1, 2, 3]], "a value ends the separation")
  }

  @Test("An error that the app refuses to retry fails all rows for good")
  func refused() async throws {
    let rig = BatchRig {
      $0.retry = .backoff(.constant(.seconds(1), limit: 2))
      $0.shouldRetry = { _ in false }
    }
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    await rig.fail(0)
    try rig.play("+5000ms | E0(a) | W0(a) |")
    #expect(rig.tracker.metrics.batches == 1)
    #expect(rig.phase(of: 0) == .failed && rig.phase(of: 1) == .failed)
    rig.tracker.retryFailed()
    rig.tracker.endPass()
    #expect(await rig.batches(1) == [[1, 0]], "row 0 came on screen later")
  }

  @Test("An error does not fail rows that have left")
  func left() async throws {
    let rig = BatchRig()
    try rig.play("cW[0,1] |")
    _ = await rig.batches(1)
    try rig.play("E0(a) |")
    await rig.fail(0)
    #expect(rig.phase(of: 1) == .failed)
    #expect(rig.phase(of: 0) == .waiting)
    let metrics = rig.tracker.metrics
    #expect((metrics.started, metrics.failed, metrics.cancelledRunning) == (2, 1, 1))
    #expect(rig.tracker.core.state.errors.count == 1, "nobody reads the error of row 0")
    #expect(rig.violations == [])
  }

  @Test("A batch that takes too long fails with the timeout, and loads again in halves")
  func timeout() async throws {
    let rig = BatchRig {
      $0.timeout = .seconds(1)
      $0.retry = .backoff(.constant(.seconds(1), limit: 2))
    }
    try rig.play("cW[0…3] |")
    _ = await rig.batches(1)
    try rig.play("+1000ms |")
    #expect((0...3).allSatisfy { rig.code(of: $0) == .timedOut })
    #expect(codes(rig) == Array(repeating: .timedOut, count: 4))
    #expect(rig.gate.log.cancelled == [[0, 1, 2, 3]])
    #expect(rig.tracker.metrics.failed == 4)
    try rig.play("+1000ms |")
    #expect(await rig.batches(2) == [[0, 1], [2, 3]])
    #expect(rig.violations == [])
  }
}
