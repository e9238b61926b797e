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
    await HelperThreads.flushErrands()
    #expect(misuses.codes == [.ignoredCancellation])
    gate.open()
  }

  @Test("A condition that goes on is reported")
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
    await HelperThreads.flushErrands()
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
    let mayReturn = Gate()
    let operation = await TaskOperation.begun(
      until: mayReturn, exclusiveIn: ExclusionCategory("disk"))
    let misuses = Misuses(of: operation)
    operation.cancel(throwing: Failure())
    operation.guarded.withLock { $0.overstay = nil }
    operation.watchWork(by: time.timekeeper)
    time.advance(by: AsyncOperation.patience)
    await until { misuses.descriptions.contains { $0.contains("keeps its turn in 'disk'") } }
    mayReturn.open()
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

extension HelperThreads {
  /// Waits for all errands before.
  static func flushErrands() async {
    let isDone = Gate()
    errands.run { isDone.open() }
    await isDone.opened()
  }
}
