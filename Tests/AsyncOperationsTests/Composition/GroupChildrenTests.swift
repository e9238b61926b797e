import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Children that a group accepts", .timeLimit(.minutes(10)))
struct GroupChildrenTests {
  private let queue = OperationQueue()

  @Test("A child of the group, of another group or of a queue is refused and reported")
  func taken() async throws {
    let children = (0..<3).map { number in TaskOperation { number } }
    let misuses = children.map { Misuses(of: $0) }
    let (group, other) = (GroupOperation<Int>([children[0]]), GroupOperation<Int>([children[1]]))
    queue.isSuspended = true
    queue.enqueue(children[2])
    for child in children { #expect(!group.add(child)) }
    #expect(misuses.map(\.codes) == Array(repeating: [.secondEnqueue], count: 3))
    // A queue refuses a child that its group holds back.
    #expect(!queue.enqueue(children[0]))
    #expect(misuses[0].codes == [.secondEnqueue, .secondEnqueue])
    queue.isSuspended = false
    #expect(try await queue.value(of: group) == [0])
    #expect(try await queue.value(of: other) == [1])
    #expect(try await children[2].value == 2)
  }

  @Test("A group waits for children that were started elsewhere", arguments: [false, true])
  func startedElsewhere(endsBefore: Bool) async throws {
    let mayEnd = Gate()
    let enqueued = await TaskOperation.begun(until: mayEnd)
    let (byHand, added) = (
      TaskOperation { await mayEnd.opened() }, TaskOperation { await mayEnd.opened() }
    )
    byHand.start()
    let group = GroupOperation<Int>([enqueued, byHand, added, TaskOperation { 2 }])
    let misuses = Misuses(of: added)
    // It knows nothing of the group.
    OperationQueue().addOperation(added)
    await until { added.isExecuting }
    if endsBefore {
      mayEnd.open()
      for child in [enqueued, byHand, added] as [Operation] { await child.finished() }
    }
    async let values = queue.value(of: group)
    if !endsBefore {
      await until { group.isExecuting }
      mayEnd.open()
    }
    #expect(try await values == [1, 2])
    #expect(misuses.codesOnAnyMachine == [] && group.progress.completedUnitCount == 4)
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
}

extension AsyncOperation {
  /// Whether no queue and no group has the operation.
  fileprivate var isFree: Bool { guarded.withLock { !$0.membership.isTaken } }
}
