import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Operations that start together", .timeLimit(.minutes(10)))
struct StartingTogetherTests {
  private let queue = OperationQueue()

  private func numbered(_ count: Int) -> [TaskOperation<Int>] {
    (0..<count).map { number in TaskOperation { number } }
  }

  @Test("Operations that wait for nothing start outside the queue")
  func free() async throws {
    let operations = numbered(20)
    // It is called by the end, not by the start.
    operations[0].onResult { _ in }
    queue.enqueueTogether(operations)
    #expect(queue.operationCount == 0)
    for (number, operation) in operations.enumerated() {
      #expect(try await operation.value == number)
    }
  }

  @Test("A suspended queue starts them when it resumes")
  func suspended() async throws {
    queue.isSuspended = true
    let operations = numbered(3)
    queue.enqueueTogether(operations)
    #expect(queue.operationCount == 3 && operations.allSatisfy { !$0.isExecuting })
    queue.isSuspended = false
    for (number, operation) in operations.enumerated() {
      #expect(try await operation.value == number)
    }
  }

  /// A reason for which an operation may block the thread of its start or of its end.
  enum Blocking: CaseIterable { case observer, endOfCancelled, endOfFinished, ownBody }

  @Test(
    "An operation that blocks its start or its end delays no other", arguments: Blocking.allCases)
  func blocking(blocking: Blocking) async throws {
    let (isBlocked, mayGoOn) = (Gate(), Gate())
    let block: @Sendable (AsyncOperation) -> Void = { _ in
      isBlocked.open()
      mayGoOn.wait()
    }
    let task = TaskOperation { 1 }
    var operation: AsyncOperation = task
    switch blocking {
    case .observer: task.addObserver(OperationObserver(started: block))
    case .endOfCancelled:
      task.addObserver(OperationObserver(didFinish: block))
      task.cancel()
    case .endOfFinished:
      task.addObserver(OperationObserver(didFinish: block))
      task.finish(with: .success(2))
    case .ownBody: operation = BlockingOperation(block)
    }
    let free = TaskOperation { 3 }
    queue.enqueueTogether([operation, free])
    #expect(try await free.value == 3)
    await isBlocked.opened()
    mayGoOn.open()
    await operation.finished()
  }

  /// A wait of an operation before its start.
  enum Wait: CaseIterable { case dependency, dependencyOfObserver, condition }

  @Test("An operation with a dependency or a condition waits for it", arguments: Wait.allCases)
  func waits(wait: Wait) async throws {
    let (mayEnd, order) = (Gate(), Log<String>([]))
    let dependency = await TaskOperation.begun(until: mayEnd)
    let operation = TaskOperation { order.append("body") }
    switch wait {
    case .dependency: operation.addDependency(dependency)
    case .dependencyOfObserver:
      operation.addObserver(OperationObserver(willEnqueue: { $0.addDependency(dependency) }))
    case .condition:
      operation.addCondition(OperationCondition("the gate is open") { await mayEnd.opened() })
    }
    let free = TaskOperation { order.append("free") }
    queue.enqueueTogether([operation, free])
    try await free.value
    order.append("open")
    mayEnd.open()
    try await operation.value
    #expect(order.value == ["free", "open", "body"])
  }

  @Test("An operation that another queue has is refused and reported")
  func taken() async throws {
    let operation = TaskOperation { 1 }
    let misuses = Misuses(of: operation)
    queue.enqueue(operation)
    let own = TaskOperation { 2 }
    OperationQueue().enqueueTogether([operation, own])
    #expect(try await operation.value == 1)
    #expect(try await own.value == 2)
    #expect(misuses.codes == [.secondEnqueue])
  }
}

/// An operation whose body blocks its thread.
private final class BlockingOperation: AsyncOperation, @unchecked Sendable {
  // Sendable: it never changes.
  private let block: @Sendable (AsyncOperation) -> Void

  init(_ block: @escaping @Sendable (AsyncOperation) -> Void) {
    self.block = block
    super.init()
  }

  override func main() {
    block(self)
    finish()
  }
}
