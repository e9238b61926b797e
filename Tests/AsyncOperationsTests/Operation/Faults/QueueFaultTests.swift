import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Faults that the library can only document: they affect the system's own operations too.
#if !canImport(ObjectiveC)
  @Suite("The queue's own faults (14 to 17, 19 and 22)", .timeLimit(.minutes(10)))
  struct QueueFaultTests {
    @Test(
      "Fault 14: a cancelled operation keeps its place until a slot is free",
      arguments: Kind.allCases)
    func cancelledKeepsItsPlace(kind: Kind) async {
      let gate = Gate()
      let began = Gate()
      let queue = OperationQueue(width: 1)
      queue.addOperation(kind.make(Work(until: .open(gate)) { _ in began.open() }))
      let operation = kind.make()
      queue.addOperation(operation)
      await began.opened()
      operation.cancel()
      #expect(operation.isCancelled && !operation.isFinished)
      gate.open()
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

    @Test("Fault 15: each added operation makes the queue read isReady of all waiting ones")
    func waitingCosts() async {
      let looks = Box()
      let queue = OperationQueue(width: 1)
      let waiting = (0..<100).map { _ in Unready(looks) }
      for operation in waiting { queue.addOperation(operation) }
      looks.set(0)
      for _ in 0..<10 {
        queue.addOperation(QuickOperation())
        await queue.idle(but: waiting.count)
      }
      #expect(looks.value >= 10 * waiting.count)
      for operation in waiting { operation.becomeReady() }
      await queue.emptied()
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

    @Test(
      "Fault 17: a queue's progress counts only operations that do not override start()",
      arguments: Kind.allCases)
    func progress(kind: Kind) async {
      let queue = OperationQueue(width: 1)
      queue.progress.totalUnitCount = 1
      queue.addOperation(kind.make())
      await queue.emptied()
      #expect(queue.progress.completedUnitCount == (kind == .block ? 1 : 0))
    }

    @Test(
      "Fault 19: a finished operation is still in its queue when a dependent's isReady is read",
      arguments: Kind.allCases)
    func stillInQueue(kind: Kind) async {
      let counts = Log<Int>([])
      let queue = OperationQueue(width: 1)
      let operation = kind.make()
      let dependent = Watching {
        guard operation.isFinished else { return }
        counts.append(queue.operationCount)
      }
      dependent.addDependency(operation)
      queue.addOperation(operation)
      await queue.emptied()
      #expect(counts.value.first == 1)
      #expect(queue.operationCount == 0)
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

  extension OperationQueue {
    /// Waits until the queue has at most `count` operations.
    fileprivate func idle(but count: Int) async {
      await until { operationCount <= count }
    }
  }

  /// Reports that it is not ready, and counts the reads.
  private final class Unready: AsyncOperation, @unchecked Sendable {
    // Sendable: none of it changes, and its boxes have locks.
    private let looks: Box<Int>
    private let isOpen = Box(false)

    init(_ looks: Box<Int>) {
      self.looks = looks
      super.init()
    }

    override var isReady: Bool {
      looks.add()
      return isOpen.value
    }

    override func main() { finish() }

    func becomeReady() {
      isOpen.set(true)
      didChangeValue(forKey: "isReady")
    }
  }

  /// Runs a closure on every read of `isReady`.
  private final class Watching: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes.
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
      super.init()
    }

    override var isReady: Bool {
      body()
      return super.isReady
    }
  }
#endif
