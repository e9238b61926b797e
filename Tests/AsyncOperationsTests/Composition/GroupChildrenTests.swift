import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Children that a group accepts", .timeLimit(.minutes(10)))
struct GroupChildrenTests {
  private let queue = OperationQueue()

  @Test("A second add of a child is refused and reported")
  func sameChild() async throws {
    let child = TaskOperation { 1 }
    let misuses = Misuses(of: child)
    let group = GroupOperation<Int>([child])
    #expect(!group.add(child) && misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [1])
  }

  @Test("A child of a queue or of another group is refused and reported")
  func sharedChild() async throws {
    let (child, other) = (TaskOperation { 1 }, TaskOperation { 2 })
    let misuses = [Misuses(of: child), Misuses(of: other)]
    queue.isSuspended = true
    queue.enqueue(child)
    #expect(!GroupOperation<Int>().add(child))
    queue.isSuspended = false
    let groups = [GroupOperation<Int>([other]), GroupOperation<Int>([other])]
    #expect(misuses.map(\.codes) == [[.secondEnqueue], [.secondEnqueue]])
    #expect(try await queue.value(of: groups[0]) == [2])
    #expect(try await queue.value(of: groups[1]) == [])
    await child.ended()
  }

  @Test("A queue refuses and reports a child that its group holds back")
  func heldChild() async throws {
    let child = TaskOperation { 1 }
    let misuses = Misuses(of: child)
    let group = GroupOperation<Int>([child])
    queue.enqueue(child)
    #expect(child.state == .pending && misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [1])
  }

  @Test(
    "A group waits for a child that a queue has started before the group", arguments: [false, true])
  func startedElsewhere(endsBefore: Bool) async throws {
    let (mayEnd, began) = (Gate(), Gate())
    let child = TaskOperation {
      began.open()
      await mayEnd.opened()
      return 1
    }
    let group = GroupOperation<Int>([child, TaskOperation { 2 }])
    let misuses = Misuses(of: child)
    OperationQueue().addOperation(child)
    await began.opened()
    if endsBefore {
      mayEnd.open()
      await child.ended()
    }
    async let values = queue.value(of: group)
    if !endsBefore {
      await until { group.isExecuting }
      mayEnd.open()
    }
    #expect(try await values == [1, 2])
    #expect(misuses.codesOnAnyMachine == [] && group.progress.isFinished)
  }

  @Test("A child that ends before it is added contributes its value")
  func endedBefore() async throws {
    let child = TaskOperation { 1 }
    _ = try await child.startedByHand()
    let group = GroupOperation<Int>()
    #expect(group.add(child))
    #expect(try await queue.value(of: group) == [1])
  }

  @Test("A second add of a system operation is refused and reported, and the child counts once")
  func plainTwice() async throws {
    let (child, group) = (BlockOperation {}, GroupOperation<Int>())
    let misuses = Misuses(of: group)
    #expect(group.add(child) && !group.add(child))
    #expect(misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [])
    #expect(child.isFinished && group.progress.totalUnitCount == 1)
  }

  @Test("A group that has refused a child of another group takes it when that group is dropped")
  func takenOver() async throws {
    let (child, group) = (TaskOperation { 1 }, GroupOperation<Int>())
    let misuses = Misuses(of: child)
    do {
      let other = GroupOperation<Int>([child])
      withExtendedLifetime(other) { #expect(!group.add(child)) }
    }
    #expect(group.add(child) && misuses.codes == [.secondEnqueue])
    #expect(try await queue.value(of: group) == [1])
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
    _ = machine.childAdded()
    #expect(machine.ended() == .endChildren)
    #expect(machine.started() == .none)
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
    await group.finished()
    #expect(shown.value == 1)
    // A group that is cancelled before its start ends without waiting for its children.
    for child in children { await child.ended() }
  }

  @Test("A child that comes after the end is cancelled and finishes, which is reported")
  func groupIsOver() async throws {
    let group = GroupOperation<Int>()
    _ = try await queue.value(of: group)
    let (child, plain) = (TaskOperation { 1 }, BlockOperation { Issue.record("It is cancelled.") })
    let misuses = [Misuses(of: child), Misuses(of: group)]
    #expect(!group.add(child) && !group.add(plain))
    await child.ended()
    await plain.finished()
    #expect(child.isCancelled && child.error is CancellationError && plain.isCancelled)
    #expect(misuses.map(\.codes) == [[.addedTooLate], [.addedTooLate]])
    // It is no child, so it cannot be one twice.
    #expect(!group.add(child))
    #expect(misuses.map(\.codes) == [[.addedTooLate, .addedTooLate], [.addedTooLate]])
  }

  @Test("A child that comes after an early end is cancelled and finishes, which is no misuse")
  func groupEndedEarly() async {
    for end in [0, 1, 2, 3] {
      let group = GroupOperation<Int>([Sleeper()])
      let misuses = Misuses(of: group)
      switch end {
      case 0: group.cancel()
      case 1: group.cancel(throwing: Failure())
      case 2: group.finish(with: .success([]))
      default: group.add(TaskOperation<Int> { throw Failure() })
      }
      queue.enqueue(group)
      await group.finished()
      let child = TaskOperation { 1 }
      let misusesOfChild = Misuses(of: child)
      #expect(!group.add(child))
      await child.ended()
      #expect(child.isCancelled && misuses.codesOnAnyMachine == [])
      #expect(misusesOfChild.codesOnAnyMachine == [])
    }
  }

  @Test("A group with a finished child of any kind begins and ends")
  func finishedChildren() async throws {
    let plain = BlockOperation {}
    plain.start()
    let own = TaskOperation { 1 }
    own.start()
    await own.ended()
    for children in [[plain], [own], [plain, own]] as [[Operation]] {
      let group = GroupOperation<Int>(children)
      let values = try await queue.value(of: group)
      #expect(values == (children.contains(own) ? [1] : []))
      #expect(group.progress.isFinished)
      #expect(group.progress.completedUnitCount == Int64(children.count))
    }
  }

  @Test("A group refuses itself, and a group around it, which is reported")
  func containsItself() async throws {
    let outer = GroupOperation<Int>()
    let misuses = Misuses(of: outer)
    #expect(!outer.add(outer))
    #expect(misuses.codes == [.containsItself])
    var innermost = outer
    for _ in 0..<20 {
      let inner = GroupOperation<Int>()
      #expect(innermost.add(inner))
      innermost = inner
    }
    let misusesInside = Misuses(of: innermost)
    #expect(!innermost.add(outer))
    #expect(misusesInside.codes == [.containsItself])
    #expect(!innermost.add(outer))
    #expect(misusesInside.codes == [.containsItself, .containsItself])
    // A refused group is around no other one.
    #expect(outer.add(GroupOperation<Int>()))
    innermost.add(TaskOperation { 1 })
    // The refused groups are free, and no group waits for itself.
    let whole = GroupOperation<Int>()
    #expect(whole.add(outer))
    _ = try await queue.value(of: whole)
    #expect(innermost.isFinished)
  }

  @Test("Two threads that add two groups to each other close no circle")
  func circleOfTwo() async {
    for _ in 0..<200 {
      let groups = [GroupOperation<Int>(), GroupOperation<Int>()]
      await race({ groups[0].add(groups[1]) }, { groups[1].add(groups[0]) })
      // At most one of them is a child.
      let queue = OperationQueue()
      for group in groups where group.isFree { queue.enqueue(group) }
      for group in groups { await group.ended() }
    }
  }

  @Test("A child whose last dependency ends while the group sets it aside is not forgotten")
  func readyWhileSetAside() async {
    let (dependency, child) = (Stubborn(), ReadinessProbe())
    child.addDependency(dependency)
    queue.enqueue(dependency)
    await dependency.began.opened()
    let group = GroupOperation<Int>([child])
    child.nextRead.set(
      ReadinessProbe.Read { [weak dependency] in dependency?.finish(with: .success(1)) })
    queue.enqueue(group)
    await group.ended()
    #expect(child.isFinished && dependency.isFinished)
  }

  @Test("A child that is added to an awaited group is raised to the waiting task's priority")
  func raised() async {
    let group = GroupOperation<Void>()
    let waiting = Task(priority: .high) { await group.ended() }
    await until { group.waiterCount > 0 }
    group.add(
      TaskOperation(priority: .background) {
        while Task.currentPriority < .high { await Task.yield() }
      })
    group.start()
    await waiting.value
    #expect(group.isFinished)
  }
}

extension AsyncOperation {
  /// Whether no queue and no group has the operation.
  fileprivate var isFree: Bool { guarded.withLock { !$0.membership.isTaken } }
}

extension TaskOperation {
  fileprivate func startedByHand() async throws -> Value {
    start()
    return try await value
  }
}
