import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The priorities of those that wait for a turn", .timeLimit(.minutes(10)))
struct PermitPriorityTests {
  private let category = ExclusionCategory("\(UUID())")
  private let queue = OperationQueue()

  @Test("The next permit goes to the task of the highest priority, then to the first one")
  func priorities() async {
    let (order, mayEnd) = (Log<Int>([]), Gate())
    let holder = Task { try await category.withPermit { await mayEnd.opened() } }
    await until { TurnRegistry.count(in: category) == 1 }
    for (number, priority) in [TaskPriority.background, .medium, .high, .medium].enumerated() {
      Task.detached(priority: priority) {
        try await category.withPermit { order.append(number) }
      }
      await until { TurnRegistry.count(in: category) == number + 2 }
    }
    mayEnd.open()
    _ = try? await holder.value
    // No task awaits them, which would raise them.
    await until { order.value.count == 4 }
    #expect(order.value == [2, 1, 3, 0])
  }

  @Test(
    "A task that is raised while it waits goes before those of a lower priority",
    .enabled(if: ConcurrencyLibrary.raises))
  func raised() async throws {
    let (order, mayEnd) = (Log<Int>([]), Gate())
    let holder = Task { try await category.withPermit { await mayEnd.opened() } }
    await until { TurnRegistry.count(in: category) == 1 }
    let permits = (0..<2).map { _ in Permit([category], #fileID, #line) }
    var tasks: [Task<Void, any Error>] = []
    for (number, priority) in [TaskPriority.utility, .background].enumerated() {
      tasks.append(
        Task.detached(priority: priority) {
          try await permits[number].run(isolation: nil) { order.append(number) }
        })
      await until { TurnRegistry.count(in: category) == number + 2 }
    }
    let awaiting = Task.detached(priority: .high) { [task = tasks[1]] in try await task.value }
    let ticket = try #require(permits[0].ticket.withLock { $0 })
    await until { TurnRegistry.membersAhead(of: ticket)[0].members.count == 2 }
    mayEnd.open()
    _ = try? await holder.value
    try await awaiting.value
    await until { order.value.count == 2 }
    #expect(order.value == [1, 0])
  }

  @Test("A waiting task raises the operation with the turn")
  func holderOfTurn() async throws {
    let operation = TaskOperation(priority: .background) {
      while Task.currentPriority < .high { await Task.yield() }
    }.exclusive(in: category)
    queue.enqueue(operation)
    try await Task(priority: .high) { [category] in try await category.withPermit {} }.value
    #expect(operation.isFinished)
  }

  @Test("A task that awaits an operation raises its conditions")
  func conditions() async throws {
    let checked = TaskOperation { 2 }
    checked.qualityOfService = .background
    checked.addCondition(
      OperationCondition("is raised") {
        while Task.currentPriority < .high { await Task.yield() }
      })
    queue.enqueue(checked)
    #expect(try await Task(priority: .high) { try await checked.value }.value == 2)
  }
}
