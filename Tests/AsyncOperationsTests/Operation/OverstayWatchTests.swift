import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Bodies that go on after their cancel", .timeLimit(.minutes(10)))
struct OverstayWatchTests {
  /// Reports come on the thread that lets time pass.
  private let world = HeldWorld(runner: { $0() })

  /// Cancels the operation's task alone, which the watch notes.
  ///
  /// A cancel of the operation reaches the watch of the process, whose time is real.
  private func cancelTask(of operation: AsyncOperation, _ watch: OverstayWatch) throws {
    let hook = try operation.taskHook()
    hook.withBodyTask { $0.cancelled() }?.cancel()
    watch.bodyCancelled(hook, of: operation)
  }

  @Test("A body that goes on for ten seconds is reported once")
  func reported() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    try cancelTask(of: operation, watch)
    world.pass(OverstayWatch.patience - .nanoseconds(1))
    #expect(misuses.codes == [])
    world.pass(.nanoseconds(1))
    #expect(misuses.codes == [.ignoredCancellation])
    world.pass(OverstayWatch.patience * 10)
    #expect(misuses.codes == [.ignoredCancellation] && world.looks.value.isEmpty)
    gate.open()
  }

  @Test("A body that has not begun ten seconds after its cancel waits for a thread")
  func unbegun() async throws {
    let watch = OverstayWatch(world.surroundings)
    let gate = Gate()
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    let body = UnbegunBody()
    watch.bodyCancelled(body, of: operation)
    world.pass(OverstayWatch.patience)
    #expect(misuses.codes == [.blockedThreads])
    #expect("\(OperationMisuse.Code.blockedThreads)" == "blockedThreads")
    body.withBodyTask { $0.began() }
    watch.bodyCancelled(body, of: operation)
    world.pass(OverstayWatch.patience)
    #expect(misuses.codes == [.blockedThreads, .ignoredCancellation])
    gate.open()
  }

  @Test("A turn whose body has not begun, after an end from outside, waits for a thread")
  func unbegunTurn() {
    let watch = OverstayWatch(world.surroundings)
    let operation = Unbegun()
    let misuses = Misuses(of: operation)
    let turn = WorkContext(operation, inside: nil, turn: HeldTurn())
    _ = watch.turnKept(turn, after: operation)
    world.pass(OverstayWatch.patience)
    #expect(misuses.codes == [.blockedThreads])
  }

  @Test("A body that returns leaves nothing in the watch, and is not reported")
  func returned() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    try cancelTask(of: operation, watch)
    gate.open()
    await until { watch.count == 0 }
    // One that has returned before is not even noted.
    watch.bodyCancelled(try operation.taskHook(), of: operation)
    #expect(watch.count == 0)
    world.pass(OverstayWatch.patience)
    #expect(misuses.codes == [])
  }

  @Test("Conditions that have returned leave nothing in the watch")
  func returnedConditions() async {
    let watch = OverstayWatch(world.surroundings)
    let operation = TaskOperation { 1 }
    let conditions = ConditionTask()
    let ended = Gate()
    conditions.run([OperationCondition("holds") {}], of: operation, while: { true }) { _ in
      ended.open()
    }
    await ended.opened()
    watch.bodyCancelled(conditions, of: operation)
    #expect(watch.count == 0)
  }

  @Test("Many cancels cost one look a second, and each is looked at when its time has come")
  func manyCancels() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    var operations: [TaskOperation<Int>] = []
    for _ in 0..<40 { operations.append(await TaskOperation.begun(until: gate)) }
    let misuses = operations.map { Misuses(of: $0) }
    let start = world.now.value
    for operation in operations {
      try cancelTask(of: operation, watch)
      #expect(world.looks.value.count == 1)
      // Four a second.
      world.pass(OverstayWatch.step / 4)
    }
    var looks = 0
    while let next = world.looks.value.first {
      looks += 1
      world.pass(world.now.value.duration(to: next.time))
      for (index, misuse) in misuses.enumerated() {
        let due = start.advanced(by: OverstayWatch.step * index / 4 + OverstayWatch.patience)
        #expect(misuse.codes.count == (due <= next.time ? 1 : 0), "\(index)")
      }
    }
    #expect((10...12).contains(looks))
    gate.open()
  }

  @Test("A watch that wakes late, as after a debugger, starts its patience anew")
  func debugger() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    try cancelTask(of: operation, watch)
    world.freeze(.seconds(600))
    #expect(misuses.codes == [])
    world.pass(OverstayWatch.patience - .nanoseconds(1))
    #expect(misuses.codes == [])
    world.pass(.nanoseconds(1))
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A watch that wakes no more than a second late reports")
  func late() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    try cancelTask(of: operation, watch)
    world.freeze(OverstayWatch.patience + OverstayWatch.step)
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A condition that goes on after its cancel ignores it, and waits for no thread")
  func condition() async {
    let watch = OverstayWatch(world.surroundings)
    let operation = TaskOperation { 1 }
    let misuses = Misuses(of: operation)
    let (conditions, began, gate) = (ConditionTask(), Gate(), Gate())
    let waits = OperationCondition("waits") {
      began.open()
      await gate.opened()
    }
    conditions.run([waits], of: operation, while: { true }) { _ in }
    await began.opened()
    conditions.withBodyTask { $0.cancelled() }?.cancel()
    watch.bodyCancelled(conditions, of: operation)
    world.pass(OverstayWatch.patience)
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A turn that outlives a cancelled operation is reported, unless its body is")
  func cancelledTurn() async throws {
    let watch = OverstayWatch(world.surroundings)
    let (callback, gate) = (Stubborn(), Gate())
    let body = await TaskOperation.begun(until: gate)
    for (operation, codes) in [
      (callback as AsyncOperation, [OperationMisuse.Code.ignoredCancellation]), (body, []),
    ] {
      let misuses = Misuses(of: operation)
      operation.cancel()
      let turn = WorkContext(operation, inside: nil, turn: HeldTurn())
      _ = watch.turnKept(turn, after: operation)
      world.pass(OverstayWatch.patience)
      #expect(misuses.codes == codes)
    }
    gate.open()
  }

  @Test("The watch keeps no operation alive")
  func memory() async throws {
    let gate = Gate()
    let watch = OverstayWatch(world.surroundings)
    weak var known: AsyncOperation?
    do {
      let operation = await TaskOperation.begun(until: gate)
      known = operation
      try cancelTask(of: operation, watch)
    }
    gate.open()
    await until { known == nil }
    world.pass(OverstayWatch.patience)
    #expect(world.looks.value.isEmpty)
  }
}

/// A body whose task was cancelled and has no thread.
private final class UnbegunBody: TaskHook {
  private let task = Lock(BodyTask())

  init() {
    task.withLock { task in
      _ = task.made(Task {}, .medium)
      _ = task.cancelled()
    }
  }

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output { task.withLock(body) }

  func finished(_ operation: AsyncOperation) {}
}

private final class Unbegun: ResultOperation<Int>, @unchecked Sendable {
  override init() { super.init(hook: UnbegunBody()) }
}

private final class HeldTurn: Turn {
  let isHeld = true
  let categoryNames = ["turn"]

  func isIn(_ category: ObjectIdentifier) -> Bool { true }
}
