import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

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

  @Test("The explanation names the attempt that executes, also after a retry without a pause")
  func explained() async {
    let (began, mayEnd) = (Gate(), Gate())
    let operation = RetryOperation<Int>(.immediate(limit: 3)) { attempt in
      if attempt == 0 { throw Failure() }
      began.open()
      await mayEnd.opened()
      return attempt
    }
    queue.enqueue(operation)
    await began.opened()
    #expect(queue.explain(operation).contains("attempt 2 of at most"))
    mayEnd.open()
    await operation.ended()
  }

  @Test("A retry waits exactly as its strategy says, on every clock, and ends with the last error")
  func waits() async throws {
    for clock in TestClock.both {
      let attempts = Box()
      let operation = RetryOperation<Int>(
        .exponential(from: .seconds(1), jitter: 0, limit: 2), clock.stopwatch, { _, _ in true }
      ) { attempt in
        attempts.add()
        throw Failure(number: attempt)
      }
      queue.enqueue(operation)
      for (attempt, seconds) in [(1, 1), (2, 2)] {
        await until { clock.waits == 1 }
        clock.advance(by: .seconds(seconds) - .nanoseconds(1))
        #expect(clock.waits == 1 && attempts.value == attempt)
        clock.advance(by: .nanoseconds(1))
      }
      await operation.ended()
      #expect(operation.error as? Failure == Failure(number: 2))
    }
  }

  @Test(
    "shouldRetry gets the error and the attempt, ends the series, and is not asked at the limit")
  func shouldRetry() async {
    for limit in [9, 0] {
      let asked = Box<[Int]>([])
      let operation = RetryOperation<Int>(
        .immediate(limit: limit),
        shouldRetry: { error, attempt in
          asked.append(attempt)
          return (error as? Failure)?.number == 0
        }
      ) { throw Failure(number: $0) }
      queue.enqueue(operation)
      await operation.ended()
      #expect(operation.error as? Failure == Failure(number: min(limit, 1)))
      #expect(asked.value == (limit == 0 ? [] : [0, 1]))
    }
  }

  @Test("By default an error that is not transient ends the series")
  func notTransient() async {
    let errors: [any Error] = [CancellationError(), HTTPStatusError(status: 404), Failure()]
    for (error, count) in zip(errors, [1, 1, 10]) {
      let attempts = Box()
      let operation = RetryOperation<Int>(.immediate(limit: 9)) { _ in
        attempts.add()
        throw error
      }
      queue.enqueue(operation)
      await operation.ended()
      #expect(attempts.value == count)
    }
  }

  @Test(
    "No attempt begins after a cancel or an end, however soon the body fails",
    arguments: Stop.allCases)
  func finalStop(stop: Stop) async {
    for number in 0..<200 {
      let (subject, attempts, asked) = (Box(Subject()), Box(), Box())
      let operation = RetryOperation<Int>(
        .immediate(limit: .max), shouldRetry: { _, _ in asked.add() > 0 }
      ) { attempt in
        attempts.add()
        // A cancel reaches the task a little later, on another thread.
        if attempt == number % 10 { subject.value.operation.map(stop.perform) }
        throw Failure(number: attempt)
      }
      subject.set(Subject(operation: operation))
      queue.enqueue(operation)
      await operation.ended()
      await until { operation.attemptsAreOver }
      #expect(attempts.value == number % 10 + 1 && asked.value == number % 10)
      if stop == .cancel { #expect(operation.error as? Failure == Failure(number: number % 10)) }
    }
  }

  /// The ways to stop an operation.
  enum Stop: CaseIterable {
    case cancel, timeout, finish

    func perform(_ operation: RetryOperation<Int>) {
      switch self {
      case .cancel: operation.cancel()
      case .timeout: operation.cancel(throwing: Failure(number: -1))
      case .finish: operation.finish(with: .success(-1))
      }
    }
  }

  private struct Subject: Sendable {
    weak var operation: RetryOperation<Int>?
  }

  @Test("A retry waits as long as the server wants, or gives up if that is too long")
  func retryAfter() async throws {
    let attempts = Box()
    let operation = RetryOperation<Int>(.immediate(limit: 9), clock: clock) { attempt in
      attempts.add()
      let wait: Int64 = attempt == 0 ? 30 : .max
      throw HTTPStatusError(status: 503, retryAfter: .seconds(wait))
    }
    queue.enqueue(operation)
    await until { clock.sleepers == 1 }
    clock.advance(by: .seconds(30) - .nanoseconds(1))
    #expect(clock.sleepers == 1 && attempts.value == 1)
    clock.advance(by: .nanoseconds(1))
    await operation.ended()
    #expect((operation.error as? HTTPStatusError)?.retryAfter == .seconds(Int64.max))
    #expect(attempts.value == 2)
  }

  @Test("A pause can be ended at once on every clock, and outside of one nothing happens")
  func retryNow() async throws {
    for clock in TestClock.both {
      let mayFail = Gate()
      let operation = RetryOperation<Int>(
        .constant(.seconds(9), limit: 1), clock.stopwatch, { _, _ in true }
      ) { attempt in
        await mayFail.opened()
        if attempt == 0 { throw Failure() }
        return attempt
      }
      operation.retryNow()
      queue.enqueue(operation)
      operation.retryNow()
      mayFail.open()
      await until { clock.waits == 1 }
      operation.retryNow()
      #expect(try await operation.value == 1)
      await until { clock.waits == 0 }
    }
  }

  @Test(
    "A cancel or an end ends a pause of any length at once, on every clock",
    arguments: Stop.allCases, [Duration.seconds(3), .seconds(Int64.max)])
  func endedWait(stop: Stop, pause: Duration) async {
    for clock in TestClock.both {
      let isReleased = Gate()
      let operation = RetryOperation<Int>(
        .constant(pause, limit: 9), clock.stopwatch, { _, _ in true }
      ) { [token = Token(isReleased)] _ in
        withExtendedLifetime(token) {}
        throw Failure()
      }
      queue.enqueue(operation)
      await until { clock.waits == 1 }
      stop.perform(operation)
      await operation.ended()
      #expect((operation.error is CancellationError) == (stop == .cancel))
      await until { operation.attemptsAreOver && clock.waits == 0 }
      await isReleased.opened()
    }
  }
}

extension RetryOperation {
  /// Whether the task of the attempts has returned.
  var attemptsAreOver: Bool { !worksOn }
}
