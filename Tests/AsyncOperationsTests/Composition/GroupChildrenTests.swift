import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Which children a group takes", .timeLimit(.minutes(10)))
struct GroupChildrenTests {
  private let queue = OperationQueue()

  @Test("A child of the system's that is added twice is refused and reported, and counts once")
  func plainTwice() async throws {
    let (child, group) = (BlockOperation {}, GroupOperation<Int>())
    let misuses = Misuses(of: group)
    #expect(group.add(child) && !group.add(child))
    #expect(misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [])
    #expect(child.isFinished && group.progress.totalUnitCount == 1)
  }

  @Test("A child that its queue has started, or finished, counts when it ends")
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

  @Test("A group whose end was decided when its body begins waits for nothing")
  func endedBeforeBody() {
    var machine = GroupStateMachine()
    #expect(machine.childAdded() == .hold && machine.ended() == .endChildren)
    #expect(!machine.started().runs)
  }

  @Test("A thousand children that depend on each other put nothing into the group's own queue")
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

  @Test("A child that is added while a task awaits the group is raised as well")
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
