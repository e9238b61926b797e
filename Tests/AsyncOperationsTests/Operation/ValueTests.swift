import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Awaiting a value", .timeLimit(.minutes(10)))
struct ValueTests {
  private static let kinds: [Kind] = [.result, .task]

  private func make(_ kind: Kind, _ work: Work = Work()) throws -> ResultOperation<Int> {
    try #require(kind.make(work) as? ResultOperation<Int>)
  }

  @Test("300 tasks can wait for a value before, during and after the run", arguments: kinds)
  func manyWaiters(kind: Kind) async throws {
    let gate = Gate()
    let began = Gate()
    let operation = try make(kind, Work(until: .open(gate)) { _ in began.open() })
    let queue = OperationQueue(width: 1)
    let values = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { try? await operation.value } }
      queue.enqueue(operation)
      await began.opened()
      for _ in 0..<100 { group.addTask { try? await operation.value } }
      gate.open()
      await operation.finished()
      for _ in 0..<100 { group.addTask { try? await operation.value } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.compactMap { $0 } == [Int](repeating: 1, count: 300))
    #expect(operation.waiterCount == 0)
  }

  @Test("A waiting task resumes after isFinished reads true", arguments: kinds)
  func resumedAfterTheEnd(kind: Kind) async throws {
    let operation = try make(kind)
    OperationQueue(width: 1).enqueue(operation)
    _ = try await operation.value
    #expect(operation.isFinished)
  }

  @Test("A cancelled task stops waiting at once and leaves no waiter", arguments: kinds)
  func cancelledWaiter(kind: Kind) async throws {
    let operation = try make(kind)
    let tasks = (0..<100).map { _ in Task { try await operation.value } }
    await until { operation.waiterCount == 100 }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(operation.waiterCount == 0)
    #expect(!operation.isCancelled && !operation.isFinished)
  }

  @Test(
    "A task that is cancelled before its wait stops at once and leaves no waiter", arguments: kinds)
  func cancelledBeforeWaiting(kind: Kind) async throws {
    let operation = try make(kind)
    let gate = Gate()
    let task = Task {
      await gate.opened()
      return try await operation.value
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(operation.waiterCount == 0)
  }

  @Test("A waiting task resumes once when a cancel, a finish and a start race", arguments: kinds)
  func cancelAgainstFinish(kind: Kind) async throws {
    for _ in 0..<200 {
      let operation = try make(kind, Work(until: .cancelled))
      let task = Task { try await operation.value }
      await race(
        { task.cancel() }, { _ = operation.finish(with: .success(2)) }, { operation.start() })
      let value = try? await task.value
      #expect(value == nil || value == 2)
      #expect(operation.waiterCount == 0)
    }
  }

  @Test("queue.value(of:) adds the operation and returns its value", arguments: kinds)
  func valueOf(kind: Kind) async throws {
    let queue = OperationQueue(width: 1)
    let value = try await queue.value(of: make(kind))
    #expect(value == 1)
  }

  @Test(
    "A cancel of the task of queue.value(of:) cancels the operation and throws at once",
    arguments: kinds)
  func valueOfCancelled(kind: Kind) async throws {
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let operation = try make(kind)
    let task = Task { try await queue.value(of: operation) }
    await until { operation.waiterCount > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(operation.isCancelled && !operation.isFinished)
    queue.isSuspended = false
    await queue.emptied()
    #expect(operation.isFinished)
  }

  @Test(
    "queue.value(of:) in a cancelled task cancels the operation, which still leaves the queue",
    arguments: kinds)
  func valueOfInCancelledTask(kind: Kind) async throws {
    let queue = OperationQueue(width: 1)
    let operation = try make(kind)
    let gate = Gate()
    let task = Task {
      await gate.opened()
      return try await queue.value(of: operation)
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await queue.emptied()
    #expect(operation.isCancelled && operation.isFinished)
  }

  @Test("An operation that finishes without a result throws CancellationError", arguments: kinds)
  func noResult(kind: Kind) async throws {
    let finished = try make(kind)
    finished.finish()
    let cancelled = try make(kind)
    cancelled.cancel()
    for operation in [finished, cancelled] {
      OperationQueue(width: 1).enqueue(operation)
      await #expect(throws: CancellationError.self) { try await operation.value }
      #expect(throws: CancellationError.self) { try operation.result?.get() }
    }
  }

  @Test("The first result wins and is available before isFinished reads true", arguments: kinds)
  func firstResult(kind: Kind) async throws {
    let seen = Log<Int?>([])
    let operation = try make(kind, Work(until: .cancelled))
    operation.addObserver(
      OperationObserver(willFinish: { _ in
        seen.append(operation.isFinished ? nil : try? operation.result?.get())
      }))
    await onThread { operation.start() }
    #expect(operation.result == nil)
    #expect(operation.finish(with: .success(1)))
    #expect(!operation.finish(with: .success(2)))
    #expect(seen.value == [1])
    let value = try await operation.value
    #expect(value == 1)
  }

  @Test("Result callbacks come in order before isFinished; later ones come at once")
  func onResult() async throws {
    let calls = Log<Int>([])
    let operation = try make(.result, Work(until: .cancelled))
    operation.addObserver(OperationObserver(didFinish: { _ in calls.append(21) }))
    for number in 1...20 {
      operation.onResult { result in
        if (try? result.get()) == 1, !operation.isFinished { calls.append(number) }
      }
    }
    await onThread { operation.start() }
    #expect(calls.value == [])
    operation.finish(with: .success(1))
    operation.onResult { _ in calls.append(22) }
    #expect(calls.value == Array(1...22))
  }

  @Test("A result callback that a callback adds comes after those that were added before")
  func onResultInside() {
    for isExecuting in [false, true] {
      let (operation, calls) = (Stubborn(), Log<Int>([]))
      operation.onResult { _ in
        operation.onResult { _ in calls.append(3) }
        calls.append(1)
      }
      operation.onResult { _ in calls.append(2) }
      if isExecuting { operation.start() }
      operation.finish(with: .success(1))
      #expect(calls.value == [1, 2, 3])
    }
  }

  @Test(
    "cancel(throwing:) cancels an undecided operation and fails it with the given error",
    arguments: 0..<4)
  func cancelThrowing(stage: Int) async throws {
    struct Reason: Error {}
    let operation = try make(.result, Work(until: .open(Gate())))
    let told = Log<String>([])
    operation.addObserver(
      OperationObserver(
        cancelled: {
          told.append("cancelled")
          if stage != 2 { #expect(!$0.finish()) }
        }, willFinish: { _ in told.append("willFinish") },
        didFinish: { _ in told.append("didFinish") }))
    let misuses = Misuses(of: operation)
    if stage == 1 || stage == 2 { await onThread { operation.start() } }
    if stage == 2 { operation.cancel() }
    if stage == 3 { operation.finish(with: .success(1)) }
    #expect(operation.cancel(throwing: Reason()) == (stage != 3))
    if stage == 0 || stage == 3 { await onThread { operation.start() } }
    #expect(operation.isFinished && misuses.codesOnAnyMachine == [])
    guard stage != 3 else {
      #expect(try operation.result?.get() == 1 && !operation.isCancelled)
      return
    }
    #expect(throws: Reason.self) { try operation.result?.get() }
    #expect(operation.isCancelled && told.value == ["cancelled", "willFinish", "didFinish"])
  }

  @Test("cancel(throwing:) of an operation that waits in a queue ends its wait")
  func cancelThrowingInQueue() async throws {
    struct Reason: Error {}
    let operation = try make(.result, Work())
    operation.addDependency(Operation())
    OperationQueue().enqueue(operation)
    operation.cancel(throwing: Reason())
    await #expect(throws: Reason.self) { try await operation.value }
  }

  @Test(
    "A cancel before the start ends the value and the callback at once, in a suspended queue too")
  func cancelledInSuspendedQueue() async {
    for ends in 0..<2 {
      let (queue, isTold) = (OperationQueue(), Gate())
      queue.isSuspended = true
      let operation = TaskOperation { 1 }
      operation.onResult { _ in isTold.open() }
      queue.enqueue(operation)
      let waiting = Task { try await operation.value }
      await until { operation.waiterCount == 1 }
      if ends == 0 { operation.cancel() } else { operation.cancel(throwing: CancellationError()) }
      #expect(isTold.isOpen && operation.waiterCount == 0)
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await #expect(throws: CancellationError.self) { try await operation.value }
      #expect(operation.isCancelled && !operation.isFinished)
      queue.isSuspended = false
      await operation.finished()
    }
  }
}

extension ResultOperation {
  /// The number of waiting tasks.
  var waiterCount: Int { guarded.withLock { _ in waiters?.count ?? 0 } }
}
