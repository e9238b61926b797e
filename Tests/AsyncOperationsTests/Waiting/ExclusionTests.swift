import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Exclusion", .timeLimit(.minutes(10)))
struct ExclusionTests {
  private let category = ExclusionCategory("\(UUID())")

  @Test("Operations of two queues run one at a time, in the order of enqueueing")
  func acrossQueues() async {
    let queues = [OperationQueue(width: 4), OperationQueue(width: 4)]
    let (running, order) = (Box(), Box<[Int]>([]))
    let operations = (0..<40).map { number in
      TaskOperation {
        #expect(running.add() == 1)
        await Task.yield()
        order.append(number)
        running.add(-1)
      }.exclusive(in: category)
    }
    for (number, operation) in operations.enumerated() { queues[number % 2].enqueue(operation) }
    for operation in operations { await operation.ended() }
    #expect(order.value == Array(0..<40))
  }

  @Test("Operations in other categories or in none do not wait")
  func others() async throws {
    let queue = OperationQueue()
    let holder = Stubborn().exclusive(in: category)
    queue.enqueue(holder)
    await holder.began.opened()
    let other = TaskOperation { 1 }.exclusive(in: ExclusionCategory("\(UUID())"))
    #expect(try await queue.value(of: other) == 1)
    #expect(try await queue.value(of: TaskOperation { 2 }) == 2)
    holder.finish()
  }

  @Test("An operation that waits for its turn takes no place in its queue")
  func takesNoPlace() async throws {
    let queue = OperationQueue(width: 1)
    let holder = Stubborn().exclusive(in: category)
    OperationQueue().enqueue(holder)
    await holder.began.opened()
    let waiting = TaskOperation { 1 }.exclusive(in: category)
    queue.enqueue(waiting)
    #expect(try await queue.value(of: TaskOperation { 2 }) == 2)
    holder.finish()
    #expect(try await waiting.value == 1)
  }

  @Test("A cancelled operation leaves its line or its turn at once, though its queue is full")
  func cancelledBeforePlace() async throws {
    let (running, first, second) = (Stubborn(), QuickOperation(), QuickOperation())
    let narrow = OperationQueue(width: 1)
    narrow.enqueue(running)
    await running.began.opened()
    for operation in [first, second] { narrow.enqueue(operation.exclusive(in: category)) }
    let next = TaskOperation { 2 }.exclusive(in: category)
    OperationQueue().enqueue(next)
    #expect(TurnRegistry.count(in: category) == 3)
    second.cancel()
    #expect(TurnRegistry.count(in: category) == 2)
    first.cancel()
    #expect(try await next.value == 2)
    running.finish()
    for operation in [first, second] { await operation.finished() }
  }

  @Test("A cancelled operation that continues keeps its turn until it has finished")
  func cancelledHolder() async {
    let queue = OperationQueue()
    let holder = Stubborn().exclusive(in: category)
    queue.enqueue(holder)
    await holder.began.opened()
    let next = TaskOperation { #expect(holder.isFinished) }.exclusive(in: category)
    queue.enqueue(next)
    holder.cancel()
    #expect(!next.isExecuting)
    holder.finish()
    await next.ended()
  }

  @Test("A dependent that is enqueued first gets in line behind its dependency")
  func dependency() async throws {
    let queue = OperationQueue(width: 1)
    let first = TaskOperation { 1 }.exclusive(in: category)
    let second = TaskOperation { 2 }.exclusive(in: category)
    second.addDependency(first)
    queue.enqueue(second)
    queue.enqueue(first)
    #expect(try await second.value == 2)
  }

  @Test(
    "An operation with a category or a condition fails when a plain addOperation adds it",
    arguments: [false, true], [false, true])
  func plainAdding(isExclusive: Bool, isCancelled: Bool) async {
    let ran = Gate()
    let operation = TaskOperation { ran.open() }
    if isExclusive {
      operation.exclusive(in: category)
    } else {
      operation.addCondition(OperationCondition("holds") { ran.open() })
    }
    let misuses = Misuses(of: operation)
    if isCancelled { operation.cancel() }
    OperationQueue().addOperation(operation)
    await operation.ended()
    #expect(operation.isCancelled && !ran.isOpen && !TurnRegistry.hasLine(in: category))
    if isCancelled {
      #expect(operation.error is CancellationError && misuses.codesOnAnyMachine == [])
    } else {
      #expect((operation.error as? OperationError)?.code == .notEnqueued)
      #expect(misuses.codes == [.notEnqueued])
    }
  }

  @Test(
    "A removed dependency no longer holds back an exclusive operation",
    arguments: [Kind.block, .async])
  func removedDependency(kind: Kind) async {
    let (operation, dependency) = (TaskOperation {}.exclusive(in: category), kind.make())
    operation.addDependency(dependency)
    let queue = OperationQueue()
    queue.enqueue(operation)
    operation.removeDependency(dependency)
    await operation.ended()
    #expect(operation.error == nil && !dependency.isFinished)
  }

  @Test("An operation that is dropped in line leaves the line and releases its dependencies")
  func dropped() async {
    let (next, isGone) = (TaskOperation {}.exclusive(in: category), Gate())
    let queue = DroppingQueue()
    queue.enqueue(QuickOperation().exclusive(in: category))
    do {
      let dependency = WatchedBlock(isGone)
      let waiting = QuickOperation().exclusive(in: ExclusionCategory("\(UUID())"))
      waiting.addDependency(dependency)
      queue.enqueue(waiting)
    }
    OperationQueue().enqueue(next)
    await next.ended()
    await isGone.opened()
    #expect(!TurnRegistry.hasLine(in: category))
  }

  @Test("Neither the dependencies nor the queue show the wait for the turn")
  func privateGate() async {
    let (queue, holds) = (OperationQueue(), Gate())
    let operation = TaskOperation {}.exclusive(in: category)
    operation.addCondition(OperationCondition("holds") { await holds.opened() })
    queue.enqueue(operation)
    #expect(operation.dependencies == [] && queue.operations == [operation])
    holds.open()
    await operation.ended()
    #expect(operation.dependencies == [])
  }

  @Test("A plain addOperation cancels and reports an exclusive operation without a result")
  func plainAddingWithoutResult() async {
    let operation = QuickOperation().exclusive(in: category)
    let misuses = Misuses(of: operation)
    OperationQueue().addOperation(operation)
    await operation.finished()
    #expect(operation.isCancelled && misuses.codes == [.notEnqueued])
  }

  @Test("A category or condition that is added after enqueue is refused and reported")
  func tooLate() async {
    let queue = OperationQueue()
    queue.isSuspended = true
    let operation = TaskOperation { 1 }
    let misuses = Misuses(of: operation)
    queue.enqueue(operation)
    operation.exclusive(in: category)
    operation.addCondition(OperationCondition("fails") { throw Failure() })
    #expect(misuses.codes == [.addedTooLate, .addedTooLate])
    queue.isSuspended = false
    await operation.ended()
    #expect(operation.error == nil)
  }
}

/// A queue that drops the operations it receives.
private final class DroppingQueue: OperationQueue, @unchecked Sendable {
  // Sendable: it adds nothing that changes.
  override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {}
}

private final class WatchedBlock: BlockOperation, @unchecked Sendable {
  // Sendable: it never changes.
  private let token: Token

  init(_ isGone: Gate) { token = Token(isGone) }
}
