import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Why the body of an operation has not returned", .timeLimit(.minutes(10)))
struct ExplainBodyTests {
  private let queue = OperationQueue(width: 1)

  @Test("The explanation of a body that awaits an operation of its own full queue names the queue")
  func awaitedInFullQueue() async {
    let gate = Gate()
    let queue = OperationQueue(width: 1)
    let inner = TaskOperation(name: "inner") { 1 }
    let outer = TaskOperation(name: "outer") {
      queue.enqueue(inner)
      gate.open()
      return try await inner.value
    }
    queue.enqueue(outer)
    await gate.opened()
    await until {
      queue.explain(outer)
        == """
        outer executes: it awaits inner; inner has not started: the queue executes as many as it \
        may: outer.
        """
    }
    outer.cancel()
    await queue.emptied()
  }

  @Test("The explanation of a child that awaits another one in a full group names its queue")
  func awaitedInFullGroup() async {
    let gate = Gate()
    let second = TaskOperation(name: "second") { 1 }
    let first = TaskOperation(name: "first") {
      gate.open()
      return try await second.value
    }
    let group = GroupOperation<Int>(width: 1, [first, second])
    group.name = "group"
    queue.enqueue(group)
    await gate.opened()
    await until {
      queue.explain(group)
        == """
        group executes: unfinished children: 2; first executes: it awaits second; second has not \
        started: the queue executes as many as it may: first.
        """
    }
    group.cancel()
    await group.ended()
  }
}
