import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  @Suite("Starting and finishing at the wrong moment (faults 7 to 10)", .timeLimit(.minutes(10)))
  struct StartFaultTests {
    @Test("Fault 7: an operation that finishes before its start crashes the queue")
    func finishWhileEnqueued() async {
      let end = await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        let queue = OperationQueue(width: 1)
        queue.isSuspended = true
        // The queue follows pointers to freed operations, and arrays fill their memory.
        for _ in 0..<1000 {
          let operation = FinishesAnyTime()
          queue.addOperation(operation)
          operation.finish()
        }
        var others: [[Int]] = []
        for _ in 0..<10_000 { others.append([Int](repeating: -1, count: 25)) }
        queue.isSuspended = false
        queue.addOperation {}
        exit(others.isEmpty ? 1 : 0)
      }
      #expect(end.isCrash)
    }

    @Test(
      "Fault 7: a finish before the start takes effect at the start, and the queue empties",
      arguments: Kind.ours)
    func rememberedFinish(kind: Kind) async throws {
      let ran = Box()
      let completed = Box()
      let isGone = Gate()
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operation = try #require(kind.make { _ in ran.add() } as? AsyncOperation)
      operation.completionBlock = { [token = Token(isGone)] in
        withExtendedLifetime(token) { _ = completed.add() }
      }
      queue.addOperation(operation)
      #expect(operation.finish())
      #expect(!operation.isFinished)
      queue.isSuspended = false
      await queue.emptied()
      #expect(operation.isFinished && ran.value == 0)
      await isGone.opened()
      #expect(completed.value == 1)
    }

    @Test("Fault 8: a system operation that is started by hand in a queue traps")
    func systemTraps() async {
      let end = await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        let queue = OperationQueue(width: 1)
        queue.isSuspended = true
        let operation = BlockOperation {}
        queue.addOperation(operation)
        operation.start()
      }
      #expect(end.isCrash)
    }

    @Test(
      "A second enqueue, by the same queue or by another, is refused and reported",
      arguments: Kind.ours)
    func enqueuedAgain(kind: Kind) async throws {
      let ran = Box()
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operation = try #require(kind.make { _ in ran.add() } as? AsyncOperation)
      let misuses = Misuses(of: operation)
      queue.enqueue(operation)
      queue.enqueue(operation)
      OperationQueue(width: 1).enqueue(operation)
      #expect(misuses.codes == [.secondEnqueue, .secondEnqueue])
      queue.isSuspended = false
      await queue.emptied()
      #expect(operation.isFinished && ran.value == 1)
      queue.enqueue(operation)
      #expect(misuses.codes == [.secondEnqueue, .secondEnqueue, .secondEnqueue])
    }

    @Test("Enqueue refuses and reports an operation that was started by hand", arguments: Kind.ours)
    func enqueuedAfterStart(kind: Kind) async throws {
      let operation = try #require(kind.make() as? AsyncOperation)
      let misuses = Misuses(of: operation)
      await onThread { operation.start() }
      OperationQueue(width: 1).enqueue(operation)
      #expect(misuses.codes == [.secondEnqueue])
      await operation.finished()
    }

    @Test("Only the queue that claimed an operation can enqueue it")
    func claimed() async {
      let queue = OperationQueue(width: 1)
      let other = OperationQueue(width: 1)
      let operation = QuickOperation()
      let misuses = Misuses(of: operation)
      #expect(operation.claim(by: queue))
      #expect(!operation.claim(by: other))
      #expect(!other.enqueue(operation))
      #expect(operation.state == .pending && other.operationCount == 0)
      #expect(misuses.codes == [.secondEnqueue, .secondEnqueue])
      #expect(queue.enqueue(operation))
      await queue.emptied()
      #expect(operation.isFinished)
    }

    @Test("A plain addOperation of another queue runs a claimed operation")
    func startedElsewhere() async {
      let (queue, other) = (OperationQueue(width: 1), OperationQueue(width: 1))
      let operation = QuickOperation()
      let misuses = Misuses(of: operation)
      #expect(operation.claim(by: queue))
      other.addOperation(operation)
      await other.emptied()
      #expect(operation.isFinished && misuses.codesOnAnyMachine == [])
    }

    @Test("An operation can be started by hand after its claim is returned")
    func disclaimed() async {
      let queue = OperationQueue(width: 1)
      let operation = QuickOperation()
      let misuses = Misuses(of: operation)
      #expect(operation.claim(by: queue))
      operation.disclaim(by: queue)
      await onThread { operation.start() }
      #expect(operation.isFinished && misuses.codesOnAnyMachine == [])
      #expect(!operation.claim(by: queue))
    }

    @Test(
      "Fault 9: a cancelled operation finishes at its start; a finished one stays uncancelled",
      arguments: Kind.allCases)
    func cancelAndStart(kind: Kind) async {
      let ran = Box()
      let queue = OperationQueue(width: 1)
      let operation = kind.make { _ in ran.add() }
      queue.isSuspended = true
      queue.addOperation(operation)
      operation.cancel()
      #expect(operation.isCancelled && !operation.isFinished)
      queue.isSuspended = false
      await queue.emptied()
      #expect(operation.isFinished && ran.value == 0)
      let other = kind.make()
      queue.addOperation(other)
      await queue.emptied()
      other.cancel()
      #expect(other.isFinished && !other.isCancelled)
    }

    @Test("Fault 10: a system operation that is started before it is ready traps")
    func systemTrapsUnready() async {
      let end = await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        let operation = BlockOperation {}
        operation.addDependency(BlockOperation {})
        operation.start()
      }
      #expect(end.isCrash)
    }
  }

  /// Becomes finished on every call of `finish()`, started or not.
  private final class FinishesAnyTime: Operation, @unchecked Sendable {
    // Sendable: it never changes, and its box has a lock.
    private let isOver = Box(false)

    override var isFinished: Bool { isOver.value }

    func finish() {
      isOver.set(true)
      didChangeValue(forKey: "isFinished")
    }
  }
#endif
