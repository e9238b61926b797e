#if !canImport(ObjectiveC)
  import Foundation
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("Faults of the queue that remain (14, 16, 17 and 22)", .timeLimit(.minutes(10)))
  struct QueueFaultTests {
    @Test(
      "Fault 14: a cancelled operation keeps its place until a slot is free",
      arguments: Kind.allCases)
    func cancelledKeepsItsPlace(kind: Kind) async {
      let (mayEnd, began) = (Gate(), Gate())
      let queue = OperationQueue(width: 1)
      queue.addOperation(kind.make(Work(until: .open(mayEnd)) { _ in began.open() }))
      let operation = kind.make()
      queue.addOperation(operation)
      await began.opened()
      operation.cancel()
      #expect(operation.isCancelled && !operation.isFinished)
      mayEnd.open()
      await queue.emptied()
      #expect(operation.isFinished)
    }

    @Test(
      "Fault 14: a suspended queue keeps itself and its operations until it is resumed",
      arguments: Kind.allCases)
    func suspendedQueueLeaks(kind: Kind) async {
      weak var queue: OperationQueue?
      weak var operation: Operation?
      do {
        let suspended = OperationQueue(width: 1)
        suspended.isSuspended = true
        let waiting = kind.make()
        suspended.addOperation(waiting)
        queue = suspended
        operation = waiting
      }
      #expect(queue != nil && operation != nil)
      queue?.isSuspended = false
      await until { queue == nil && operation == nil }
    }

    @Test(
      "Fault 16: a serial queue loses the new priority of an operation with a quality of service",
      arguments: Kind.allCases)
    func lostPriority(kind: Kind) async {
      let ran = Log<Int>([])
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operations = (0..<2).map { number in kind.make { _ in ran.append(number) } }
      operations[1].qualityOfService = .userInitiated
      for operation in operations { queue.addOperation(operation) }
      operations[1].queuePriority = .veryHigh
      queue.isSuspended = false
      await queue.emptied()
      #expect(ran.value == [0, 1])
    }

    @Test("Fault 17: a queue's progress does not count an AsyncOperation", arguments: Kind.ours)
    func progress(kind: Kind) async {
      let queue = OperationQueue(width: 1)
      queue.progress.totalUnitCount = 1
      queue.addOperation(kind.make())
      await queue.emptied()
      #expect(queue.progress.completedUnitCount == 0)
    }

    @Test("Fault 22: cancelAllOperations does nothing on the main queue", arguments: Kind.allCases)
    @MainActor
    func mainQueue(kind: Kind) async {
      let ran = Box()
      let operation = kind.make { _ in ran.add() }
      OperationQueue.main.enqueue(operation)
      OperationQueue.main.cancelAllOperations()
      #expect(!operation.isCancelled)
      operation.cancel()
      await operation.finished()
      #expect(operation.isCancelled && ran.value == 0)
    }
  }
#endif
