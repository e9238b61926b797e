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
      "Fault 13: nor does one with a dependency, by a plain addOperation or by enqueue",
      arguments: Kind.ours, [false, true])
    func cancelledWithDependency(kind: Kind, isEnqueued: Bool) async {
      await #expect(processExitsWith: .success) {
        [kind = kind as Kind, isEnqueued = isEnqueued as Bool] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        let operation = kind.make()
        operation.addDependency(QuickOperation())
        operation.queuePriority = .high
        operation.cancel()
        if isEnqueued {
          scene.queue.enqueue(operation)
        } else {
          scene.queue.addOperation(operation)
        }
        await scene.drained()
        exit(operation.isFinished ? 0 : 1)
      }
    }

    @Test("A queue shows what it was given, and nothing else", arguments: Kind.ours)
    func noStrangers(kind: Kind) async {
      let ran = Box()
      let queue = OperationQueue(width: 1)
      queue.isSuspended = true
      let operation = kind.make { _ in ran.add() }
      operation.addDependency(QuickOperation())
      operation.cancel()
      queue.enqueue(operation)
      #expect(queue.operations == [operation])
      queue.cancelAllOperations()
      queue.isSuspended = false
      await queue.emptied()
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

    // MARK: Cancelled while it waits for the barrier

    @Test("One of the system's own that is cancelled while it waits for a barrier crashes")
    func systemsOwnWaiting() async {
      await #expect(processExitsWith: .failure) {
        Watchdog.start(Watchdog.patient)
        await cancelBehindBarrier { BlockOperation {} }
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

    @Test("Cancelled with a dependency behind a barrier, it leaves its queue when the barrier ends")
    func leavesAfterTheBarrier() async {
      let scene = BarrierScene()
      let operation = QuickOperation()
      operation.addDependency(OpenOperation())
      scene.queue.enqueue(operation)
      operation.cancel()
      #expect(!operation.isReady)
      await scene.drained()
      #expect(operation.isFinished)
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
      await queue.emptied()
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
