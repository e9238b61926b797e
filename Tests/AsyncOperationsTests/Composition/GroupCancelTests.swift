import Foundation
import Testing

@testable import AsyncOperations
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

@Suite("Groups that are cancelled or end early", .timeLimit(.minutes(10)))
struct GroupCancelTests {
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

  @Test("A group that is cancelled before its start cancels and finishes its children")
  func cancelBefore() async {
    let ran = Gate()
    let (first, second) = (TaskOperation { ran.open() }, TaskOperation { ran.open() })
    second.addDependency(first)
    let group = GroupOperation<Void>([second, first])
    group.cancel()
    queue.enqueue(group)
    // A group that never ran may finish before its children.
    for operation in [group, first, second] as [Operation] { await operation.finished() }
    #expect(!ran.isOpen && first.isCancelled && second.isCancelled)
  }

  @Test("A cancel of a group that waits for its queue reaches present and later children at once")
  func cancelWaiting() async throws {
    let (first, second, inner) = (QuickOperation(), QuickOperation(), QuickOperation())
    let group = GroupOperation<Int>([first, GroupOperation<Int>([inner])])
    queue.isSuspended = true
    queue.enqueue(group)
    group.cancel()
    group.add(second)
    #expect(first.isCancelled && second.isCancelled && inner.isCancelled)
    queue.isSuspended = false
    for operation in [group, first, second, inner] { await operation.finished() }
  }

  @Test("A group that ends before a child keeps the system's operations that depend on the child")
  func keepsDependents() async {
    let load = Stubborn()
    OperationQueue().enqueue(load)
    await load.began.opened()
    weak var dependent: BlockOperation?
    do {
      let block = BlockOperation {}
      block.addDependency(load)
      dependent = block
      let group = GroupOperation<Int>([load, block])
      group.cancel()
      group.start()
      #expect(group.isFinished)
    }
    // The end of the child makes the system follow a bare pointer to it.
    #expect(dependent != nil)
    load.finish()
    await until { dependent == nil }
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

  @Test("A sweep holds each group's queue, and cancels operations of the app after the hold")
  func holds() {
    let (children, block, own) = (
      (0..<3).map { _ in QuickOperation() }, BlockOperation {}, OwnBlock()
    )
    let (home, log) = (RecordedQueue(), Box<[String]>([]))
    let swept: [Operation] = children + [block, own]
    home.changed.set(.init { log.append("\($0): \(swept.filter(\.isCancelled).count)") })
    let groups = [SweptGroup(Array(children[..<2]), home), SweptGroup([children[2]], nil)]
    CancelSweep.cancel(groups + [own, block], in: nil)
    #expect(log.value == ["hold: 0", "release: 4"] && own.isCancelled)
  }

  #if !canImport(ObjectiveC)
    @Test("The end of a child holds the queue of its group while the child's dependents are told")
    func heldEnds() {
      for hasDependent in [false, true] {
        let (child, dependent) = (QuickOperation(), QuickOperation())
        let (home, log) = (RecordedQueue(), Log<String>([]))
        home.changed.set(.init { log.append("\($0): \(dependent.isReady)") })
        if hasDependent { dependent.addDependency(child) }
        child.belong(to: home, nil)
        child.start()
        #expect(log.value == (hasDependent ? ["hold: false", "release: true"] : []))
      }
    }
  #endif

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
    await group.finished()
    #expect(child == nil)
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

  @Test("A group that never ran ends a child while the child's own cancel is in progress")
  func childInItsCancel() async {
    let (child, isHeld, mayGoOn) = (ReadinessProbe(), Gate(), Gate())
    child.addDependency(Operation())
    let group = GroupOperation<Int>([child])
    // The cancelling thread reads it.
    child.nextRead.set(
      ReadinessProbe.Read {
        isHeld.open()
        mayGoOn.wait()
      })
    async let cancelled: Void = onThread { child.cancel() }
    await isHeld.opened()
    await onThread {
      group.cancel()
      group.start()
    }
    #expect(group.isFinished)
    mayGoOn.open()
    await cancelled
    await child.finished()
    #expect(child.isCancelled)
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
}

/// An operation of the app, whose methods may be the app's code.
private final class OwnBlock: BlockOperation, @unchecked Sendable {
  // Sendable: nothing is added.
}

/// Names the holds of a queue and their ends as they come.
private final class RecordedQueue: AsyncOperationQueue, @unchecked Sendable {
  // Sendable: it never changes.
  struct Change: Sendable {
    var note: @Sendable (String) -> Void = { _ in }
  }

  let changed = Box(Change())

  override func beginHold() { changed.value.note("hold") }
  override func endHold() { changed.value.note("release") }
}

/// Has children in a queue of the test, as a group that executes.
private final class SweptGroup: AsyncOperation, @unchecked Sendable {
  // Sendable: it never changes, and the box guards itself.
  private let swept: Box<[Operation]>
  private let queue: RecordedQueue?

  init(_ children: [Operation], _ queue: RecordedQueue?) {
    (swept, self.queue) = (Box(children), queue)
    super.init()
  }

  override func childrenToCancel() -> ([Operation], AsyncOperationQueue?) {
    (swept.exchanged([]), queue)
  }
}
