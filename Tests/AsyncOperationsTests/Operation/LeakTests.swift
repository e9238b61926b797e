import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Asserts by waiting: an object is released, or the wait ends at its limit and fails the test.
@Suite("Operations do not leak", .timeLimit(.minutes(10)))
struct LeakTests {
  /// The way in which an operation ends.
  enum Ending: String, CaseIterable {
    case finished, cancelledBeforeStart, cancelledRunning, finishedBeforeStart, dropped
  }

  @Test(
    "An operation, its queue and its captured objects are released after every kind of end",
    arguments: Kind.ours, Ending.allCases)
  func operationAndQueue(kind: Kind, ending: Ending) async throws {
    let (isQueueGone, gates) = (Gate(), [Gate(), Gate(), Gate()])
    let operation = try await live(kind, ending, isQueueGone, gates)
    for gate in [isQueueGone] + gates { await gate.opened() }
    await until { operation.operation == nil }
  }

  private func live(
    _ kind: Kind, _ ending: Ending, _ isQueueGone: Gate, _ gates: [Gate]
  ) async throws -> WeakOperation {
    let (queue, tokens, began) = (WatchedQueue(isQueueGone), gates.map { Token($0) }, Gate())
    let operation = try #require(
      kind.make(
        Work(until: ending == .cancelledRunning ? .cancelled : .atOnce) { _ in
          withExtendedLifetime(tokens[0]) {}
          began.open()
        }) as? AsyncOperation)
    operation.addObserver(
      OperationObserver(willFinish: { _ in withExtendedLifetime(tokens[1]) {} }))
    // The completion block keeps its operation, unless nothing ever ends the operation.
    let mentioned = ending == .dropped ? nil : operation
    operation.completionBlock = { withExtendedLifetime((tokens[2], mentioned)) {} }
    switch ending {
    case .finished, .cancelledRunning: break
    case .cancelledBeforeStart: operation.cancel()
    case .finishedBeforeStart: operation.finish()
    case .dropped: return WeakOperation(operation: operation)
    }
    queue.enqueue(operation)
    if ending == .cancelledRunning {
      await began.opened()
      operation.cancel()
    }
    await queue.emptied()
    return WeakOperation(operation: operation)
  }

  @Test("A circle of dependencies is released after a cancel has broken it", arguments: Kind.ours)
  func dependencyCircle(kind: Kind) async {
    let gates = [Gate(), Gate()]
    do {
      let queue = OperationQueue(width: 2)
      let operations = gates.map { gate in
        let token = Token(gate)
        return kind.make { _ in withExtendedLifetime(token) {} }
      }
      operations[0].addDependency(operations[1])
      operations[1].addDependency(operations[0])
      queue.enqueue(operations)
      operations[0].cancel()
      await queue.emptied()
      #expect(operations[1].isFinished && !operations[1].isCancelled)
    }
    for gate in gates { await gate.opened() }
  }

  @Test(
    "A waiting task that was cancelled does not keep the operation alive",
    arguments: [Kind.result, .task])
  func waiters(kind: Kind) async throws {
    let isGone = Gate()
    do {
      let token = Token(isGone)
      let operation = try #require(
        kind.make { _ in withExtendedLifetime(token) {} } as? ResultOperation<Int>)
      let task = Task { try await operation.value }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await isGone.opened()
  }
}
