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

  @Test("A batch refuses operations of another queue and adds the others")
  func batchWithStranger() async {
    let (queue, other) = (OperationQueue(width: 1), OperationQueue(width: 1))
    other.isSuspended = true
    let (stranger, own) = (QuickOperation(), QuickOperation())
    let misuses = Misuses(of: stranger)
    other.enqueue(stranger)
    #expect(!queue.enqueue([stranger, own]))
    await queue.drained()
    #expect(own.isFinished && !stranger.isFinished && misuses.codes == [.secondEnqueue])
    other.isSuspended = false
    await other.drained()
  }

  @Test("A waiting batch of an AsyncOperationQueue does not wait for refused operations")
  func waitsForTaken() async {
    let (queue, other) = (AsyncOperationQueue(), OperationQueue(width: 1))
    other.isSuspended = true
    let (stranger, own) = (QuickOperation(), QuickOperation())
    other.enqueue(stranger)
    await onThread { queue.addOperations([stranger, own], waitUntilFinished: true) }
    #expect(own.isFinished && !stranger.isFinished)
    other.isSuspended = false
    await other.drained()
  }

  @Test("enqueue turns a closure into an operation with a name")
  func closure() async throws {
    let operation = OperationQueue().enqueue(name: "answer") { 42 }
    #expect(try await operation.value == 42 && operation.name == "answer")
  }

  @Test("enqueue returns whether the queue took the operation", arguments: Kind.ours)
  func taken(kind: Kind) async {
    let queue = OperationQueue(width: 1)
    let operation = kind.make()
    #expect(queue.enqueue(operation))
    #expect(!queue.enqueue(operation))
    await queue.drained()
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

  @Test("An operation that has started is refused and reported")
  func started() async {
    let operation = QuickOperation()
    let misuses = Misuses(of: operation)
    operation.start()
    #expect(!OperationQueue().enqueue(operation))
    #expect(misuses.codes == [.secondEnqueue])
  }

  // MARK: Queues that add by enqueue

  @Test("An AsyncOperationQueue knows of a barrier until it has run")
  func barrier() async {
    let queue = AsyncOperationQueue()
    queue.isSuspended = true
    #expect(!queue.hasBarrier)
    queue.addBarrierBlock {}
    #expect(queue.hasBarrier)
    queue.isSuspended = false
    let next = TaskOperation {}
    queue.addOperation(next)
    await next.ended()
    #expect(!queue.hasBarrier)
  }

  @Test("A thread that has added a barrier lets other threads add operations that take turns")
  func barrierOfThread() async {
    let queue = AsyncOperationQueue()
    let operation = TaskOperation {}.exclusive(in: ExclusionCategory("barrier"))
    await onThread { queue.addBarrierBlock {} }
    await onThread { queue.addOperation(operation) }
    await operation.ended()
  }

  @Test("A queue that gives a claimed operation back leaves it to other queues")
  func disclaim() async throws {
    let (first, second) = (OperationQueue(), OperationQueue())
    let operation = TaskOperation {}
    #expect(operation.claim(by: first))
    operation.disclaim(by: first)
    try #require(operation.claim(by: second))
    second.enqueue(operation)
    await operation.ended()
  }

  @Test("A suspended AsyncOperationQueue starts no block")
  func suspendedBlock() async {
    let queue = AsyncOperationQueue()
    let underlying = DispatchQueue(label: "underlying")
    queue.underlyingQueue = underlying
    queue.isSuspended = true
    let operation = BlockOperation {}
    queue.addOperation(operation)
    await onThread { underlying.sync {} }
    #expect(!operation.isFinished)
    queue.isSuspended = false
    await queue.drained()
    #expect(operation.isFinished)
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

  @Test("addOperations of an AsyncOperationQueue returns at once if it need not wait")
  func ownQueueWithoutWait() async {
    let queue = AsyncOperationQueue()
    queue.isSuspended = true
    let operation = QuickOperation()
    let isFinished = await onThread {
      queue.addOperations([operation], waitUntilFinished: false)
      return operation.isFinished
    }
    #expect(!isFinished)
    queue.isSuspended = false
    await operation.finished()
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
