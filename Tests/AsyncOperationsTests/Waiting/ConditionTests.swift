import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Conditions", .timeLimit(.minutes(10)))
struct ConditionTests {
  private let queue = OperationQueue(width: 1)

  @Test("Conditions are evaluated in order, after the dependencies and before the body")
  func satisfied() async throws {
    let order = Box<[String]>([])
    let dependency = TaskOperation { order.append("dependency") }
    let operation = TaskOperation { order.append("body") }
    for name in ["first", "second"] {
      operation.addCondition(
        OperationCondition(name) {
          await Task.yield()
          order.append(name)
        })
    }
    operation.addDependency(dependency)
    queue.enqueue(operation)
    queue.enqueue(dependency)
    await operation.ended()
    #expect(order.value == ["dependency", "first", "second", "body"])
  }

  @Test("A failing condition is the operation's error; later conditions and the body do not run")
  func failing() async {
    let ran = Gate()
    let operation = TaskOperation { ran.open() }
    operation.addCondition(OperationCondition("fails") { throw Failure(number: 3) })
    operation.addCondition(OperationCondition("is not asked") { ran.open() })
    queue.enqueue(operation)
    await operation.ended()
    #expect(operation.error as? Failure == Failure(number: 3))
    #expect(!ran.isOpen && !operation.isCancelled)
  }

  @Test("During the evaluation the operation is pending and takes no place in its queue")
  func takesNoPlace() async throws {
    let holds = Gate()
    let operation = TaskOperation { 1 }
    operation.addCondition(OperationCondition("waits") { await holds.opened() })
    queue.enqueue(operation)
    #expect(try await queue.value(of: TaskOperation { 2 }) == 2)
    #expect(operation.state == .pending)
    holds.open()
    #expect(try await operation.value == 1)
  }

  @Test("A cancel ends the operation at once and cancels the evaluation of its condition")
  func cancel() async {
    let (began, noticed, mayEnd) = (Gate(), Gate(), Gate())
    let operation = TaskOperation { 1 }
    operation.addCondition(
      OperationCondition("waits") {
        began.open()
        try? await Gate().openedOrCancelled()
        noticed.open()
        await mayEnd.opened()
      })
    queue.enqueue(operation)
    await began.opened()
    operation.cancel()
    await operation.ended()
    await noticed.opened()
    #expect(operation.error is CancellationError)
    mayEnd.open()
  }

  @Test("An operation gets in line only after its conditions hold")
  func beforeExclusion() async throws {
    let category = ExclusionCategory("\(UUID())")
    let holds = Gate()
    let waiting = TaskOperation { 1 }.exclusive(in: category)
    waiting.addCondition(OperationCondition("waits") { await holds.opened() })
    let wide = OperationQueue()
    wide.enqueue(waiting)
    #expect(try await wide.value(of: TaskOperation { 2 }.exclusive(in: category)) == 2)
    let failing = TaskOperation { 3 }.exclusive(in: category)
    failing.addCondition(OperationCondition("fails") { throw Failure() })
    wide.enqueue(failing)
    await failing.ended()
    #expect(failing.error is Failure)
    holds.open()
    #expect(try await waiting.value == 1)
  }

  @Test("A plain finish during the evaluation of a failing condition is no misuse")
  func finishedMeanwhile() async {
    let (began, mayFail) = (Gate(), Gate())
    let failed = Gate()
    let operation = TaskOperation { 1 }
    let misuses = Misuses(of: operation)
    operation.addCondition(
      OperationCondition("fails") { [token = Token(failed)] in
        began.open()
        await mayFail.opened()
        withExtendedLifetime(token) {}
        throw Failure()
      })
    queue.enqueue(operation)
    await began.opened()
    operation.finish()
    mayFail.open()
    await operation.ended()
    // The gate releases its conditions after it has reported the failure.
    await failed.opened()
    #expect(operation.error is CancellationError && misuses.codesOnAnyMachine == [])
  }

  @Test("An operation whose end is decided evaluates no condition", arguments: [false, true])
  func decided(isEnqueued: Bool) async {
    let (evaluated, dependency) = (Gate(), QuickOperation())
    let operation = TaskOperation { 1 }
    operation.addDependency(dependency)
    operation.addCondition(OperationCondition("is not asked") { evaluated.open() })
    if !isEnqueued { operation.finish(with: .success(2)) }
    queue.enqueue(operation)
    if isEnqueued { operation.finish(with: .success(2)) }
    queue.enqueue(dependency)
    await operation.ended()
    #expect((try? operation.result?.get()) == 2 && !evaluated.isOpen)
  }
}
