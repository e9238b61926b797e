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
