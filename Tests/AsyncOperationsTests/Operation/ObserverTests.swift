import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Observing an operation", .timeLimit(.minutes(10)))
struct ObserverTests {
  @Test("Observers are called in their order, once at each moment", arguments: Kind.ours)
  func order(kind: Kind) async throws {
    let (told, began, isGone) = (Log<String>([]), Gate(), Gate())
    let operation = try #require(
      kind.make(Work(until: .cancelled) { _ in began.open() }) as? AsyncOperation)
    for name in ["a", "b"] {
      operation.addObserver(
        OperationObserver(
          willEnqueue: { _ in told.append("\(name) will enqueue") },
          started: { _ in told.append("\(name) started") },
          cancelled: { _ in told.append("\(name) cancelled") },
          willFinish: { told.append("\(name) will finish \($0.isFinished)") },
          didFinish: { told.append("\(name) did finish \($0.isFinished)") }))
    }
    operation.addObserver(
      OperationObserver(willFinish: { [token = Token(isGone)] operation in
        // Early enough for didFinish only.
        operation.addObserver(
          OperationObserver(
            willFinish: { _ in told.append("never") },
            didFinish: { _ in withExtendedLifetime(token) { told.append("late did finish") } }))
      }))
    OperationQueue(width: 1).enqueue(operation)
    await began.opened()
    operation.cancel()
    operation.cancel()
    await isGone.opened()
    #expect(
      told.value == [
        "a will enqueue", "b will enqueue", "a started", "b started", "a cancelled", "b cancelled",
        "a will finish false", "b will finish false", "a did finish true", "b did finish true",
        "late did finish",
      ])
  }

  @Test("After the end an added observer gets only didFinish, at once", arguments: Kind.ours)
  func addedAfterEnd(kind: Kind) async throws {
    let told = Log<String>([])
    let operation = try #require(kind.make() as? AsyncOperation)
    await onThread { operation.start() }
    await operation.finished()
    operation.addObserver(
      OperationObserver(
        willFinish: { _ in told.append("will finish") },
        didFinish: { _ in told.append("did finish") }))
    #expect(told.value == ["did finish"])
  }
}
