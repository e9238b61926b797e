import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("TaskOperation", .timeLimit(.minutes(10)))
struct TaskOperationTests {
  @Test("A body that throws finishes the operation with the same error")
  func throwing() async {
    let queue = OperationQueue(width: 1)
    let operation = TaskOperation<Int> { throw Failure() }
    await #expect(throws: Failure()) { try await queue.value(of: operation) }
    #expect(operation.isFinished && !operation.isCancelled)
  }

  @Test("A cancel reaches the task, and the error that the body throws is the result")
  func cancelling() async {
    let began = Gate()
    let operation = TaskOperation<Int> {
      began.open()
      while !Task.isCancelled { await Task.yield() }
      throw Failure()
    }
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.cancel()
    await #expect(throws: Failure()) { try await operation.value }
    #expect(operation.isCancelled)
  }

  @Test("A body that ignores the cancel finishes the operation with its value")
  func ignoringCancel() async throws {
    let mayEnd = Gate()
    let operation = await TaskOperation.begun(until: mayEnd)
    let misuses = Misuses(of: operation)
    operation.cancel()
    #expect(!operation.isFinished)
    mayEnd.open()
    #expect(try await operation.value == 1)
    #expect(misuses.codesOnAnyMachine == [])
  }

  @Test("A finish from outside cancels the body, and the body's value comes too late")
  func finishedByOther() async throws {
    let began = Gate()
    let ended = Gate()
    let operation = TaskOperation {
      began.open()
      while !Task.isCancelled { await Task.yield() }
      ended.open()
      return 1
    }
    let misuses = Misuses(of: operation)
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.finish(with: .success(2))
    await ended.opened()
    let value = try await operation.value
    #expect(value == 2 && misuses.codesOnAnyMachine == [])
  }

  @Test("A body that cancels its own operation is cancelled, however early it begins")
  func cancelledByItself() async {
    let queue = OperationQueue(width: 4)
    for _ in 0..<10_000 {
      let own = Box<TaskOperation<Int>?>(nil)
      let operation = TaskOperation {
        own.value?.cancel()
        await untilCancelled()
        return 1
      }
      own.set(operation)
      queue.enqueue(operation)
      #expect((try? await operation.value) == 1)
      own.set(nil)
    }
  }

  @Test("The task has the given priority, or else that of the quality of service")
  func priorities() async throws {
    let queue = OperationQueue(width: 1)
    let given = TaskOperation(priority: .background) { Task.basePriority }
    let derived = TaskOperation { Task.basePriority }
    derived.qualityOfService = .utility
    queue.enqueue([given, derived])
    await queue.drained()
    #expect(try given.result?.get() == .background && derived.result?.get() == .utility)
    #expect(TaskPriority(.userInteractive) == .high)
    #expect(TaskPriority(.userInitiated) == .userInitiated)
    #expect(TaskPriority(.background) == .background)
    #expect(TaskPriority(QualityOfService.default) == nil)
  }

  @Test("Without its own quality of service an operation works with that of its queue")
  func queuesQuality() async throws {
    let queue = OperationQueue(width: 2)
    queue.qualityOfService = .utility
    let condition = Box<TaskPriority?>(nil)
    let task = TaskOperation { Task.basePriority }
    task.addCondition(OperationCondition("notes") { condition.set(Task.basePriority) })
    let retry = RetryOperation(.immediate(limit: 1)) { _ in Task.basePriority }
    let group = GroupOperation<TaskPriority?>([TaskOperation { Task.basePriority }])
    // A task that awaited a value would raise them.
    queue.enqueue([task, retry, group])
    await queue.drained()
    #expect(try task.result?.get() == .utility && retry.result?.get() == .utility)
    #expect(try group.result?.get() == [.utility])
    #expect(condition.value == .utility)
  }

  @Test("An operation that ends before its body begins releases the body")
  func releasesBody() async {
    let isReleased = Gate()
    let operation = TaskOperation { [token = Token(isReleased)] in
      withExtendedLifetime(token) {}
    }
    operation.cancel()
    #expect(!isReleased.isOpen)
    operation.start()
    #expect(operation.isFinished && isReleased.isOpen)
  }

  @Test("The operation and its task have the given name")
  func name() async throws {
    let operation = OperationQueue().enqueue(name: "feed") { Task.name }
    #expect(try await operation.value == "feed" && operation.name == "feed")
  }
}
