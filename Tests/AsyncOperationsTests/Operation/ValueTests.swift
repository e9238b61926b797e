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

  @Test(
    "300 tasks can wait for a value before, during and after the run, and resume after its end",
    arguments: kinds)
  func manyWaiters(kind: Kind) async throws {
    let (mayEnd, began) = (Gate(), Gate())
    let operation = try make(kind, Work(until: .open(mayEnd)) { _ in began.open() })
    let wait: @Sendable () async -> Int? = {
      let value = try? await operation.value
      return operation.isFinished ? value : nil
    }
    let values = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 { group.addTask { await wait() } }
      OperationQueue(width: 1).enqueue(operation)
      await began.opened()
      for _ in 0..<100 { group.addTask { await wait() } }
      mayEnd.open()
      await operation.finished()
      for _ in 0..<100 { group.addTask { await wait() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.compactMap { $0 } == [Int](repeating: 1, count: 300))
    #expect(operation.waiterCount == 0)
  }

  @Test(
    "A task that is cancelled before or during its wait stops at once and leaves no waiter",
    arguments: kinds)
  func cancelledWaiter(kind: Kind) async throws {
    let (operation, mayWait) = (try make(kind), Gate())
    let early = Task {
      await mayWait.opened()
      return try await operation.value
    }
    early.cancel()
    mayWait.open()
    let tasks = (0..<100).map { _ in Task { try await operation.value } }
    await until { operation.waiterCount == 100 }
    for task in tasks { task.cancel() }
    for task in tasks + [early] {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(operation.waiterCount == 0)
    #expect(!operation.isCancelled && !operation.isFinished)
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

  @Test("The first result wins and is available before isFinished reads true", arguments: kinds)
  func firstResult(kind: Kind) async throws {
    let seen = Log<Int?>([])
    let operation = try make(kind, Work(until: .cancelled))
    let misuses = Misuses(of: operation)
    operation.addObserver(
      OperationObserver(willFinish: { _ in
        seen.append(operation.isFinished ? nil : try? operation.result?.get())
      }))
    await onThread { operation.start() }
    #expect(operation.result == nil)
    #expect(operation.finish(with: .success(1)))
    // Only the second one is a misuse.
    #expect(!operation.finishIfUndecided(with: .success(2)))
    #expect(!operation.finish(with: .success(3)))
    #expect(seen.value == [1] && misuses.codesOnAnyMachine == [.secondFinish])
    #expect(try await operation.value == 1)
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

  @Test(
    "An end before the start ends the value and the callback at once, in a suspended queue too",
    arguments: kinds, 0..<4)
  func endedInSuspendedQueue(kind: Kind, end: Int) async throws {
    let (queue, isTold) = (OperationQueue(), Gate())
    queue.isSuspended = true
    let operation = try make(kind)
    operation.onResult { _ in isTold.open() }
    queue.enqueue(operation)
    let waiting = Task { try await operation.value }
    await until { operation.waiterCount == 1 }
    switch end {
    case 0: operation.cancel()
    case 1: operation.cancel(throwing: CancellationError())
    case 2: operation.finish()
    default: operation.finish(with: .success(7))
    }
    #expect(isTold.isOpen && operation.waiterCount == 0)
    if end < 3 {
      await #expect(throws: CancellationError.self) { try await waiting.value }
      await #expect(throws: CancellationError.self) { try await operation.value }
    } else {
      #expect(try await waiting.value == 7)
      #expect(try await operation.value == 7)
    }
    #expect(operation.isCancelled == (end < 2) && !operation.isFinished)
    queue.isSuspended = false
    await operation.finished()
  }
}

extension ResultOperation {
  /// The number of waiting tasks.
  var waiterCount: Int { guarded.withLock { _ in waiters?.count ?? 0 } }
}
