import Foundation
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

@Suite("Retry state machine")
struct RetryStateMachineTests {
  @Test("The series attempts, waits and attempts again, counting from 0")
  func series() {
    var machine = RetryStateMachine()
    #expect(machine.attempt == 0)
    #expect(machine.attemptFailed(isCancelled: false, delay: .seconds(1)) == .wait(.seconds(1)))
    #expect(machine.attempt == nil)
    #expect(machine.waitEnded(isCancelled: false) == .attempt(1))
    #expect(machine.attempt == 1)
  }

  @Test("The series gives up when there is no further delay")
  func noDelay() {
    var machine = RetryStateMachine()
    #expect(machine.attemptFailed(isCancelled: false, delay: nil) == .giveUp)
    #expect(machine.attempt == nil)
  }

  @Test("A cancel ends the series in an attempt and in a wait")
  func cancelled() {
    var attempting = RetryStateMachine()
    #expect(attempting.attemptFailed(isCancelled: true, delay: .zero) == .giveUp)
    var waiting = RetryStateMachine()
    _ = waiting.attemptFailed(isCancelled: false, delay: .zero)
    #expect(waiting.waitEnded(isCancelled: true) == .giveUp)
    #expect(waiting.attempt == nil)
  }

  @Test("An event at the wrong moment ends the series")
  func wrongMoment() {
    var machine = RetryStateMachine()
    #expect(machine.waitEnded(isCancelled: false) == .giveUp)
    #expect(machine.attemptFailed(isCancelled: false, delay: .zero) == .giveUp)
  }
}

@Suite("RetryOperation", .timeLimit(.minutes(10)))
struct RetryTests {
  private let queue = OperationQueue(width: 2)
  private let clock = ManualClock()

  @Test("The first successful attempt gives the value; attempts are numbered from 0")
  func succeeds() async throws {
    let attempts = Box<[Int]>([])
    let operation = RetryOperation(.immediate(limit: 5)) { attempt in
      attempts.append(attempt)
      if attempt < 2 { throw Failure() }
      return attempt
    }
    #expect(try await queue.value(of: operation) == 2)
    #expect(attempts.value == [0, 1, 2])
  }

  @Test(
    "Each strategy retries up to its limit, and the last error is the result",
    arguments: [
      RetryStrategy.immediate(limit: 3), .constant(.seconds(1), limit: 3),
      .exponential(from: .seconds(1), limit: 3), .delays([.zero, .seconds(1), .seconds(5)]),
    ])
  func limit(strategy: RetryStrategy) async throws {
    let operation = RetryOperation<Int>(strategy, clock: clock) { throw Failure(number: $0) }
    queue.enqueue(operation)
    while operation.result == nil {
      clock.advance(by: .seconds(100))
      await Task.yield()
    }
    #expect(operation.error as? Failure == Failure(number: 3))
  }

  @Test("A retry waits exactly as long as its strategy says")
  func waits() async throws {
    let attempts = Box()
    let operation = RetryOperation<Int>(
      .exponential(from: .seconds(1), jitter: 0, limit: 2), clock: clock
    ) { _ in
      attempts.add()
      throw Failure()
    }
    queue.enqueue(operation)
    for (attempt, seconds) in [(1, 1), (2, 2)] {
      await until { clock.sleepers == 1 }
      clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(clock.sleepers == 1 && attempts.value == attempt)
      clock.advance(by: .milliseconds(1))
    }
    await operation.ended()
    #expect(attempts.value == 3)
  }

  @Test("shouldRetry receives the attempt and ends the series when it returns false")
  func shouldRetry() async {
    let asked = Box<[Int]>([])
    let operation = RetryOperation<Int>(
      .immediate(limit: 9),
      shouldRetry: { error, attempt in
        asked.append(attempt)
        return (error as? Failure)?.number == 0
      }
    ) { throw Failure(number: $0) }
    queue.enqueue(operation)
    await operation.ended()
    #expect(operation.error as? Failure == Failure(number: 1))
    #expect(asked.value == [0, 1])
  }

  @Test("shouldRetry is not called when no attempt is left")
  func notAsked() async {
    let asked = Box()
    let operation = RetryOperation<Int>(
      .immediate(limit: 0), shouldRetry: { _, _ in asked.add() > 0 }
    ) { _ in throw Failure() }
    queue.enqueue(operation)
    await operation.ended()
    #expect(asked.value == 0)
  }

  @Test("A cancel ends the wait while the clock stands still")
  func cancelledWaiting() async {
    let operation = RetryOperation<Int>(.constant(.seconds(1), limit: 9), clock: clock) { _ in
      throw Failure()
    }
    queue.enqueue(operation)
    await until { clock.sleepers == 1 }
    operation.cancel()
    await operation.ended()
    #expect(operation.error is CancellationError)
    #expect(clock.sleepers == 0)
  }

  @Test("A cancelled retry finishes after the running attempt and makes no further one")
  func cancelledAttempting() async {
    let (began, mayEnd, attempts) = (Gate(), Gate(), Box())
    let operation = RetryOperation<Int>(.immediate(limit: 9)) { _ in
      attempts.add()
      began.open()
      await mayEnd.opened()
      try Task.checkCancellation()
      return 1
    }
    queue.enqueue(operation)
    await began.opened()
    operation.cancel()
    #expect(!operation.isFinished)
    mayEnd.open()
    await operation.ended()
    #expect(operation.error is CancellationError && attempts.value == 1)
  }

  @Test("By default a CancellationError from an attempt ends the series")
  func cancellationInside() async {
    let attempts = Box()
    let operation = RetryOperation<Int>(.immediate(limit: 9)) { _ in
      attempts.add()
      throw CancellationError()
    }
    queue.enqueue(operation)
    await operation.ended()
    #expect(attempts.value == 1)
  }

  @Test("A retry that is cancelled before its start fails with CancellationError")
  func cancelledBefore() async {
    let operation = RetryOperation(.immediate(limit: 9)) { $0 }
    operation.cancel()
    queue.enqueue(operation)
    await queue.emptied()
    #expect(operation.error is CancellationError)
  }

  @Test("A retry that is finished from outside ends its wait and releases its body")
  func finishedOutside() async {
    let body = Gate()
    let operation = RetryOperation<Int>(.constant(.seconds(1), limit: 9), clock: clock) {
      [token = Token(body)] _ in
      withExtendedLifetime(token) {}
      throw Failure()
    }
    queue.enqueue(operation)
    await until { clock.sleepers == 1 }
    operation.finish(with: .success(7))
    // The body is released when the series is over.
    await body.opened()
    #expect(clock.sleepers == 0)
  }
}
