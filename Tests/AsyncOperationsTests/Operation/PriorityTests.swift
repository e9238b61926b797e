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

  @Test("Work that has ended, was cancelled or has the same priority is not raised")
  func notRaised() {
    let task = Task {}
    var body = BodyTask()
    #expect(body.awaited(at: .low) == nil && body.made(task, .medium) == .none)
    #expect(body.awaited(at: .medium) == nil && body.awaited(at: .high) == task)
    #expect(body.awaited(at: .high) == nil)
    #expect(body.cancelled() == task && body.awaited(at: .high) == nil)
    var returned = BodyTask()
    #expect(returned.awaited(at: .high) == nil && returned.made(task, .low) == .raise(.high))
    _ = returned.returned()
    #expect(returned.awaited(at: .high) == nil)
  }

  @Test("The task has the name of its operation")
  func name() async throws {
    #expect(try await OperationQueue().enqueue(name: "feed") { Task.name }.value == "feed")
  }
}
