import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Why an operation has not started or finished", .timeLimit(.minutes(10)))
struct ExplainTests {
  private let queue = OperationQueue(width: 1)

  private func named(_ name: String) -> Operation {
    let operation = QuickOperation()
    operation.name = name
    return operation
  }

  /// An operation that executes until the gate opens.
  private func busy(_ name: String, _ gate: Gate) -> TaskOperation<Void> {
    TaskOperation(name: name) { await gate.opened() }
  }

  private func executes(_ operation: Operation) async { await until { operation.isExecuting } }

  @Test("The explanation names one dependency, or several")
  func dependencies() {
    let operation = named("Upload")
    operation.addDependency(named("Login"))
    queue.isSuspended = true
    queue.enqueue(operation)
    #expect(
      queue.explain(operation)
        == "Upload has not started: it waits for dependency Login; the queue is suspended.")
    for name in ["Scan", "Sort", "Zip", "Send"] { operation.addDependency(named(name)) }
    #expect(
      queue.explain(operation).contains(
        "it waits for dependencies Login, Scan, Sort and 2 more;"))
    queue.isSuspended = false
    operation.cancel()
  }

  @Test("The explanation calls a system operation by its type")
  func systemOperations() async {
    let (operation, gate) = (BlockOperation {}, Gate())
    let login = busy("Login", gate)
    operation.addDependency(login)
    queue.enqueue(operation)
    #expect(
      queue.explain(operation) == "BlockOperation has not started: it waits for dependency Login.")
    gate.open()
    login.start()
    await queue.drained()
    #expect(queue.explain(operation) == "BlockOperation has finished.")
  }

  @Test("The explanation shows a circle of dependencies, also to an operation outside it")
  func circle() {
    let (first, second, outside) = (named("A"), named("B"), named("C"))
    first.addDependency(second)
    second.addDependency(first)
    outside.addDependency(second)
    for operation in [first, second, outside] { queue.enqueue(operation) }
    #expect(
      queue.explain(first) == "A has not started: its dependencies lead in a circle: A, B, A.")
    #expect(queue.explain(outside).contains("circle: B, A, B."))
    for operation in [first, second, outside] { operation.cancel() }
  }

  @Test("5,000 diamonds of dependencies are not reported as a circle")
  func diamonds() {
    var top = named("top")
    for _ in 0..<5_000 {
      let (left, right, next) = (named("left"), named("right"), named("next"))
      left.addDependency(top)
      right.addDependency(top)
      next.addDependency(left)
      next.addDependency(right)
      top = next
    }
    #expect(!queue.explain(top).contains("circle"))
  }

  @Test("The explanation gives the position in line")
  func line() async {
    let gate = Gate()
    let category = "explain-\(UUID())"
    let operations = (1...14).map { busy("\($0)", gate) }
    let wide = OperationQueue()
    for operation in operations {
      wide.enqueue(operation.exclusive(in: ExclusionCategory(category), limit: 2))
    }
    #expect(
      wide.explain(operations[2]) == "3 has not started: it is third in line for '\(category)'.")
    #expect(wide.explain(operations[13]).contains("number 14 in line for '\(category)'"))
    await executes(operations[1])
    #expect(wide.explain(operations[1]) == "2 executes.")
    gate.open()
    await wide.drained()
  }

  @Test("The explanation mentions conditions that are being evaluated")
  func conditions() async {
    let gate = Gate()
    let operation = busy("Sync", gate)
    operation.addCondition(OperationCondition("open") { await gate.opened() })
    queue.enqueue(operation)
    #expect(
      queue.explain(operation)
        == "Sync has not started: it waits for its conditions, which are being evaluated.")
    gate.open()
    await queue.drained()
  }

  @Test("The explanation mentions conditions of an operation that was not enqueued")
  func notEnqueued() async {
    let operation = TaskOperation(name: "Sync") {}
    operation.addCondition(OperationCondition("holds") {})
    queue.isSuspended = true
    queue.addOperation(operation)
    #expect(
      queue.explain(operation).contains(
        "it has conditions or exclusive categories and was not enqueued, so it will fail"))
    queue.isSuspended = false
    await queue.drained()
  }

  @Test("The explanation names the operations that fill the queue")
  func fullQueue() async {
    let gate = Gate()
    let (first, second) = (busy("first", gate), busy("second", gate))
    queue.enqueue([first, second])
    await executes(first)
    #expect(
      queue.explain(second)
        == "second has not started: the queue executes as many as it may: first.")
    gate.open()
    await queue.drained()
  }

  @Test("The explanation mentions another queue, a group that has not begun, or no queue")
  func elsewhere() {
    let other = OperationQueue()
    other.isSuspended = true
    let (free, added, child) = (named("free"), named("added"), named("child"))
    other.enqueue(added)
    let group = GroupOperation<Int>([child])
    #expect(queue.explain(free) == "free has not started: it is not in this queue.")
    #expect(queue.explain(added) == "added has not started: another queue has it.")
    #expect(
      queue.explain(child) == "child has not started: it belongs to a group that has not begun.")
    other.isSuspended = false
    group.cancel()
  }

  @Test("The explanation mentions a cancel before the start and during the execution")
  func cancelled() async {
    let gate = Gate()
    let (first, second) = (busy("first", gate), busy("second", gate))
    queue.enqueue([first, second])
    await executes(first)
    first.cancel()
    second.cancel()
    #expect(queue.explain(first) == "first was cancelled, and executes.")
    #expect(
      queue.explain(second).hasPrefix(
        "second has not started: it was cancelled, and finishes when a queue starts it;"))
    gate.open()
    await queue.drained()
  }

  @Test("The explanation of a group explains one of its children")
  func group() async {
    let gate = Gate()
    let (first, second) = (busy("first", gate), busy("second", gate))
    second.addDependency(first)
    let group = GroupOperation<Void>([second, first])
    group.name = "Feed"
    queue.enqueue(group)
    await executes(first)
    #expect(
      queue.explain(group)
        == "Feed executes: unfinished children: 2; second has not started: it waits for dependency first."
    )
    gate.open()
    await queue.drained()
  }

  @Test("Without an obstacle the explanation says that the operation is ready")
  func ready() {
    // A barrier holds the operation back, but the system does not show barriers.
    let gate = Gate()
    let wide = OperationQueue()
    wide.enqueue(busy("before", gate))
    wide.addBarrierBlock {}
    let operation = named("after")
    wide.enqueue(operation)
    #expect(
      wide.explain(operation)
        == "after is ready: the queue is about to start it, unless a barrier is before it.")
    gate.open()
  }
}
