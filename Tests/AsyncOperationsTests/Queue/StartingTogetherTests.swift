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

  @Test("An observer that blocks a start delays no other one")
  func blockingObserver() async throws {
    let (began, mayEnd) = (Gate(), Gate())
    let operations = numbered(3)
    operations[0].addObserver(
      OperationObserver(started: { _ in
        began.open()
        mayEnd.wait()
      }))
    queue.enqueueTogether(operations)
    for number in 1...2 { #expect(try await operations[number].value == number) }
    await began.opened()
    mayEnd.open()
    #expect(try await operations[0].value == 0)
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

  @Test("An operation with a dependency waits for it", arguments: [true, false])
  func dependency(isAddedByObserver: Bool) async throws {
    let mayEnd = Gate()
    let dependency = await TaskOperation.begun(until: mayEnd)
    let order = Log<String>([])
    let operation = TaskOperation { order.append("body") }
    if isAddedByObserver {
      operation.addObserver(
        OperationObserver(willEnqueue: { $0.addDependency(dependency) }))
    } else {
      operation.addDependency(dependency)
    }
    let free = TaskOperation { order.append("free") }
    queue.enqueueTogether([operation, free])
    try await free.value
    #expect(queue.operationCount == 1)
    order.append("open")
    mayEnd.open()
    try await operation.value
    #expect(order.value == ["free", "open", "body"])
  }

  @Test("An operation with a condition waits for it")
  func condition() async throws {
    let mayPass = Gate()
    let order = Log<String>([])
    let operation = TaskOperation { order.append("body") }
    operation.addCondition(
      OperationCondition("the gate is open") {
        await mayPass.opened()
        order.append("condition")
      })
    queue.enqueueTogether([operation])
    mayPass.open()
    try await operation.value
    #expect(order.value == ["condition", "body"])
  }

  @Test("An operation that was cancelled before finishes without its body")
  func cancelled() async {
    let ran = Gate()
    let operation = TaskOperation { ran.open() }
    operation.cancel()
    queue.enqueueTogether([operation])
    await operation.finished()
    #expect(operation.error is CancellationError && !ran.isOpen)
  }

  @Test("Another kind of operation may block its start, and delays no other one")
  func blocking() async throws {
    let (began, mayEnd) = (Gate(), Gate())
    let blocking = BlockingOperation(began, mayEnd)
    let free = TaskOperation { 1 }
    queue.enqueueTogether([blocking, free])
    #expect(try await free.value == 1)
    await began.opened()
    mayEnd.open()
    await queue.drained()
    #expect(blocking.isFinished)
  }

  @Test(
    "The end of a cancelled or decided operation delays no other start", arguments: [true, false])
  func blockingEnd(isCancelled: Bool) async throws {
    let (isBlocked, mayEnd, over) = (Gate(), Gate(), TaskOperation { 1 })
    over.addObserver(
      OperationObserver(didFinish: { _ in
        isBlocked.open()
        mayEnd.wait()
      }))
    if isCancelled { over.cancel() } else { over.finish(with: .success(2)) }
    let free = TaskOperation { 3 }
    queue.enqueueTogether([over, free])
    #expect(try await free.value == 3)
    await isBlocked.opened()
    mayEnd.open()
    await over.ended()
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

  @Test("Cancels that race with the starts leave each operation finished")
  func races() async {
    for _ in 0..<200 {
      let operations = (0..<8).map { _ in
        TaskOperation {
          await untilCancelled()
          try Task.checkCancellation()
        }
      }
      let misuses = operations.map { Misuses(of: $0) }
      queue.enqueueTogether(operations)
      await onThread { for operation in operations.reversed() { operation.cancel() } }
      for operation in operations { await operation.finished() }
      let areCancelled = operations.allSatisfy { $0.error is CancellationError }
      #expect(areCancelled && misuses.allSatisfy { $0.codesOnAnyMachine == [] })
    }
  }
}

/// An operation whose start blocks its thread.
private final class BlockingOperation: AsyncOperation, @unchecked Sendable {
  // Sendable: nothing changes.
  private let began: Gate
  private let mayEnd: Gate

  init(_ began: Gate, _ mayEnd: Gate) {
    (self.began, self.mayEnd) = (began, mayEnd)
    super.init()
  }

  override func main() {
    began.open()
    mayEnd.wait()
    finish()
  }
}
