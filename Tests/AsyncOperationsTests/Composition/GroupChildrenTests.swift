import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Children that a group accepts", .timeLimit(.minutes(10)))
struct GroupChildrenTests {
  private let queue = OperationQueue()

  @Test("A second add of a system operation is refused and reported, and the child counts once")
  func plainTwice() async throws {
    let (child, group) = (BlockOperation {}, GroupOperation<Int>())
    let misuses = Misuses(of: group)
    #expect(group.add(child) && !group.add(child))
    #expect(misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [])
    #expect(child.isFinished && group.progress.totalUnitCount == 1)
  }

  @Test("A group takes the values of children that a queue has started or finished")
  func startedInQueue() async throws {
    let gate = Gate()
    let done = queue.enqueue { 1 }
    await done.ended()
    let running = queue.enqueue {
      await gate.opened()
      return 2
    }
    await until { running.isExecuting }
    let group = GroupOperation<Int>()
    let misuses = Misuses(of: running)
    #expect(group.add(done) && group.add(running) && !group.add(running))
    #expect(misuses.codes == [.secondEnqueue])
    queue.enqueue(group)
    gate.open()
    #expect(try await group.value == [1, 2])
  }

  @Test("A group does not wait if its end is decided before its body begins")
  func endedBeforeBody() {
    var machine = GroupStateMachine()
    #expect(machine.childAdded() == .hold && machine.ended() == .endChildren)
    #expect(!machine.started().runs)
  }

  @Test("1,000 dependent children add nothing to the queue of their group")
  func nothingInHostQueue() async {
    let children = (0..<1000).map { number in TaskOperation { number } }
    for (child, next) in zip(children, children.dropFirst()) { next.addDependency(child) }
    let group = GroupOperation<Int>(children)
    let shown = Box()
    group.addObserver(
      OperationObserver(willFinish: { [queue] _ in shown.set(queue.operationCount) }))
    queue.isSuspended = true
    queue.enqueue(group)
    group.cancel()
    #expect(queue.operations == [group])
    queue.isSuspended = false
    await group.ended()
    #expect(shown.value == 1 && children.allSatisfy { $0.isFinished })
  }

  @Test("A child that is added to an awaited group is raised to the waiting task's priority")
  func raised() async {
    let group = GroupOperation<Void>()
    let waiting = Task(priority: .high) { await group.ended() }
    while group.waiterCount == 0 { await Task.yield() }
    group.add(
      TaskOperation(priority: .background) {
        while Task.currentPriority < .high { await Task.yield() }
      })
    group.start()
    await waiting.value
    #expect(group.isFinished)
  }
}
