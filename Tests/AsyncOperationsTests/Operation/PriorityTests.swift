import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Priorities of awaited work", .timeLimit(.minutes(10)))
struct PriorityTests {
  /// Ends when its task has a priority of at least ``TaskPriority/high``.
  @Sendable private static func untilRaised() async {
    while Task.currentPriority < .high { await Task.yield() }
  }

  private func awaitAtHighPriority<Value>(_ operation: ResultOperation<Value>) async {
    await Task(priority: .high) { await operation.ended() }.value
  }

  @Test("A task that awaits the value raises the work, before and after its start")
  func awaited() async {
    for startsFirst in [true, false] {
      let operation = TaskOperation(priority: .background, Self.untilRaised)
      if startsFirst { operation.start() }
      let waiting = Task { await awaitAtHighPriority(operation) }
      if !startsFirst {
        await until { operation.waiterCount > 0 }
        operation.start()
      }
      await waiting.value
      #expect(operation.isFinished)
    }
  }

  @Test("An escalated waiting task raises the work")
  func waiterRaised() async {
    let operation = TaskOperation(priority: .background, Self.untilRaised)
    operation.start()
    let waiting = Task(priority: .background) { await operation.ended() }
    await until { operation.waiterCount > 0 }
    waiting.escalatePriority(to: .high)
    await waiting.value
    #expect(operation.isFinished)
  }

  @Test("Awaiting a retry or a group raises its attempts or children")
  func composed() async {
    let retry = RetryOperation(.immediate(limit: 1)) { _ in await Self.untilRaised() }
    let group = GroupOperation<Void>([
      TaskOperation(priority: .background, Self.untilRaised),
      TaskOperation(priority: .background, Self.untilRaised),
    ])
    for operation in [retry as AsyncOperation, group] {
      operation.qualityOfService = .background
      operation.start()
    }
    await awaitAtHighPriority(retry)
    await awaitAtHighPriority(group)
    #expect(retry.isFinished && group.isFinished)
  }

  @Test("Awaiting a value raises dependencies of any depth, also through the system's operations")
  func dependencies() async {
    let first = TaskOperation(priority: .background, Self.untilRaised)
    let (block, last) = (BlockOperation(), TaskOperation(priority: .background, Self.untilRaised))
    let second = TaskOperation(requiring: first, priority: .background) { _ in
      await Self.untilRaised()
    }
    block.addDependency(second)
    last.addDependency(block)
    let operations: [Operation] = [first, second, block, last]
    let queue = OperationQueue()
    queue.qualityOfService = .background
    queue.enqueue(operations)
    await awaitAtHighPriority(last)
    let areFinished = operations.allSatisfy { $0.isFinished }
    #expect(areFinished)
  }

  @Test("A dependency or a child that is added to an awaited operation is raised too")
  func addedLater() async {
    let queue = OperationQueue()
    queue.isSuspended = true
    let (operation, mayEnd) = (TaskOperation { 1 }, Gate())
    let group = GroupOperation<Void>([TaskOperation { await mayEnd.opened() }])
    queue.enqueue([operation, group])
    let waiting = [
      Task { await awaitAtHighPriority(operation) }, Task { await awaitAtHighPriority(group) },
    ]
    await until { [operation.awaitedPriority, group.awaitedPriority] == [.high, .high] }
    let dependency = TaskOperation(priority: .background, Self.untilRaised)
    operation.addDependency(dependency)
    group.add(TaskOperation(priority: .background, Self.untilRaised))
    queue.enqueue(dependency)
    queue.isSuspended = false
    mayEnd.open()
    for task in waiting { await task.value }
    #expect(dependency.isFinished && group.isFinished)
  }

  @Test("The condition of an awaited operation is raised, whichever comes first")
  func condition() async {
    for isAwaitedFirst in [true, false] {
      let operation = TaskOperation { 1 }
      operation.qualityOfService = .background
      let began = Gate()
      operation.addCondition(
        OperationCondition("raised") {
          began.open()
          await Self.untilRaised()
        })
      let queue = OperationQueue()
      if !isAwaitedFirst {
        queue.enqueue(operation)
        await began.opened()
      }
      let waiting = Task { await awaitAtHighPriority(operation) }
      if isAwaitedFirst {
        await until { operation.awaitedPriority == .high }
        queue.enqueue(operation)
      }
      await waiting.value
      #expect(operation.isFinished)
    }
  }

  @Test("The operations before an awaited one in a category are raised, whichever comes first")
  func line() async {
    for isAwaitedFirst in [true, false] {
      let category = ExclusionCategory("\(UUID())")
      let queue = OperationQueue()
      let ahead = (0..<3).map { _ in
        TaskOperation(priority: .background, Self.untilRaised).exclusive(in: category)
      }
      let last = TaskOperation { 1 }.exclusive(in: category)
      queue.enqueue(ahead)
      if !isAwaitedFirst { queue.enqueue(last) }
      let waiting = Task { await awaitAtHighPriority(last) }
      if isAwaitedFirst {
        await until { last.awaitedPriority == .high }
        queue.enqueue(last)
      }
      await waiting.value
      #expect(last.isFinished)
    }
  }

  @Test("A body starts with the priority at which it is awaited, and nothing is lowered")
  func startsRaised() async throws {
    let (low, high) = (
      TaskOperation(priority: .background) { Task.basePriority },
      TaskOperation(priority: .high) { Task.basePriority }
    )
    for operation in [low, high] {
      operation.raise(to: .userInitiated)
      operation.raise(to: .low)
      operation.start()
    }
    #expect(try await low.value == .userInitiated)
    #expect(try await high.value == .high)
  }
}
