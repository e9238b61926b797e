import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Adding to queues", .timeLimit(.minutes(10)))
struct QueueTests {
  @Test("Operations of a batch start in the order of their priorities")
  func batch() async {
    let queue = OperationQueue(width: 1)
    let order = Log<String>([])
    let operations = [
      ("low", Operation.QueuePriority.low), ("normal", .normal), ("high", .high),
      ("very high", .veryHigh),
    ].map { name, priority in
      let operation = BlockOperation { order.append(name) }
      operation.queuePriority = priority
      return operation
    }
    #expect(queue.enqueue(operations))
    await queue.drained()
    #expect(order.value == ["very high", "high", "normal", "low"])
  }

  @Test("A batch refuses operations of another queue, adds the others, and waits for these alone")
  func batchWithStranger() async {
    let (queue, other) = (AsyncOperationQueue(), OperationQueue(width: 1))
    other.isSuspended = true
    let (stranger, own, last) = (QuickOperation(), QuickOperation(), QuickOperation())
    let misuses = Misuses(of: stranger)
    other.enqueue(stranger)
    #expect(!queue.enqueue([stranger, own]))
    await onThread { queue.addOperations([stranger, last], waitUntilFinished: true) }
    #expect(last.isFinished && !stranger.isFinished)
    #expect(misuses.codes == [.secondEnqueue, .secondEnqueue])
    await own.finished()
    other.isSuspended = false
    await other.drained()
  }

  @Test("A second enqueue, or one after a start, is refused and reported", arguments: Kind.ours)
  func enqueuedAgain(kind: Kind) async throws {
    let ran = Box()
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let operation = try #require(kind.make { _ in ran.add() } as? AsyncOperation)
    let misuses = Misuses(of: operation)
    #expect(queue.enqueue(operation) && !queue.enqueue(operation))
    #expect(!OperationQueue(width: 1).enqueue(operation))
    queue.isSuspended = false
    await queue.emptied()
    #expect(!queue.enqueue(operation) && operation.isFinished && ran.value == 1)
    let started = try #require(kind.make() as? AsyncOperation)
    let misusesAfterStart = Misuses(of: started)
    await onThread { started.start() }
    #expect(!queue.enqueue(started))
    #expect(misuses.codesOnAnyMachine == Array(repeating: .secondEnqueue, count: 3))
    #expect(misusesAfterStart.codesOnAnyMachine == [.secondEnqueue])
    await started.finished()
  }

  @Test("Only the queue that claimed an operation can enqueue it, until the claim is returned")
  func claimed() async {
    let (queue, other) = (OperationQueue(width: 1), OperationQueue(width: 1))
    let operation = QuickOperation()
    let misuses = Misuses(of: operation)
    #expect(operation.claim(by: other))
    operation.disclaim(by: other)
    #expect(operation.claim(by: queue) && !operation.claim(by: other))
    #expect(!other.enqueue(operation) && other.operationCount == 0)
    #expect(misuses.codes == [.secondEnqueue, .secondEnqueue])
    #expect(queue.enqueue(operation))
    await operation.finished()
  }

  @Test(
    "An operation waits until its dependencies in another queue have ended or were cancelled",
    arguments: Kind.allCases, Kind.allCases)
  func dependencies(kind: Kind, other: Kind) async {
    let (mayEnd, ran) = (Gate(), Log<Int>([]))
    let ends = other.make(Work(until: .open(mayEnd), end: { ran.append(1) }))
    let cancelled = other.make { _ in ran.append(0) }
    let operation = kind.make { _ in ran.append(2) }
    for dependency in [ends, cancelled] { operation.addDependency(dependency) }
    cancelled.cancel()
    OperationQueue(width: 1).enqueue(operation)
    OperationQueue(width: 2).enqueue([ends, cancelled])
    mayEnd.open()
    await operation.finished()
    #expect(ran.value == [1, 2])
  }

  @Test(
    "drained() returns after all operations have finished, also those added meanwhile",
    arguments: Kind.allCases)
  func drained(kind: Kind) async {
    let queue = OperationQueue(width: 2)
    let last = kind.make()
    let gate = Gate()
    let first = kind.make(Work(until: .open(gate), end: { queue.enqueue(last) }))
    queue.enqueue(first)
    async let drained: Void = queue.drained()
    gate.open()
    await drained
    #expect(first.isFinished && last.isFinished)
    await OperationQueue().drained()
  }

  /// Ends inside one read of its `isFinished`, which still gives the value from before.
  private final class EndsInRead: BlockOperation, @unchecked Sendable {
    // Sendable: they never change.
    let readsToGo = Box<Int>(0)
    let mayEnd = Gate()

    override var isFinished: Bool {
      let isFinished = super.isFinished
      if readsToGo.add(-1) == 0 {
        mayEnd.open()
        while !super.isFinished { sched_yield() }
      }
      return isFinished
    }
  }

  @Test("drained() returns if an operation ends inside any read of its state", arguments: 1...3)
  func endsWhileDraining(read: Int) async {
    let (queue, began, operation) = (OperationQueue(), Gate(), EndsInRead())
    operation.addExecutionBlock { [mayEnd = operation.mayEnd] in
      began.open()
      mayEnd.wait()
    }
    queue.addOperation(operation)
    await began.opened()
    operation.readsToGo.set(read)
    await queue.drained()
    operation.mayEnd.open()
    await operation.finished()
  }

  // MARK: Queues that add by enqueue

  @Test("An AsyncOperationQueue knows of a barrier until it has run, and other threads may add")
  func barrier() async {
    let (queue, running) = (AsyncOperationQueue(), Stubborn())
    queue.enqueue(running)
    await running.began.opened()
    #expect(!queue.hasBarrier)
    await onThread { queue.addBarrierBlock {} }
    #expect(queue.hasBarrier)
    let next = TaskOperation {}.exclusive(in: ExclusionCategory("barrier"))
    await onThread { queue.addOperation(next) }
    running.finish()
    await next.ended()
    #expect(!queue.hasBarrier)
  }

  @Test("addOperation of an AsyncOperationQueue enqueues", arguments: Kind.allCases)
  func ownQueue(kind: Kind) async {
    let queue = AsyncOperationQueue()
    let told = Box()
    let operations = [kind.make(), kind.make(), kind.make()]
    for case let operation as AsyncOperation in operations {
      operation.addObserver(OperationObserver(willEnqueue: { _ in told.add() }))
    }
    queue.addOperation(operations[0])
    await onThread {
      queue.addOperations([operations[1]], waitUntilFinished: true)
      queue.addOperations([operations[2]], waitUntilFinished: false)
    }
    #expect(operations[1].isFinished)
    await queue.drained()
    #expect(operations.allSatisfy { $0.isFinished })
    #expect(told.value == (kind == .block ? 0 : 3))
    let block = Gate()
    queue.addOperation { block.open() }
    await block.opened()
  }

  @Test("cancelAllOperations of an AsyncOperationQueue cancels all before it calls an observer")
  func cancelAll() async {
    let queue = AsyncOperationQueue()
    queue.isSuspended = true
    let operations = [QuickOperation(), QuickOperation()]
    let cancelled = Log<Bool>([])
    for operation in operations {
      operation.addObserver(
        OperationObserver(cancelled: { _ in
          cancelled.append(operations.allSatisfy { $0.isCancelled })
        }))
    }
    queue.addOperations(operations, waitUntilFinished: false)
    queue.cancelAllOperations()
    #expect(cancelled.value == [true, true])
    queue.isSuspended = false
    await queue.drained()
  }

  @Test("An operation that an observer adds is enqueued too")
  func nestedAdd() async {
    let queue = AsyncOperationQueue()
    let (outer, inner) = (QuickOperation(), QuickOperation())
    let told = Box()
    inner.addObserver(OperationObserver(willEnqueue: { _ in told.add() }))
    outer.addObserver(OperationObserver(willEnqueue: { _ in queue.addOperation(inner) }))
    queue.addOperation(outer)
    await queue.drained()
    #expect(outer.isFinished && inner.isFinished && told.value == 1)
  }

  @Test("A subclass of OperationQueue may forward addOperation to enqueue")
  func forwardingQueue() async {
    let queue = Forwarding()
    let operation = QuickOperation()
    queue.addOperation(operation)
    await queue.drained()
    #expect(operation.isFinished)
  }
}

private final class Forwarding: OperationQueue, @unchecked Sendable {
  override func addOperation(_ operation: Operation) { enqueue(operation) }
}
