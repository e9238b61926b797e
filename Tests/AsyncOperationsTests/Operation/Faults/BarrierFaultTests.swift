import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if !canImport(ObjectiveC)
  /// A cancelled operation skips the barrier, and the queue that is adding it deadlocks.
  @Suite(
    "Adding cancelled operations behind a pending barrier (fault 13)", .timeLimit(.minutes(10)))
  struct BarrierFaultTests {
    @Test(
      "Fault 13: adding a cancelled operation behind a barrier does not hang",
      arguments: Kind.ours, [false, true])
    func cancelledBefore(kind: Kind, isEnqueued: Bool) async throws {
      for (hasDependency, isDecided) in [(false, false), (true, false), (true, true)] {
        let operation = try #require(kind.make() as? AsyncOperation)
        if hasDependency { operation.addDependency(QuickOperation()) }
        operation.queuePriority = .high
        if isDecided { operation.finish() }
        operation.cancel()
        await BarrierScene().add(operation, isEnqueued: isEnqueued)
        #expect(operation.isCancelled != isDecided && operation.isFinished)
      }
    }

    @Test(
      "Fault 13: a cancel in the middle of enqueue neither hangs nor is lost",
      arguments: [false, true])
    func cancelledWhileAdding(isDecided: Bool) async {
      let operation = ReadinessProbe()
      operation.addDependency(QuickOperation())
      if isDecided { operation.finish() }
      operation.nextRead.set(ReadinessProbe.Read { [weak operation] in operation?.cancel() })
      await BarrierScene().add(operation, isEnqueued: true)
      #expect(operation.isCancelled != isDecided && operation.isFinished)
    }

    // MARK: Cancelled while it waits for the barrier

    @Test(
      "An AsyncOperation that is cancelled while it waits for a barrier ends without a crash",
      arguments: [false, true], [false, true])
    func cancelledWaiting(isEnqueued: Bool, hasDependency: Bool) async {
      await #expect(processExitsWith: .success) {
        [isEnqueued = isEnqueued as Bool, hasDependency = hasDependency as Bool] in
        Watchdog.start(Watchdog.patient)
        let scene = BarrierScene()
        weak var last: Operation?
        for _ in 0..<1000 {
          let operation = QuickOperation()
          if hasDependency { operation.addDependency(OpenOperation()) }
          last = operation
          if isEnqueued {
            scene.queue.enqueue(operation)
          } else {
            scene.queue.addOperation(operation)
          }
          operation.cancel()
        }
        // Gives operations that need not wait for the barrier time to leave.
        for _ in 0..<100_000 where last != nil { await Task.yield() }
        // The barrier follows the pointers that it keeps. Arrays fill the freed memory, so that a
        // stale pointer crashes.
        var others: [[Int]] = []
        for _ in 0..<10_000 { others.append([Int](repeating: -1, count: 25)) }
        await scene.drained()
        exit(others.isEmpty ? 1 : 0)
      }
    }

    @Test("A cancelled operation with a dependency leaves its queue when the barrier ends")
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

  /// A queue that runs one operation, with a barrier behind it.
  private struct BarrierScene {
    let queue = OperationQueue(width: 2)
    private let running = OpenOperation()

    init() {
      queue.addOperation(running)
      queue.addBarrierBlock {}
    }

    /// Adds an operation on a thread that may hang, and waits for the end of all.
    func add(_ operation: Operation, isEnqueued: Bool = false) async {
      let added = ThreadSafe((queue, operation))
      await onThread {
        let (queue, operation) = added.object
        if isEnqueued { queue.enqueue(operation) } else { queue.addOperation(operation) }
      }
      await drained()
    }

    func drained() async {
      running.finish()
      await queue.emptied()
    }
  }

#endif
