import Foundation
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

/// A group that cancels itself at the beginning of its own body.
private final class Hasty: GroupOperation<Int>, @unchecked Sendable {
  // Sendable: nothing is added.
  override var qualityOfService: QualityOfService {
    get {
      if isExecuting { cancel() }
      return super.qualityOfService
    }
    set { super.qualityOfService = newValue }
  }
}

@Suite("GroupOperation", .timeLimit(.minutes(10)))
struct GroupTests {
  private let queue = OperationQueue(width: 1)

  @Test("A cancel between the start and the body reaches the children")
  func cancelledBeforeBody() async {
    let children = (0..<3).map { number in
      TaskOperation {
        while !Task.isCancelled { await Task.yield() }
        return number
      }
    }
    let group = Hasty(children)
    OperationQueue(width: 1).enqueue(group)
    await group.ended()
    #expect(children.allSatisfy { $0.isCancelled && $0.isFinished })
    #expect(group.error is CancellationError)
  }

  @Test("The result has the values of the children in the order of adding", arguments: [1, 4, -1])
  func values(width: Int) async throws {
    let group = GroupOperation<Int>(
      width: width, (0..<50).map { number in TaskOperation { number } })
    group.add(TaskOperation { "no number" })
    #expect(try await queue.value(of: group) == Array(0..<50))
  }

  @Test("A group without children finishes")
  func empty() async throws {
    #expect(try await queue.value(of: GroupOperation<Int>()) == [])
  }

  @Test("Children respect their dependencies and the width of the group")
  func dependencies() async throws {
    let (order, running, most) = (Box<[Int]>([]), Box(), Box())
    let children = (0..<20).map { number in
      TaskOperation {
        let count = running.add()
        most.change { $0 = max($0, count) }
        await Task.yield()
        order.append(number)
        running.add(-1)
      }
    }
    for index in children.indices.dropLast() where index % 2 == 0 {
      children[index].addDependency(children[index + 1])
    }
    _ = try await queue.value(of: GroupOperation<Void>(width: 3, children))
    let places = order.value
    for number in stride(from: 0, to: 18, by: 2) {
      let (later, earlier) = (places.firstIndex(of: number), places.firstIndex(of: number + 1))
      #expect(try #require(later) > #require(earlier))
    }
    #expect(most.value <= 3)
  }

  @Test("A group waits for children that its running children add")
  func addingFromInside() async throws {
    let group = GroupOperation<Int>(width: 1)
    @Sendable func child(_ number: Int) -> TaskOperation<Int> {
      TaskOperation { [weak group] in
        if number < 100 { #expect(group?.add(child(number + 1)) == true) }
        return number
      }
    }
    group.add(child(0))
    #expect(try await queue.value(of: group) == Array(0...100))
  }

  @Test("A group finishes after isFinished of every child reads true")
  func afterAll() async {
    let children = (0..<20).map { number in TaskOperation { number } }
    let group = GroupOperation<Int>(width: 4, children)
    let unfinished = Box<[Bool]>([])
    group.addObserver(
      OperationObserver(willFinish: { _ in
        unfinished.set(children.map(\.isFinished).filter { !$0 })
      }))
    queue.enqueue(group)
    await group.ended()
    #expect(unfinished.value == [])
  }

  @Test("A cancel reaches every child once, and the group finishes after its last child")
  func cancel() async {
    let cancels = Box()
    let children = (0..<3).map { _ in Stubborn() }
    for child in children {
      child.addObserver(OperationObserver(cancelled: { _ in cancels.add() }))
    }
    let group = GroupOperation<Int>(children)
    queue.enqueue(group)
    for child in children { await child.began.opened() }
    group.cancel()
    group.cancel()
    #expect(cancels.value == 3)
    for child in children {
      #expect(!group.isFinished)
      child.finish()
    }
    await group.ended()
    #expect(group.error is CancellationError)
  }

  @Test(
    "A group that is cancelled before its start cancels and finishes its children",
    arguments: [false, true])
  func cancelBefore(hasStarted: Bool) async {
    let ran = Gate()
    let first = TaskOperation { ran.open() }
    let second = TaskOperation { ran.open() }
    second.addDependency(first)
    let group = GroupOperation<Void>([second, first])
    if hasStarted {
      queue.isSuspended = true
      queue.enqueue(group)
      group.cancel()
      queue.isSuspended = false
    } else {
      group.cancel()
      queue.enqueue(group)
    }
    await group.ended()
    #expect(first.isFinished && second.isFinished && !ran.isOpen)
    #expect(first.isCancelled && second.isCancelled)
  }

  @Test("The first failure cancels the other children and is the group's error")
  func firstFailure() async {
    let waiting = Sleeper()
    let group = GroupOperation<Int>([
      waiting, TaskOperation<Int> { throw Failure(number: 1) },
    ])
    queue.enqueue(group)
    await group.ended()
    #expect(group.error as? Failure == Failure(number: 1))
    #expect(waiting.isCancelled && !group.isCancelled)
  }

  @Test("With failures: .all every child runs, and the error has all failures in order")
  func allFailures() async throws {
    let ran = Box()
    let group = GroupOperation<Int>(
      width: 2, failures: .all,
      (0..<6).map { number in
        TaskOperation {
          ran.add()
          if number % 2 == 1 { throw Failure(number: number) }
          return number
        }
      })
    queue.enqueue(group)
    await group.ended()
    let error = try #require(group.error as? GroupError)
    #expect(error.errors.map { ($0 as? Failure)?.number } == [1, 3, 5])
    #expect(ran.value == 6)
  }

  @Test("A failing child with another type of value fails the group as well")
  func failureOfAnotherType() async {
    let group = GroupOperation<Int>([TaskOperation<String> { throw Failure() }])
    queue.enqueue(group)
    await group.ended()
    #expect(group.error is Failure)
  }

  @Test("A width of 0 or less than -1 is 1", arguments: [0, -2, -5, Int.min])
  func widths(width: Int) async throws {
    let (running, most) = (Box(), Box())
    let children = (0..<10).map { number in
      TaskOperation {
        let count = running.add()
        most.change { $0 = max($0, count) }
        await Task.yield()
        running.add(-1)
        return number
      }
    }
    let group = GroupOperation<Int>(width: width, children)
    #expect(try await queue.value(of: group) == Array(0..<10))
    #expect(most.value == 1)
  }

  @Test("The progress of a group without children is complete, and so is the parent progress")
  func emptyProgress() async throws {
    let group = GroupOperation<Int>()
    let whole = Progress(totalUnitCount: 1)
    whole.addChild(group.progress, withPendingUnitCount: 1)
    #expect(!group.progress.isFinished)
    _ = try await queue.value(of: group)
    #expect(group.progress.isFinished && whole.isFinished)
    #expect(group.progress.fractionCompleted == 1)
  }

  @Test("The observers of a cancelled child find all its siblings cancelled")
  func allCancelledFirst() async {
    let children = (0..<10).map { _ in Sleeper() }
    let inner = GroupOperation<Int>(Array(children[5...]))
    let outer = GroupOperation<[Int]>(Array(children[..<5]) as [Operation] + [inner])
    let seen = Box<[Bool]>([])
    for child in children {
      child.addObserver(
        OperationObserver(cancelled: { _ in
          seen.append(children.allSatisfy { $0.isCancelled } && inner.isCancelled)
        }))
    }
    queue.enqueue(outer)
    for child in children { await until { child.isExecuting } }
    outer.cancel()
    #expect(seen.value == Array(repeating: true, count: 10))
    await outer.ended()
  }

  @Test("20,000 groups inside each other begin, end, are cancelled, raised and dropped")
  func deeplyNested() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      func nested(_ innermost: Operation) -> (outer: AsyncOperation, all: Box<Int>) {
        let ends = Box()
        var group = GroupOperation<Int>([innermost])
        for _ in 1..<20_000 {
          let outer = GroupOperation<Int>([group])
          group.addObserver(OperationObserver(didFinish: { _ in ends.add() }))
          group = outer
        }
        return (group, ends)
      }
      // Never run: only the release of the outermost group.
      do { _ = nested(QuickOperation()) }
      for isCancelled in [false, true] {
        let child = Sleeper()
        let (outer, ends) = nested(child)
        let waiting = Task(priority: .high) {
          _ = try? await (outer as? GroupOperation<Int>)?.value
        }
        OperationQueue().enqueue(outer)
        await until { child.isExecuting }
        if isCancelled { outer.cancel() } else { child.finish(with: .success(1)) }
        await waiting.value
        guard outer.isFinished, ends.value == 19_999, child.isCancelled == isCancelled else {
          exit(1)
        }
      }
      exit(0)
    }
  }

  @Test("The progress counts the children and is complete when the group finishes")
  func progress() async {
    let group = GroupOperation<Int>(width: 4, (0..<30).map { number in TaskOperation { number } })
    #expect(group.progress.totalUnitCount == 30 && group.progress.completedUnitCount == 0)
    let completed = Box<Int64>(0)
    group.addObserver(
      OperationObserver(willFinish: { [progress = ProgressBox(group.progress)] _ in
        completed.set(progress.progress.completedUnitCount)
      }))
    queue.enqueue(group)
    await group.ended()
    #expect(completed.value == 30 && group.progress.isFinished)
  }

  @Test("A cancel of the progress cancels the group and its children")
  func cancelByProgress() async {
    let child = Sleeper()
    let group = GroupOperation<Int>([child])
    queue.enqueue(group)
    await until { child.isExecuting }
    group.progress.cancel()
    await group.ended()
    #expect(group.isCancelled && child.isCancelled)
  }

  @Test("A group takes system operations as children")
  func systemsOwn() async throws {
    let order = Box<[Int]>([])
    let (first, second) = (BlockOperation { order.append(1) }, BlockOperation { order.append(2) })
    second.addDependency(first)
    let group = GroupOperation<Int>(width: 1, [second, first])
    group.add(TaskOperation { 3 })
    #expect(try await queue.value(of: group) == [3])
    #expect(order.value == [1, 2] && group.progress.fractionCompleted == 1)
  }

  @Test("A group that is cancelled before its start releases its system operations")
  func systemsOwnCancelled() async {
    let group = GroupOperation<Int>()
    weak var child: Operation?
    do {
      let operation = BlockOperation {}
      child = operation
      group.add(operation)
      group.cancel()
    }
    queue.enqueue(group)
    await group.ended()
    #expect(child == nil)
  }

  @Test("A group that is started by hand lives until its children have ended")
  func dropped() async {
    let (mayEnd, ended) = (Gate(), Gate())
    do {
      let group = GroupOperation<Int>([
        TaskOperation {
          await mayEnd.opened(); return 1
        }
      ])
      group.onResult { _ in ended.open() }
      group.start()
    }
    mayEnd.open()
    await ended.opened()
  }

  @Test("A child runs with its own quality of service, or with that of its group")
  func qualityOfService() async throws {
    let group = GroupOperation<Int>([
      TaskOperation { Int(Task.basePriority?.rawValue ?? 0) },
      GroupOperation<Int>([]),
    ])
    let own = TaskOperation { Int(Task.basePriority?.rawValue ?? 0) }
    own.qualityOfService = .userInitiated
    group.add(own)
    group.qualityOfService = .utility
    let priorities = try await queue.value(of: group)
    #expect(priorities == [TaskPriority.utility, .userInitiated].map { Int($0.rawValue) })
  }

  @Test("A dropped group leaves its children free for a queue")
  func givesBack() async throws {
    let child = TaskOperation { 1 }
    do { _ = GroupOperation<Int>([child]) }
    #expect(try await queue.value(of: child) == 1)
  }

  @Test("A child that is added to a cancelled group is cancelled and finishes")
  func addedToCancelled() async {
    let stubborn = Stubborn()
    let late = TaskOperation { 1 }
    let group = GroupOperation<Int>([stubborn])
    queue.enqueue(group)
    await stubborn.began.opened()
    group.cancel()
    #expect(group.add(late))
    await late.ended()
    #expect(late.isCancelled && !group.isFinished)
    stubborn.finish()
    await group.ended()
  }

  @Test("A group that is finished from outside cancels its children, which end on their own")
  func finishedOutside() async {
    let child = Sleeper()
    let group = GroupOperation<Int>([child])
    queue.enqueue(group)
    await until { child.isExecuting }
    group.finish(with: .success([]))
    await child.ended()
    #expect(child.isCancelled)
    #expect(group.error == nil)
  }

  @Test("A group that never ran completes its progress and the parent progress")
  func progressOfOneThatNeverRan() async {
    let children = (0..<3).map { number in TaskOperation { number } }
    let group = GroupOperation<Int>(children)
    let whole = Progress(totalUnitCount: 1)
    whole.addChild(group.progress, withPendingUnitCount: 1)
    group.cancel()
    queue.enqueue(group)
    await group.ended()
    for child in children { await child.ended() }
    #expect(group.progress.isFinished && whole.isFinished)
  }

  @Test("A group that never ran ends a child while the child's own cancel is in progress")
  func childInItsCancel() async {
    let child = HeldInCancel()
    child.addDependency(Operation())
    let group = GroupOperation<Int>(failures: .first, [child])
    child.isArmed.set(true)
    async let cancelled: Void = onThread { child.cancel() }
    await child.isHeld.opened()
    await onThread {
      group.cancel()
      group.start()
    }
    #expect(group.isFinished)
    child.mayGoOn.signal()
    await cancelled
    await child.ended()
    #expect(child.isCancelled)
  }
}

/// Holds the cancelling thread while that thread reads `isReady`.
private final class HeldInCancel: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes, and its properties protect themselves.
  let isArmed = Box(false)
  let isHeld = Gate()
  let mayGoOn = DispatchSemaphore(value: 0)

  override var isReady: Bool {
    let isReady = super.isReady
    if isArmed.exchanged(false) {
      isHeld.open()
      mayGoOn.wait()
    }
    return isReady
  }

  override func main() { finish(with: .success(1)) }
}

/// Continues after a cancel, until a test finishes it.
final class Stubborn: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes.
  let began = Gate()

  override func main() { began.open() }
}

private struct ProgressBox: @unchecked Sendable {
  // Sendable: no thread writes any more when it is read.
  let progress: Progress

  init(_ progress: Progress) { self.progress = progress }
}
