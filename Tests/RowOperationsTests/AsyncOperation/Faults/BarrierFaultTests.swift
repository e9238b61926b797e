import Foundation
import Testing

@testable import RowOperations

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
      operation.cancel()
      queue.enqueue(operation)
      queue.cancelAllOperations()
      queue.isSuspended = false
      await queue.drained()
      #expect(operation.isFinished && ran.value == 0)
    }

    @Test("Fault 13: enqueue does not hang when the cancel comes in the middle of adding")
    func cancelledWhileAdding() async {
      await #expect(processExitsWith: .success) {
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        let operation = CancelledWhenRead()
        operation.addDependency(QuickOperation())
        operation.isArmed.set(true)
        scene.queue.enqueue(operation)
        await scene.drained()
        exit(operation.isCancelled && operation.isFinished ? 0 : 1)
      }
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
