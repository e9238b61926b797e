import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The queue of a group", .timeLimit(.minutes(10)))
struct GroupQueueTests {
  private let queue = GroupQueue()

  #if !canImport(ObjectiveC)
    @Test("The queue is held while it gets children, and not afterwards")
    func held() async {
      let (child, holds) = (ReadinessProbe(), Box(QueueHolds()))
      child.nextRead.set(
        ReadinessProbe.Read { [queue = ThreadSafe(queue)] in
          holds.set(queue.object.holds.withLock { $0 })
        })
      queue.enqueueUnstarted([child])
      #expect(holds.value != QueueHolds() && queue.holds.withLock { $0 } == QueueHolds())
      await child.finished()
    }

    @Test(
      "A child that waits for a dependency is in the system's queue only if the queue is narrow")
    func waitsOutside() async {
      let (dependency, ready) = (QuickOperation(), QuickOperation())
      let children = [QuickOperation(), QuickOperation()]
      for child in children {
        child.addDependency(dependency)
        child.belong(to: queue, nil)
      }
      queue.isSuspended = true
      queue.enqueueUnstarted([children[0], ready])
      #expect(queue.operations == [ready])
      queue.maxConcurrentOperationCount = 1
      queue.enqueueUnstarted([children[1]])
      #expect(queue.operations == [ready, children[1]])
      dependency.start()
      #expect(queue.operations == [ready, children[1], children[0]])
      queue.isSuspended = false
      await queue.drained()
      #expect(children.allSatisfy { $0.isFinished })
    }
  #endif

  @Test("cancelAllOperations cancels a child that waits for a dependency, and the child ends")
  func cancelAll() async {
    let child = QuickOperation()
    child.addDependency(Operation())
    child.belong(to: queue, nil)
    queue.enqueueUnstarted([child])
    queue.cancelAllOperations()
    #expect(child.isCancelled)
    await child.finished()
  }
}
