import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  /// A cancelled operation does not wait for the barrier, and the queue, in the middle of adding it,
  /// waits for itself.
  @Suite("Adding what is cancelled while a barrier is pending (fault 13)", .timeLimit(.minutes(10)))
  struct BarrierFaultTests {
    @Test("Fault 13: adding a cancelled operation of the system's own hangs the adder")
    func systemsOwn() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        let scene = BarrierScene()
        let operation = BlockOperation {}
        operation.cancel()
        scene.queue.addOperation(operation)
      }
    }

    @Test(
      "Fault 13: adding a cancelled AsyncOperation does not, even by a plain addOperation",
      arguments: Kind.ours)
    func cancelledBefore(kind: Kind) async {
      await #expect(processExitsWith: .success) { [kind = kind as Kind] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        let operation = kind.make()
        operation.cancel()
        scene.queue.addOperation(operation)
        await scene.drained()
        exit(operation.isFinished ? 0 : 1)
      }
    }

    @Test(
      "Fault 13: one that was cancelled while it waited for a dependency hangs a plain addOperation"
    )
    func plainAddHangs() async {
      await #expect(processExitsWith: .exitCode(Watchdog.hung)) {
        Watchdog.start(Watchdog.brief)
        let scene = BarrierScene()
        let operation = QuickOperation()
        operation.addDependency(QuickOperation())
        operation.cancel()
        scene.queue.addOperation(operation)
      }
    }

    @Test(
      "Fault 13: enqueue adds it by a stand-in, which waits for the barrier", arguments: Kind.ours)
    func cancelledWithDependency(kind: Kind) async {
      await #expect(processExitsWith: .success) { [kind = kind as Kind] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        let operation = kind.make()
        operation.addDependency(QuickOperation())
        operation.queuePriority = .high
        operation.cancel()
        scene.queue.enqueue(operation)
        await scene.drained()
        exit(operation.isFinished ? 0 : 1)
      }
    }

    @Test(
      "Fault 13: what a stand-in stands for finishes also if the stand-in is cancelled",
      arguments: Kind.ours)
    func cancelledStandIn(kind: Kind) async {
      let ran = Box()
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operation = kind.make { _ in ran.add() }
      operation.addDependency(QuickOperation())
      operation.cancel()
      queue.enqueue(operation)
      #expect(queue.operations.count == 1 && queue.operations != [operation])
      queue.cancelAllOperations()
      queue.isSuspended = false
      await queue.drained()
      #expect(operation.isFinished && ran.value == 0)
    }

    @Test(
      "Fault 13: enqueue does the same for one that was finished, then cancelled",
      arguments: Kind.ours)
    func decidedWithDependency(kind: Kind) async {
      await #expect(processExitsWith: .success) { [kind = kind as Kind] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        guard let operation = kind.make() as? AsyncOperation else { exit(1) }
        operation.addDependency(QuickOperation())
        operation.finish()
        operation.cancel()
        scene.queue.enqueue(operation)
        await scene.drained()
        exit(!operation.isCancelled && operation.isFinished ? 0 : 1)
      }
    }

    @Test(
      "Fault 13: enqueue does not hang when the cancel comes in the middle of adding, nor forgets it",
      arguments: [false, true])
    func cancelledWhileAdding(isDecided: Bool) async {
      await #expect(processExitsWith: .success) { [isDecided = isDecided as Bool] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        let operation = CancelledWhenRead()
        operation.addDependency(QuickOperation())
        if isDecided { operation.finish() }
        operation.isArmed.set(true)
        scene.queue.enqueue(operation)
        await scene.drained()
        exit(operation.isCancelled != isDecided && operation.isFinished ? 0 : 1)
      }
    }

    @Test(
      "A stand-in that is cancelled as its queue starts it ends what it stands for all the same")
    func standInLeftToItsCancel() async {
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operation = QuickOperation()
      operation.addDependency(QuickOperation())
      operation.cancel()
      queue.enqueue(operation)
      let standIn = queue.operations.first as? AsyncOperation
      standIn?.addObserver(
        OperationObserver(cancelled: { standIn in
          queue.isSuspended = false
          standIn.waitUntilStarted()
        }))
      // The observer spins, so it has a thread of its own.
      await onThread { queue.cancelAllOperations() }
      await queue.drained()
      #expect(standIn?.isFinished == true && operation.isFinished)
    }

    // MARK: Cancelled while it waits for the barrier

    @Test("One of the system's own that is cancelled while it waits for a barrier crashes")
    func systemsOwnWaiting() async {
      await #expect(processExitsWith: .failure) {
        await cancelBehindBarrier { BlockOperation {} }
      }
    }

    @Test("It is also if the queue starts it in the middle of its cancel")
    func startedWhileCancelled() async {
      await #expect(processExitsWith: .success) {
        await cancelBehindBarrier {
          let operation = QuickOperation()
          operation.addDependency(OpenOperation())
          operation.addObserver(OperationObserver(cancelled: { $0.waitUntilStarted() }))
          return operation
        }
      }
    }

    @Test(
      "An AsyncOperation that is cancelled while it waits for a barrier ends and is let go of",
      arguments: [false, true], [false, true])
    func cancelledWaiting(isEnqueued: Bool, hasDependency: Bool) async {
      await #expect(processExitsWith: .success) {
        [isEnqueued = isEnqueued as Bool, hasDependency = hasDependency as Bool] in
        await cancelBehindBarrier(isEnqueued: isEnqueued) {
          let operation = QuickOperation()
          if hasDependency { operation.addDependency(OpenOperation()) }
          return operation
        }
      }
    }

    @Test("A stand-in that is cancelled while it waits for a barrier ends and is let go of")
    func cancelledStandInWaiting() async {
      await #expect(processExitsWith: .success) {
        await cancelBehindBarrier {
          let operation = QuickOperation()
          operation.addDependency(OpenOperation())
          operation.cancel()
          return operation
        }
      }
    }

    @Test("Cancelled, it leaves its queue at once, before the dependency and a pending barrier end")
    func leavesBeforeTheBarrier() async {
      let scene = BarrierScene()
      let operation = QuickOperation()
      operation.addDependency(OpenOperation())
      scene.queue.enqueue(operation)
      operation.cancel()
      await operation.finished()
      await scene.drained()
    }
  }

  /// A queue whose only operation runs, with a barrier behind it.
  private struct BarrierScene {
    let queue = OperationQueue(width: 2)
    private let running = OpenOperation()

    init() {
      queue.addOperation(running)
      queue.addBarrierBlock {}
    }

    func drained() async {
      running.finish()
      await queue.drained()
    }
  }

  /// Cancels a thousand operations behind a barrier, and ends the process with success when all of them
  /// and the barrier are over.
  ///
  /// The barrier follows the pointers that it keeps: what has taken the memory would be marked.
  private func cancelBehindBarrier(
    isEnqueued: Bool = true, _ make: () -> Operation
  ) async {
    Watchdog.start(Watchdog.patient)
    let scene = BarrierScene()
    weak var last: Operation?
    for _ in 0..<1000 {
      let operation = make()
      last = operation
      if isEnqueued { scene.queue.enqueue(operation) } else { scene.queue.addOperation(operation) }
      operation.cancel()
    }
    // Gives what need not wait for the barrier the time to be gone; the others stay.
    for _ in 0..<100_000 where last != nil { await Task.yield() }
    for operation in scene.queue.operations.dropFirst() { operation.cancel() }
    for _ in 0..<100_000 where last != nil { await Task.yield() }
    var others: [[Int]] = []
    for _ in 0..<10_000 { others.append([Int](repeating: -1, count: 25)) }
    await scene.drained()
    exit(others.isEmpty ? 1 : 0)
  }

  extension AsyncOperation {
    /// Waits, on the calling thread, until a queue has started it on another one.
    fileprivate func waitUntilStarted() {
      while !guarded.withLock({ $0.machine.wasStarted }) { sched_yield() }
    }
  }

  /// Is cancelled right after the queue has read whether it is ready.
  private final class CancelledWhenRead: AsyncOperation, @unchecked Sendable {
    // Sendable: it never changes, and what it holds is behind its lock.
    let isArmed = Box(false)

    override var isReady: Bool {
      let isReady = super.isReady
      let isDue = isArmed.change { isArmed in
        defer { isArmed = false }
        return isArmed
      }
      if isDue { cancel() }
      return isReady
    }

    override func main() { finish() }
  }
#endif
