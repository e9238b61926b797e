import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Timeout", .timeLimit(.minutes(10)))
struct TimeoutTests {
  private let queue = OperationQueue(width: 2)
  private let clock = ManualClock()

  @Test("A timeout cancels the operation and its task on time, and fails with the library's error")
  func timesOut() async {
    for clock in TestClock.both {
      let cancelled = Gate()
      let operation = TaskOperation<Int> {
        try? await Gate().openedOrCancelled()
        cancelled.open()
        return 1
      }
      operation.timeout(after: .seconds(600), clock.stopwatch)
      queue.enqueue(operation)
      await until { clock.waits == 1 }
      clock.advance(by: .seconds(600) - .nanoseconds(1))
      #expect(operation.result == nil)
      clock.advance(by: .nanoseconds(1))
      await operation.ended()
      #expect(operation.hasTimedOut && operation.isCancelled && clock.waits == 0)
      await cancelled.opened()
    }
  }

  @Test("An operation that ends in time is not cancelled, and no wait remains")
  func inTime() async throws {
    for clock in TestClock.both {
      let operation = TaskOperation { 1 }.timeout(after: .seconds(5), clock.stopwatch)
      #expect(try await queue.value(of: operation) == 1)
      await until { clock.waits == 0 }
      #expect(!operation.isCancelled)
    }
  }

  @Test("The error names the operation, and quotes the failure of the last attempt of a retry")
  func quotesTheLastFailure() async {
    let refusal = HTTPStatusError(status: 429, retryAfter: .seconds(2))
    let operation = RetryOperation<Int>(.constant(.seconds(1), limit: 9), clock: clock) { attempt in
      throw attempt == 0 ? Failure() : refusal
    }
    operation.name = "sync"
    operation.timeout(after: .milliseconds(1_500), clock: clock)
    queue.enqueue(operation)
    await until { clock.sleepers == 2 }
    clock.advance(by: .seconds(1))
    // The limit, and the pause after the second attempt.
    await until { clock.sleepers == 2 }
    clock.advance(by: .milliseconds(500))
    await operation.ended()
    let sentence = operation.error?.localizedDescription ?? ""
    #expect(operation.hasTimedOut && sentence.hasPrefix("The operation 'sync' was cancelled"))
    #expect(sentence.hasSuffix("Its last attempt failed: \(refusal.localizedDescription)"))
  }

  @Test(
    "A timeout wakes the work once, also after a cancel, and a late finish changes nothing",
    arguments: [false, true])
  func wakesWork(isCancelled: Bool) async {
    let operation = Sleeper(isDeaf: isCancelled)
    let misuses = Misuses(of: operation)
    operation.timeout(after: .seconds(1), clock: clock)
    queue.enqueue(operation)
    await until { clock.sleepers == 1 }
    if isCancelled { operation.cancel() }
    clock.advance(by: .seconds(1))
    await operation.ended()
    await until { operation.wakes.value > 0 }
    #expect(!operation.finish(with: .success(1)) && operation.hasTimedOut)
    #expect(operation.wakes.value == 1 && misuses.codesOnAnyMachine == [])
  }

  @Test("A timeout during another thread's cancel wakes the work once")
  func cancelledMeanwhile() async {
    let operation = Sleeper(isDeaf: true)
    operation.timeout(after: .seconds(1), clock: clock)
    operation.addObserver(
      OperationObserver(cancelled: { [clock] in
        clock.advance(by: .seconds(1))
        while ($0 as? Sleeper)?.result == nil { sched_yield() }
      }))
    queue.enqueue(operation)
    await until { clock.sleepers == 1 }
    await onThread { operation.cancel() }
    #expect(operation.isFinished && operation.hasTimedOut && operation.wakes.value == 1)
  }

  @Test("The wait for the start does not count towards the limit")
  func waiting() async throws {
    let dependency = TaskOperation {}
    let operation = TaskOperation { 1 }.timeout(after: .seconds(1), clock: clock)
    operation.addDependency(dependency)
    queue.enqueue(operation)
    clock.advance(by: .seconds(100))
    queue.enqueue(dependency)
    #expect(try await operation.value == 1)
  }

  @Test("A timeout wins over an observer that finishes the work on cancel")
  func observerThatEnds() async {
    for _ in 0..<100 {
      let operation = Sleeper()
      operation.addObserver(
        OperationObserver(cancelled: { ($0 as? Sleeper)?.finish(with: .failure(Failure())) }))
      operation.timeout(after: .seconds(1), clock: clock)
      let misuses = Misuses(of: operation)
      queue.enqueue(operation)
      await until { clock.sleepers == 1 }
      clock.advance(by: .seconds(1))
      await operation.ended()
      #expect(operation.hasTimedOut && misuses.codesOnAnyMachine == [])
    }
  }

  @Test("Limits end operations on time while bodies block all threads that run tasks")
  func fullPool() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (mayEnd, ended, allEnded) = (Gate(), Box(), Gate())
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      let began = Box()
      let blocked: [ResultOperation<Int>] = (0..<count).map { _ in
        TaskOperation {
          began.add()
          mayEnd.wait()
          return 1
        }
      }
      let operations = blocked + [Stubborn()]
      for operation in operations {
        operation.timeout(after: .milliseconds(1))
        operation.onResult { _ in
          if ended.add() == operations.count { allEnded.open() }
        }
      }
      OperationQueue().enqueue(operations)
      Thread.detachNewThread {
        // Without the limits, the operations end after the bodies.
        allEnded.wait()
        let areLate = operations.contains { !$0.hasTimedOut }
        mayEnd.open()
        exit(areLate ? 1 : 0)
      }
      await Gate().opened()
    }
  }

  @Test("A body whose operation ends or is cancelled while it waits for a thread does not begin")
  func noLateBody() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (mayEnd, allThreads, began) = (Gate(), Gate(), Box())
      let count = ProcessInfo.processInfo.activeProcessorCount
      let blocked = Box()
      OperationQueue().enqueue(
        (0..<count).map { _ in
          TaskOperation {
            if blocked.add() == count { allThreads.open() }
            mayEnd.wait()
          }
        })
      Thread.detachNewThread {
        allThreads.wait()
        let queue = OperationQueue()
        let operations: [TaskOperation<Int>] = (0..<4).map { _ in
          TaskOperation { began.add() }
        }
        let retry = RetryOperation<Int>(.constant(.zero, limit: 3)) { _ in began.add() }
        operations[0].timeout(after: .milliseconds(1))
        retry.timeout(after: .milliseconds(1))
        let (ended, allEnded) = (Box(), Gate())
        let early: [ResultOperation<Int>] = [operations[0], operations[1], retry]
        for operation in early {
          operation.onResult { _ in if ended.add() == early.count { allEnded.open() } }
        }
        queue.enqueue(operations + [retry])
        while operations.contains(where: { $0.state == .pending }) { usleep(1_000) }
        operations[1].finish(with: .success(7))
        operations[2].cancel()
        allEnded.wait()
        mayEnd.open()
        queue.waitUntilAllOperationsAreFinished()
        // The tasks of the operations that ended early may return later, if they were made.
        while (operations + [retry]).contains(where: \.worksOn) { usleep(1_000) }
        let isCancelled = operations[2].error is CancellationError
        // The last one is neither ended nor cancelled.
        exit(began.value == 1 && isCancelled && operations[3].error == nil ? 0 : 1)
      }
      await Gate().opened()
    }
  }

  @Test("The longest limit that a clock can hold is held, and a longer one is none")
  func longest() async {
    let time = HeldTime()
    let operation = Stubborn()
    for limit in [Duration.longestWait, .longestWait + .nanoseconds(1)] {
      operation.timeout(after: limit, .timekeeper(time.timekeeper))
    }
    queue.enqueue(operation)
    await operation.began.opened()
    #expect(time.timekeeper.count == 1)
    operation.finish(with: .success(1))
    #expect(time.timekeeper.count == 0)
  }

  @Test(
    "More than 36 years are no limit, and with zero or less the body does not run, on every clock",
    arguments: [ContinuousClock(), SuspendingClock(), ManualClock()] as [any Clock<Duration>])
  func extremes(clock: any Clock<Duration>) async throws {
    let longest = Duration.nanoseconds(1 << 60)
    for long in [longest, longest + .nanoseconds(1), .seconds(Int64.max)] {
      let operation = TaskOperation { 1 }.timeout(after: long, clock: clock)
      #expect(try await queue.value(of: operation) == 1)
    }
    for none in [Duration.zero, .nanoseconds(-1), .seconds(Int64.min)] {
      let ran = Gate()
      let operation = TaskOperation { ran.open() }.timeout(after: none, clock: clock)
      queue.enqueue(operation)
      await operation.ended()
      #expect(operation.hasTimedOut && !ran.isOpen)
    }
  }
}
