import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Permits for plain async code", .timeLimit(.minutes(10)))
struct PermitTests {
  private let category = ExclusionCategory("\(UUID())")
  private let queue = OperationQueue()

  /// A task that has a permit until the gate opens.
  private func holder(_ mayReturn: Gate) async -> Task<Void, any Error> {
    let hasPermit = Gate()
    let task = Task { [category] in
      try await category.withPermit {
        hasPermit.open()
        await mayReturn.opened()
      }
    }
    await hasPermit.opened()
    return task
  }

  private func inLine(_ count: Int) async {
    await until { TurnRegistry.count(in: category) == count }
  }

  // MARK: Turns

  @Test("Tasks and operations have their turn in the order in which they came")
  func order() async throws {
    let (mayReturn, order) = (Gate(), Log<Int>([]))
    let first = await holder(mayReturn)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      if number.isMultiple(of: 2) {
        queue.enqueue(TaskOperation { order.append(number) }.exclusive(in: category))
      } else {
        let task = Task(priority: .medium) {
          try await category.withPermit { order.append(number) }
        }
        tasks.append(task)
      }
      await inLine(number + 2)
    }
    mayReturn.open()
    try await first.value
    for task in tasks { try await task.value }
    await queue.drained()
    #expect(order.value == Array(0..<20))
    #expect(!TurnRegistry.hasLine(in: category))
  }

  @Test("As many tasks and operations run at once as the limit allows", arguments: [1, 3])
  func limit(limit: Int) async throws {
    let category = ExclusionCategory("\(UUID())", limit: limit)
    let (running, most) = (Box(), Box())
    let work: @Sendable () async -> Void = {
      let count = running.add()
      most.change { $0 = max($0, count) }
      await Task.yield()
      running.add(-1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        if number.isMultiple(of: 3) {
          queue.enqueue(TaskOperation(work).exclusive(in: category))
        } else {
          group.addTask { try await category.withPermit(work) }
        }
      }
      try await group.waitForAll()
    }
    await queue.drained()
    #expect(most.value == limit)
  }

  @Test("Several categories are taken in one step, so tasks and operations do not deadlock")
  func severalCategories() async throws {
    let (other, alone) = (ExclusionCategory("\(UUID())"), Box())
    let body: @Sendable () async -> Void = {
      #expect(alone.add() == 1)
      await Task.yield()
      alone.add(-1)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { [category, queue] in
          switch number % 4 {
          case 0:
            try await ExclusionCategory.withPermit(in: category, other, category) { await body() }
          case 1: try await ExclusionCategory.withPermit(in: other, category) { await body() }
          case 2:
            try await queue.value(of: TaskOperation(body).exclusive(in: other, category))
          default:
            try await queue.value(
              of: TaskOperation(body).exclusive(in: category).exclusive(in: other))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(!TurnRegistry.hasLine(in: category) && !TurnRegistry.hasLine(in: other))
  }

  @Test("The value or the error of the closure comes out, and the turn ends with it")
  func outcomes() async throws {
    #expect(try await category.withPermit { 7 } == 7)
    await #expect(throws: Failure(number: 3)) {
      try await category.withPermit { throw Failure(number: 3) }
    }
    #expect(!TurnRegistry.hasLine(in: category))
  }

  private actor Counter {
    private var text = NSMutableString(string: "")

    /// Uses state of the actor, and a value that is not Sendable, inside the permit.
    func append(_ category: ExclusionCategory, _ word: String) async throws -> Int {
      let part = NSMutableString(string: word)
      return try await category.withPermit {
        text.append(part as String)
        await Task.yield()
        return text.length
      }
    }
  }

  @Test("The closure runs in the caller's isolation: an actor, or the main actor")
  @MainActor
  func isolation() async throws {
    let counter = Counter()
    #expect(try await counter.append(category, "ab") == 2)
    var isOnMain = false
    try await category.withPermit {
      MainActor.assertIsolated()
      isOnMain = true
    }
    #expect(isOnMain)
  }

  // MARK: Cancellation

  @Test("A cancelled task gets no permit, also if the line is empty")
  func cancelledBefore() async {
    let task = Task {
      await untilCancelled()
      try await category.withPermit { () -> Void in Issue.record("It was cancelled.") }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!TurnRegistry.hasLine(in: category))
  }

  @Test("A cancel while it waits leaves the line at once")
  func cancelledWaiting() async throws {
    let mayReturn = Gate()
    let first = await holder(mayReturn)
    let waiting = Task {
      try await category.withPermit { () -> Void in Issue.record("It was cancelled.") }
    }
    await inLine(2)
    let last = Task { try await category.withPermit { 7 } }
    await inLine(3)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await inLine(2)
    mayReturn.open()
    try await first.value
    #expect(try await last.value == 7)
  }

  @Test("A permit that is granted before the cancel is kept")
  func grantedFirst() async throws {
    let (began, mayReturn) = (Gate(), Gate())
    let task = Task {
      try await category.withPermit {
        began.open()
        await mayReturn.opened()
        return Task.isCancelled
      }
    }
    await began.opened()
    task.cancel()
    #expect(TurnRegistry.hasLine(in: category))
    mayReturn.open()
    #expect(try await task.value)
  }

  // MARK: Nesting

  @Test("A permit inside a permit or a turn of the category throws, and is reported")
  func nested() async throws {
    let (category, other) = (ExclusionCategory("\(UUID())", limit: 2), ExclusionCategory("b"))
    let misuses = Misuses(naming: category.name)
    let refuses: @Sendable () async -> Bool = {
      do {
        try await category.withPermit {}
        return false
      } catch {
        return (error as? OperationError)?.code == .nestedPermit
      }
    }
    let inside = try await category.withPermit {
      async let child = refuses()
      let isRefused = await refuses()
      let isRefusedFurtherIn = try await other.withPermit { await refuses() }
      return await child && isRefused && isRefusedFurtherIn
    }
    #expect(inside)
    let operation = TaskOperation { await refuses() }.exclusive(in: category)
    #expect(try await queue.value(of: operation))
    let group = GroupOperation<Bool>([
      TaskOperation { await refuses() },
      RetryOperation(.immediate(limit: 0)) { _ in await refuses() },
    ]).exclusive(in: category)
    #expect(try await queue.value(of: group) == [true, true])
    // The turn is over, or another category.
    #expect(await !refuses())
    #expect(try await !other.withPermit { await refuses() })
    #expect(misuses.codes == Array(repeating: .nestedPermit, count: 6))
  }

  @Test("A task that outlives the permit of its maker may take a permit itself")
  func outlived() async throws {
    let mayTake = Gate()
    let later = try await category.withPermit {
      Task { [category] in
        await mayTake.opened()
        return try await category.withPermit { 7 }
      }
    }
    mayTake.open()
    #expect(try await later.value == 7)
  }

  // MARK: Categories

  @Test("Categories of one name are different objects, and exclude nothing")
  func identity() async throws {
    let other = ExclusionCategory(category.name)
    #expect(category != other && category == category && Set([category, other]).count == 2)
    #expect(category.hashValue != other.hashValue)
    #expect(try await category.withPermit { try await other.withPermit { 1 } } == 1)
    #expect(ExclusionCategory("a", limit: 0).limit == 1 && ExclusionCategory("b").limit == 1)
    #expect(ExclusionCategory("c", limit: -3).limit == 1 && "\(category)" == category.name)
  }
}
