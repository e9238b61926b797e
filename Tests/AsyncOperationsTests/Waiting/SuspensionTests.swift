import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Turns of operations whose queue is suspended", .timeLimit(.minutes(10)))
struct SuspensionTests {
  private let category = ExclusionCategory("\(UUID())")
  private let other = OperationQueue()

  private func exclusive(_ value: Int = 1) -> TaskOperation<Int> {
    TaskOperation { value }.exclusive(in: category)
  }

  /// An operation that has a turn and no slot of its queue, which another one holds.
  private func waitForSlot(in queue: OperationQueue) async -> (Stubborn, TaskOperation<Int>) {
    let (running, operation) = (Stubborn(), exclusive(7))
    queue.maxConcurrentOperationCount = 1
    queue.enqueue(running)
    await running.began.opened()
    queue.enqueue(operation)
    #expect(TurnRegistry.count(in: category) == 1)
    return (running, operation)
  }

  @Test("An own queue that is suspended returns the turns of its unstarted operations")
  func ownQueue() async throws {
    let queue = AsyncOperationQueue()
    let (running, operation) = await waitForSlot(in: queue)
    queue.isSuspended = true
    #expect(!TurnRegistry.hasLine(in: category))
    running.finish()
    await running.finished()
    #expect(try await other.value(of: exclusive(2)) == 2)
    #expect(operation.state == .pending)
    #expect(queue.explain(operation).contains("the queue is suspended"))
    queue.isSuspended = false
    #expect(try await operation.value == 7)
  }

  @Test("An operation that needs no turn starts after its own queue was suspended and resumed")
  func noTurn() async throws {
    let queue = AsyncOperationQueue()
    queue.maxConcurrentOperationCount = 1
    let (running, operation) = (Stubborn(), TaskOperation { 7 })
    operation.addCondition(OperationCondition("holds") {})
    queue.enqueue(running)
    await running.began.opened()
    queue.enqueue(operation)
    await until { operation.isReady }
    queue.isSuspended = true
    queue.isSuspended = false
    running.finish()
    #expect(try await operation.value == 7)
  }

  @Test("The next one that joins a line ends the turn of an operation in a suspended plain queue")
  func plainQueue() async throws {
    let queue = OperationQueue()
    let (running, operation) = await waitForSlot(in: queue)
    let behind = exclusive(2)
    other.enqueue(behind)
    queue.isSuspended = true
    #expect(other.explain(behind).contains("whose queue is suspended"))
    #expect(try await category.withPermit { 3 } == 3)
    #expect(try await behind.value == 2)
    #expect(operation.state == .pending)
    running.finish()
    queue.isSuspended = false
    #expect(try await operation.value == 7)
  }

  @Test("An operation in line does not take a turn while its queue is suspended")
  func inLine() async throws {
    let queue = AsyncOperationQueue()
    let (holder, operation) = (Stubborn().exclusive(in: category), exclusive())
    other.enqueue(holder)
    await holder.began.opened()
    queue.enqueue(operation)
    queue.isSuspended = true
    holder.finish()
    #expect(try await other.value(of: exclusive(2)) == 2)
    #expect(!TurnRegistry.hasLine(in: category))
    queue.isSuspended = false
    #expect(try await operation.value == 1)
  }

  @Test("A cancelled operation that has returned its turn ends when its queue goes on")
  func cancelled() async {
    let queue = AsyncOperationQueue()
    let (running, operation) = await waitForSlot(in: queue)
    queue.isSuspended = true
    operation.cancel()
    await #expect(throws: CancellationError.self) { try await operation.value }
    running.finish()
    queue.isSuspended = false
    await operation.finished()
    #expect(!TurnRegistry.hasLine(in: category))
  }

  @Test("A start that comes after the turn was returned waits for the next turn", arguments: 0..<4)
  func startedMeanwhile(end: Int) async throws {
    let queue = AsyncOperationQueue()
    let (running, operation) = await waitForSlot(in: queue)
    queue.isSuspended = true
    let holder = Stubborn().exclusive(in: category)
    other.enqueue(holder)
    await holder.began.opened()
    // As by a queue that was about to start it when it was suspended.
    await onThread { operation.start() }
    #expect(operation.state == .pending && TurnRegistry.count(in: category) == 2)
    switch end {
    case 0: operation.cancel()
    case 1: operation.finish(with: .success(9))
    default: break
    }
    holder.finish()
    await operation.finished()
    #expect(try end == 0 || operation.result?.get() == (end == 1 ? 9 : 7))
    running.finish()
  }

  @Test("An operation that is started before its turn goes before those that have not begun")
  func startedInLine() async {
    let (queue, order) = (AsyncOperationQueue(), Log<Int>([]))
    let holder = Stubborn().exclusive(in: category)
    other.enqueue(holder)
    await holder.began.opened()
    let operations = (0..<2).map { number in
      TaskOperation { order.append(number) }.exclusive(in: category)
    }
    for operation in operations { queue.enqueue(operation) }
    // As by a queue that was about to start it when another one asked for its turn.
    await onThread { operations[1].start() }
    holder.finish()
    for operation in operations { await operation.finished() }
    #expect(order.value == [1, 0])
  }
}
