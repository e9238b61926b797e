import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Bodies that go on after their cancel", .timeLimit(.minutes(10)))
struct OverstayWatchTests {
  private let time = HeldTime()

  /// Cancels the task alone, and watches it.
  ///
  /// A cancel of the operation reaches the watch of the process, whose time is real.
  private func cancelTask(of owner: any TaskOwner, _ operation: AsyncOperation) {
    owner.withBodyTask { $0.cancelled() }?.cancel()
    OverstayWatch.bodyCancelled(owner, of: operation, by: time.timekeeper)
  }

  @Test("A body that goes on for ten seconds is reported once")
  func reported() async throws {
    let gate = Gate()
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    cancelTask(of: try operation.taskHook(), operation)
    time.advance(by: OverstayWatch.patience - .nanoseconds(1))
    #expect(time.timekeeper.count == 1)
    time.advance(by: .nanoseconds(1))
    #expect(time.timekeeper.count == 0)
    await Lanes.flushErrands()
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A body, or a turn, whose task has not begun after ten seconds waits for a thread")
  func unbegun() async throws {
    let body = UnbegunBody()
    let operation = Unbegun(body)
    let misuses = Misuses(of: operation)
    OverstayWatch.bodyCancelled(body, of: operation, by: time.timekeeper)
    let turn = WorkContext(operation, inside: nil, turn: HeldTurn())
    _ = OverstayWatch.turnKept(turn, after: operation, by: time.timekeeper)
    time.advance(by: OverstayWatch.patience)
    await Lanes.flushErrands()
    #expect(misuses.codes == [.blockedThreads, .blockedThreads])
    #expect("\(OperationMisuse.Code.blockedThreads)" == "blockedThreads")
    body.withBodyTask { $0.began() }
    OverstayWatch.bodyCancelled(body, of: operation, by: time.timekeeper)
    time.advance(by: OverstayWatch.patience)
    await Lanes.flushErrands()
    #expect(misuses.codes.last == .ignoredCancellation)
  }

  @Test("A body or a condition that returns leaves nothing in the watch, and is not reported")
  func returned() async throws {
    let (operation, conditions) = (QuickOperation(), ConditionTask())
    let (began, mayEnd, ended) = (Gate(), Gate(), Gate())
    let waits = OperationCondition("waits") {
      began.open()
      await mayEnd.opened()
    }
    conditions.run([waits], of: operation, while: { true }) { _ in ended.open() }
    await began.opened()
    conditions.withBodyTask { $0.cancelled() }?.cancel()
    mayEnd.open()
    await ended.opened()
    // One that has returned before is not even noted.
    OverstayWatch.bodyCancelled(conditions, of: operation, by: time.timekeeper)
    #expect(time.timekeeper.count == 0)
  }

  @Test("A turn that outlives its operation is reported with its category, unless its body is")
  func turns() async {
    let (callback, gate) = (Stubborn(), Gate())
    let body = await TaskOperation.begun(until: gate)
    for (operation, codes) in [
      (callback as AsyncOperation, [OperationMisuse.Code.ignoredCancellation]), (body, []),
    ] {
      let misuses = Misuses(of: operation)
      operation.cancel()
      let turn = WorkContext(operation, inside: nil, turn: HeldTurn())
      _ = OverstayWatch.turnKept(turn, after: operation, by: time.timekeeper)
      time.advance(by: OverstayWatch.patience)
      await Lanes.flushErrands()
      #expect(misuses.codes == codes)
    }
    gate.open()
  }

  @Test("The watch keeps no operation alive")
  func memory() async throws {
    let gate = Gate()
    weak var known: AsyncOperation?
    do {
      let operation = await TaskOperation.begun(until: gate)
      known = operation
      cancelTask(of: try operation.taskHook(), operation)
    }
    gate.open()
    await until { known == nil }
    time.advance(by: OverstayWatch.patience)
  }
}

extension Lanes<Surroundings.Work> {
  /// Waits for all errands before.
  static func flushErrands() async {
    let isDone = Gate()
    errands.make { isDone.open() }
    await isDone.opened()
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
  init(_ body: UnbegunBody) { super.init(hook: body) }
}

private final class HeldTurn: Turn {
  let isHeld = true
  let categoryNames = ["turn"]

  func isIn(_ category: ObjectIdentifier) -> Bool { true }
}
