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

  @Test("A cancel by shouldRetry ends the operation without a wait")
  func cancelledByShouldRetry() async {
    let own = Box<RetryOperation<Int>?>(nil)
    let operation = RetryOperation<Int>(
      .constant(.seconds(3_600), limit: 9),
      shouldRetry: { _, _ in
        own.value?.cancel()
        return true
      }
    ) { _ in throw Failure() }
    own.set(operation)
    queue.enqueue(operation)
    await operation.ended()
    own.set(nil)
    #expect(operation.error is CancellationError)
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
    await until { clock.sleepers == 0 }
  }

  @Test("A cancelled retry finishes after the running attempt and makes no further one")
  func cancelledAttempting() async {
    let (began, mayEnd, attempts) = (Gate(), Gate(), Box())
    let operation = RetryOperation<Int>(.immediate(limit: 9)) { _ in
      attempts.add()
      began.open()
      await mayEnd.opened()
      // A cancel reaches the task a little later, on another thread.
      while !Task.isCancelled { await Task.yield() }
      throw CancellationError()
    }
    queue.enqueue(operation)
    await began.opened()
    operation.cancel()
    #expect(!operation.isFinished)
    mayEnd.open()
    await operation.ended()
    #expect(operation.error is CancellationError && attempts.value == 1)
  }

  @Test("A retry that is cancelled in an attempt ends with its error, and asks no more")
  func failsAfterCancel() async {
    for _ in 0..<100 {
      let (subject, asked) = (Box(Subject()), Box())
      let operation = RetryOperation<Int>(
        .immediate(limit: 9), shouldRetry: { _, _ in asked.add() > 0 }
      ) { attempt in
        // The cancel reaches the task a little later, on another thread.
        subject.value.operation?.cancel()
        throw Failure(number: attempt)
      }
      subject.set(Subject(operation: operation))
      queue.enqueue(operation)
      await operation.ended()
      #expect(operation.error as? Failure == Failure(number: 0) && asked.value == 0)
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
    await until { clock.sleepers == 0 }
  }

  @Test(
    "No attempt begins after a cancel or an end, however soon the body fails",
    arguments: Stop.allCases)
  func finalStop(stop: Stop) async {
    let operations = (0..<200).map { number in
      let subject = Box<Subject>(Subject())
      let attempts = Box()
      let operation = RetryOperation<Int>(.immediate(limit: .max)) { attempt in
        attempts.add()
        if attempt == number % 10 { subject.value.operation.map(stop.perform) }
        throw Failure(number: attempt)
      }
      subject.set(Subject(operation: operation))
      return (number, operation, attempts)
    }
    for (_, operation, _) in operations { queue.enqueue(operation) }
    for (number, operation, attempts) in operations {
      await operation.ended()
      await until { operation.attemptsAreOver }
      #expect(attempts.value == number % 10 + 1)
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
    for hasOwnClock in [true, false] {
      let time = HeldTime()
      let mayFail = Gate()
      let stopwatch = hasOwnClock ? Stopwatch(clock) : .timekeeper(time.timekeeper)
      let operation = RetryOperation<Int>(
        .constant(.seconds(9), limit: 1), stopwatch, { _, _ in true }
      ) { attempt in
        await mayFail.opened()
        if attempt == 0 { throw Failure() }
        return attempt
      }
      operation.retryNow()
      queue.enqueue(operation)
      operation.retryNow()
      mayFail.open()
      await until { time.timekeeper.count + clock.sleepers == 1 }
      operation.retryNow()
      #expect(try await operation.value == 1)
      await until { time.timekeeper.count + clock.sleepers == 0 }
    }
  }

  @Test("With the continuous clock, a retry waits exactly as long as its strategy says")
  func continuousClock() async throws {
    let (time, attempts) = (HeldTime(), Box())
    let operation = RetryOperation<Int>(
      .constant(.seconds(3), limit: 1), .timekeeper(time.timekeeper), { _, _ in true }
    ) { attempt in
      attempts.add()
      if attempt == 0 { throw Failure() }
      return 7
    }
    queue.enqueue(operation)
    await until { time.timekeeper.count == 1 }
    time.advance(by: .seconds(3) - .nanoseconds(1))
    #expect(time.timekeeper.count == 1 && attempts.value == 1)
    time.advance(by: .nanoseconds(1))
    #expect(time.timekeeper.count == 0)
    #expect(try await operation.value == 7)
  }

  @Test("A retry without a delay sets no alarm")
  func withoutDelay() async throws {
    let time = HeldTime()
    let operation = RetryOperation<Int>(
      .immediate(limit: 2), .timekeeper(time.timekeeper), { _, _ in true }
    ) { attempt in
      if attempt < 2 { throw Failure() }
      return attempt
    }
    queue.enqueue(operation)
    await until { operation.isFinished || !time.settings.value.isEmpty }
    #expect(try operation.result?.get() == 2 && time.settings.value == [])
    operation.cancel()
  }

  @Test("A cancel or an end ends a wait on the continuous clock at once", arguments: Stop.allCases)
  func endedWait(stop: Stop) async {
    let time = HeldTime()
    let operation = RetryOperation<Int>(
      .constant(.seconds(3), limit: 9), .timekeeper(time.timekeeper), { _, _ in true }
    ) { _ in throw Failure() }
    queue.enqueue(operation)
    await until { time.timekeeper.count == 1 }
    stop.perform(operation)
    await until { operation.attemptsAreOver }
    #expect(time.timekeeper.count == 0)
    await operation.ended()
  }

  @Test("A delay of more than 36 years waits until a cancel", arguments: [false, true])
  func endless(hasOwnClock: Bool) async {
    let time = HeldTime()
    let stopwatch = hasOwnClock ? Stopwatch(clock) : .timekeeper(time.timekeeper)
    let operation = RetryOperation<Int>(
      .constant(.seconds(Int64.max), limit: 9), stopwatch, { _, _ in true }
    ) { _ in throw Failure() }
    queue.enqueue(operation)
    await until { time.timekeeper.count + clock.sleepers == 1 }
    operation.cancel()
    await operation.ended()
    #expect(operation.error is CancellationError)
  }
}

extension RetryOperation {
  /// Whether the task of the attempts has returned.
  var attemptsAreOver: Bool { !worksOn }
}
