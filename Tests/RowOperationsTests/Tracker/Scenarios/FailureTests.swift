// Sources/RowOperationsTesting/Scripts/EventScript.swift explains the letters of event scripts.

import Foundation
import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Loads that fail", .timeLimit(.minutes(10)))
@MainActor
struct FailureTests {
  @Test("A failed row stays failed while it is displayed, and loads again on its next display")
  func onNextDisplay() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("c1(a) W1(a) | f1 | |")
    #expect(rig.phase(of: 1) == .failed)
    #expect(rig.starts(of: 1) == 1)
    try rig.play("E1(a) | W1(a) |")
    #expect(rig.starts(of: 1) == 2)
    try await rig.playToTheEnd("F1")
    #expect(rig.phase(of: 1) == .loaded)
  }

  @Test("The error of a row has the body of its response while the row is on screen")
  func bodies() async throws {
    let rig = TrackerRig()
    func shown(_ row: Int) -> HTTPStatusError? {
      rig.tracker.phase(of: row).error as? HTTPStatusError
    }
    let error = HTTPStatusError(status: 422, body: Data("{}".utf8), headers: ["a": "b"])
    try await rig.playToTheEnd("c1(a) W1(a) P[2] |")
    for row in [1, 2] { await rig.end(row, with: .failure(error)) }
    try await rig.playToTheEnd("| |")
    #expect([1, 2].map { shown($0)?.body.count } == [2, 0])
    try await rig.playToTheEnd("E1(a) |")
    #expect(shown(1)?.body.isEmpty == true && shown(1)?.headers == ["a": "b"])
    #expect(rig.tracker.core.bodies.isEmpty)
  }

  @Test("A row that failed during its prefetch loads again when it is displayed")
  func prefetchFailed() async throws {
    let rig = TrackerRig()
    try await rig.playToTheEnd("P[1] | f1 | |")
    #expect(rig.starts(of: 1) == 1)
    try rig.play("c1(a) W1(a) |")
    #expect(rig.starts(of: 1) == 2)
  }

  @Test("With .never a failed row loads again only on request")
  func never() async throws {
    let rig = TrackerRig { $0.retry = .never }
    try await rig.playToTheEnd("c1(a) W1(a) | f1 | E1(a) | W1(a) |")
    #expect(rig.phase(of: 1) == .failed)
    #expect(rig.starts(of: 1) == 1)
    try rig.play("y1 |")
    #expect(rig.starts(of: 1) == 2)
  }

  @Test("retryFailed loads failed rows, and rows off screen on their next display")
  func retryFailed() async throws {
    let rig = TrackerRig { $0.retry = .never }
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) c3(c) W3(c) | f1 f2 E2(b) |")
    await rig.tracker.pendingTurns()
    rig.tracker.retryFailed()
    #expect(rig.tracker.core.engine.turns.isRequested)
    rig.tracker.endPass()
    #expect(rig.starts(of: 1) == 2)
    #expect(rig.starts(of: 2) == 1, "the row is off screen")
    try rig.play("W2(b) |")
    #expect(rig.starts(of: 2) == 2)
  }

  @Test("With .backoff a row loads again after each delay, and fails after the last attempt")
  func backoff() async throws {
    let rig = TrackerRig {
      $0.retry = .backoff(.delays([.milliseconds(100), .milliseconds(300)]))
    }
    try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
    #expect(rig.phase(of: 1) == .waiting)
    try rig.play("+99ms |")
    #expect(rig.starts(of: 1) == 1)
    try await rig.playToTheEnd("+1ms | f1 | +299ms |")
    #expect(rig.starts(of: 1) == 2)
    try await rig.playToTheEnd("+1ms | f1 | +10000ms |")
    #expect(rig.starts(of: 1) == 3)
    #expect(rig.phase(of: 1) == .failed)
    #expect(rig.tracker.metrics.failed == 3)
    try rig.play("E1(a) | W1(a) |")
    #expect(rig.starts(of: 1) == 4, "its next display begins a new series")
  }

  @Test("With .backoff a row waits as long as its server wants, or fails if that is too long")
  func retryAfter() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.milliseconds(100), limit: 5)) }
    try await rig.playToTheEnd("c1(a) W1(a) |")
    await rig.end(1, with: .failure(HTTPStatusError(status: 503, retryAfter: .seconds(30))))
    try await rig.playToTheEnd("| +29999ms |")
    #expect(rig.starts(of: 1) == 1 && rig.phase(of: 1) == .waiting)
    try await rig.playToTheEnd("+1ms |")
    #expect(rig.starts(of: 1) == 2)
    await rig.end(1, with: .failure(HTTPStatusError(status: 503, retryAfter: .seconds(61))))
    try await rig.playToTheEnd("|")
    #expect(rig.phase(of: 1) == .failed)
  }

  @Test("The wait for another attempt counts as work and ends with the last claim")
  func backoffIsWork() async throws {
    let rig = TrackerRig { $0.retry = .backoff(.constant(.seconds(1), limit: 5)) }
    try await rig.playToTheEnd("c1(a) W1(a) | f1 |")
    var isIdle = false
    let waiting = Task {
      await rig.tracker.waitUntilIdle()
      isIdle = true
    }
    await rig.recorder.wait { !$0.failed.isEmpty }
    try rig.play("| |")
    await Task.yield()
    #expect(!isIdle)
    try rig.play("E1(a) |")
    await waiting.value
    #expect(isIdle)
  }

  @Test("A load that exceeds its timeout fails and releases its slot")
  func timeout() async throws {
    let rig = TrackerRig(stopsWhenCancelled: false) {
      $0.timeout = .seconds(1)
      $0.slots = UpdateSlots(1)
    }
    try await rig.playToTheEnd("c1(a) W1(a) c2(b) W2(b) | +999ms |")
    #expect(rig.rows(in: .loading) == [1])
    try rig.play("+1ms |")
    #expect(rig.phase(of: 1) == .failed)
    #expect((rig.tracker.phase(of: 1).error as? OperationError)?.code == .timedOut)
    #expect(rig.rows(in: .loading) == [2])
    await rig.end(1, with: .success(.init(row: 1, generation: 0)), isCounted: false)
    #expect(rig.phase(of: 1) == .failed)
    #expect(rig.tracker.metrics.failed == 1)
    #expect(rig.recorder.failed == [1] && rig.recorder.cancelled.isEmpty)
    #expect(rig.violations == [])
  }

  @Test("Only the last 1,000 failures are remembered")
  func failureMemory() async throws {
    let tracker = DisplayTracker<Int, Int>(
      configuration: {
        var configuration = TrackerConfiguration<Int, Int>()
        configuration.slots = UpdateSlots(2000)
        configuration.prefetchWindow.limit = 1000
        return configuration
      }()
    ) { throw TrackerRig.Failure(row: $0.row) }
    tracker.prefetch(0..<100)
    await tracker.waitUntilIdle()
    tracker.prefetch(100..<1100)
    await tracker.waitUntilIdle()
    #expect(tracker.metrics.failed == 1100)
    tracker.cancelPrefetch(0..<1100)
    tracker.endPass()
    let remembered = (0..<1100).filter { tracker.phase(of: $0).error != nil }
    #expect(remembered.count == 1000)
  }

  @Test("An operation that the app cancels counts as failed and does not restart")
  func cancelledByTheApp() async {
    var operations: [UpdateOperation<Int, Int>] = []
    let gate = LoadGate<Int, Int>()
    let tracker = DisplayTracker<Int, Int> { token in
      let operation = UpdateOperation(token: token) { try await gate.load($0) }
      operations.append(operation)
      return operation
    }
    let cell = SimulatedCell(number: 0)
    tracker.bind(cell, to: 1) { _, _ in }
    tracker.willDisplay(cell)
    tracker.endPass()
    operations[0].cancel()
    await tracker.waitUntilIdle()
    #expect(tracker.phase(of: 1).error is CancellationError)
    #expect(operations.count == 1)
  }

  @Test(
    "An operation with another row's token, or a started one, is refused and harms no other row")
  func unusable() async {
    let tracker = DisplayTracker<Int, Int> { token in
      switch token.row {
      case 1: return UpdateOperation(token: RowToken(row: 9, generation: 0)) { $0.row }
      case 2:
        let operation = UpdateOperation<Int, Int>(token: token) { $0.row }
        operation.start()
        return operation
      default: return UpdateOperation(token: token) { $0.row }
      }
    }
    tracker.prefetch([1, 2, 3])
    await tracker.waitUntilIdle()
    for row in [1, 2] {
      #expect((tracker.phase(of: row).error as? OperationError)?.code == .unusableOperation)
    }
    #expect(tracker.phase(of: 3).value == 3)
  }
}
