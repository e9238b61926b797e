import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Work that goes on after its cancel or its end", .timeLimit(.minutes(10)))
struct OverstayTests {
  private let time = HeldTime()

  @Test("A body that goes on for ten seconds is reported once")
  func reported() async {
    let gate = Gate()
    let operation = await TaskOperation.begun(until: gate)
    let misuses = Misuses(of: operation)
    for _ in 0..<2 { operation.watchWork(by: time.timekeeper) }
    time.advance(by: AsyncOperation.patience - .nanoseconds(1))
    #expect(time.timekeeper.count == 1)
    time.advance(by: .nanoseconds(1))
    #expect(time.timekeeper.count == 0)
    await Lanes.flushErrands()
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A body whose task has not begun after ten seconds waits for a thread")
  func unbegun() async {
    let body = UnbegunBody()
    let operation = Unbegun(body)
    let misuses = Misuses(of: operation)
    operation.workBegan()
    operation.watchWork(by: time.timekeeper)
    time.advance(by: AsyncOperation.patience)
    await Lanes.flushErrands()
    #expect(misuses.codes == [.blockedThreads])
    #expect("\(OperationMisuse.Code.blockedThreads)" == "blockedThreads")
  }

  @Test("A condition that goes on does not look like a body without a thread")
  func condition() async {
    let (began, mayEnd, operation) = (Gate(), Gate(), TaskOperation { 1 })
    let misuses = Misuses(of: operation)
    operation.addCondition(
      OperationCondition("goes on") {
        began.open()
        await mayEnd.opened()
      })
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.watchWork(by: time.timekeeper)
    time.advance(by: AsyncOperation.patience)
    await Lanes.flushErrands()
    #expect(misuses.codes == [.ignoredCancellation])
    mayEnd.open()
    await operation.ended()
  }

  @Test("A body or a condition that returns leaves nothing in the watch, and is not reported")
  func returned() async {
    let (operation, conditions) = (QuickOperation(), ConditionTask())
    let (began, mayEnd, ended) = (Gate(), Gate(), Gate())
    let waits = OperationCondition("waits") {
      began.open()
      await mayEnd.opened()
    }
    conditions.run([waits], of: operation, while: { true }) { _ in ended.open() }
    await began.opened()
    operation.watchWork(by: time.timekeeper)
    #expect(time.timekeeper.count == 1)
    mayEnd.open()
    await ended.opened()
    #expect(time.timekeeper.count == 0)
    // One that has returned before is not even noted.
    operation.watchWork(by: time.timekeeper)
    #expect(time.timekeeper.count == 0)
  }

  @Test("A turn that outlives its operation is reported with its category")
  func turns() async {
    await #expect(processExitsWith: .success) {
      let (mayReturn, time, reports) = (Gate(), HeldTime(), Log<String>([]))
      OperationDiagnostics.onMisuse = { reports.append($0.description) }
      let operation = await TaskOperation.begun(
        until: mayReturn, exclusiveIn: ExclusionCategory("disk"))
      operation.cancel(throwing: Failure())
      operation.guarded.withLock { $0.overstay = nil }
      operation.watchWork(by: time.timekeeper)
      time.advance(by: AsyncOperation.patience)
      await until { reports.value.contains { $0.contains("keeps its turn in 'disk'") } }
      mayReturn.open()
    }
  }

  @Test("The watch keeps no operation alive")
  func memory() async {
    let gate = Gate()
    weak var known: AsyncOperation?
    do {
      let operation = await TaskOperation.begun(until: gate)
      known = operation
      operation.watchWork(by: time.timekeeper)
    }
    gate.open()
    await until { known == nil }
    time.advance(by: AsyncOperation.patience)
  }
}

extension Lanes {
  /// Waits for all errands before.
  static func flushErrands() async {
    let isDone = Gate()
    errands.run { isDone.open() }
    await isDone.opened()
  }
}

/// A body whose task has no thread.
private final class UnbegunBody: TaskHook {
  private let task = Lock(BodyTask())

  init() { _ = task.withLock { $0.made(Task {}, .medium) } }

  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output { task.withLock(body) }

  func finished(_ operation: AsyncOperation) {}
}

private final class Unbegun: ResultOperation<Int>, @unchecked Sendable {
  init(_ body: UnbegunBody) { super.init(hook: body) }
}
