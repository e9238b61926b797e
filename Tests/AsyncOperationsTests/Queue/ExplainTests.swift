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
        == "Upload has not started: it waits for dependency Login; no queue got Login by enqueue; the queue is suspended."
    )
    for name in ["Scan", "Sort"] { operation.addDependency(named(name)) }
    #expect(queue.explain(operation).contains("it waits for dependencies Login, Scan, Sort;"))
    for name in ["Zip", "Send"] { operation.addDependency(named(name)) }
    #expect(
      queue.explain(operation).contains(
        "it waits for dependencies Login, Scan, Sort and 2 more;"))
    queue.isSuspended = false
    operation.cancel()
  }

  @Test("The explanation does not miss an enqueue of a dependency that another queue has")
  func dependencyElsewhere() async {
    let (operation, login, other) = (named("Upload"), named("Login"), OperationQueue())
    operation.addDependency(login)
    other.isSuspended = true
    other.enqueue(login)
    queue.enqueue(operation)
    #expect(
      queue.explain(operation) == "Upload has not started: it waits for dependency Login.")
    other.isSuspended = false
    await queue.drained()
  }

  @Test("The explanation calls a system operation by its type")
  func systemOperations() async {
    let (operation, gate) = (BlockOperation {}, Gate())
    let login = busy("Login", gate)
    operation.addDependency(login)
    queue.enqueue(operation)
    #expect(
      queue.explain(operation)
        == "BlockOperation has not started: it waits for dependency Login; no queue got Login by enqueue."
    )
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
      queue.explain(first) == "A has not started: it waits in a circle: A, B, A.")
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
    let category = ExclusionCategory("explain", limit: 2)
    let operations = (1...14).map { busy("\($0)", gate) }
    let wide = OperationQueue()
    for operation in operations {
      wide.enqueue(operation.exclusive(in: category))
    }
    #expect(
      wide.explain(operations[2])
        == "3 has not started: it is third in line for 'explain', behind 1 and 2.")
    #expect(wide.explain(operations[9]).contains("tenth in line for 'explain'"))
    #expect(wide.explain(operations[10]).contains("number 11 in line for 'explain'"))
    await executes(operations[1])
    #expect(wide.explain(operations[1]) == "2 executes.")
    gate.open()
    await wide.drained()
  }

  @Test(
    "The explanation gives the positions in several lines in the order of the categories' names")
  func severalLines() async {
    let gate = Gate()
    let (first, second) = (ExclusionCategory("b"), ExclusionCategory("a"))
    let operation = busy("3", gate).exclusive(in: first, second)
    let wide = OperationQueue()
    wide.enqueue([
      busy("1", gate).exclusive(in: first), busy("2", gate).exclusive(in: second), operation,
    ])
    let lines = ["'a', behind 2", "'b', behind 1"].map { "it is second in line for \($0)" }
    #expect(wide.explain(operation) == "3 has not started: \(lines[0]); \(lines[1]).")
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

  @Test("The explanation says for what the queue must start operations, conditions or a line")
  func suspended() async {
    let queue = AsyncOperationQueue()
    queue.isSuspended = true
    let conditional = TaskOperation(name: "Sync") {}
    conditional.addCondition(OperationCondition("holds") {})
    let exclusive = TaskOperation(name: "Scan") {}.exclusive(in: ExclusionCategory("disk"))
    for (operation, next) in [
      (conditional, "its conditions are evaluated"), (exclusive, "it gets in line"),
    ] {
      queue.enqueue(operation)
      #expect(
        queue.explain(operation).contains("its queue must start operations before \(next);"))
    }
    queue.isSuspended = false
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

  @Test("The explanation of a barrier that may be there is left out where a queue knows better")
  func noBarrier() {
    let queue = AsyncOperationQueue()
    let (first, gate) = (named("first"), Gate())
    queue.isSuspended = true
    queue.enqueue(first)
    queue.maxConcurrentOperationCount = 1
    #expect(queue.explain(first) == "first has not started: the queue is suspended.")
    queue.isSuspended = false
    gate.open()
  }

  @Test("The explanation names a dependency that no queue got, and not one that a queue has")
  func neverEnqueued() async {
    let (upload, login, scan) = (named("Upload"), named("Login"), named("Scan"))
    for dependency in [login, scan] { upload.addDependency(dependency) }
    queue.isSuspended = true
    queue.enqueue([upload, scan])
    #expect(
      queue.explain(upload).contains("dependencies Login, Scan; no queue got Login by enqueue"))
    // It cannot be known of an operation that another queue got without enqueue.
    queue.addOperation(login)
    #expect(!queue.explain(upload).contains("no queue got"))
    queue.isSuspended = false
    await queue.drained()
  }

  @Test("A held child with a condition is not said to fail, and it succeeds")
  func heldChild() async throws {
    let child = TaskOperation(name: "Sync") { 1 }
    child.addCondition(OperationCondition("holds") {})
    let group = GroupOperation<Int>([child])
    #expect(
      queue.explain(child) == "Sync has not started: it belongs to a group that has not begun.")
    #expect(try await queue.value(of: group) == [1])
    let free = TaskOperation(name: "Sync") { 1 }
    free.addCondition(OperationCondition("holds") {})
    #expect(queue.explain(free) == "Sync has not started: it is not in this queue.")
    #expect(try await queue.value(of: free) == 1)
  }

  @Test("A queue of width 0 is said to start nothing")
  func widthZero() {
    let (queue, operation) = (OperationQueue(width: 0), named("first"))
    queue.enqueue(operation)
    #expect(
      queue.explain(operation)
        == "first has not started: the queue has a width of 0, so it starts nothing.")
    queue.maxConcurrentOperationCount = 1
  }

  @Test("The explanation names a finished operation that keeps its turn, and a permit by its place")
  func holders() async throws {
    let (category, mayEnd, began) = (ExclusionCategory("uploads"), Gate(), Gate())
    let overdue = TaskOperation(name: "overdue") {
      began.open()
      await mayEnd.opened()
    }.exclusive(in: category)
    let wide = OperationQueue()
    wide.enqueue(overdue)
    await began.opened()
    overdue.cancel(throwing: Failure())
    let next = TaskOperation(name: "next") {}.exclusive(in: category)
    wide.enqueue(next)
    #expect(
      wide.explain(overdue)
        == "overdue has finished, but its work goes on and keeps its turn in 'uploads'.")
    #expect(
      wide.explain(next)
        == "next has not started: it is second in line for 'uploads', behind overdue, which has finished but whose work goes on."
    )
    mayEnd.open()
    await next.ended()
    #expect(wide.explain(overdue) == "overdue has finished.")
    let (hasPermit, mayReturn) = (Gate(), Gate())
    let task = Task {
      try await category.withPermit {
        hasPermit.open()
        await mayReturn.opened()
      }
    }
    await hasPermit.opened()
    let last = TaskOperation(name: "last") {}.exclusive(in: category)
    wide.enqueue(last)
    #expect(
      wide.explain(last).contains("behind withPermit at AsyncOperationsTests/ExplainTests.swift:"))
    mayReturn.open()
    try await task.value
    await last.ended()
  }

  @Test("The explanation of a retry names its attempt, or its pause")
  func retry() async {
    let (time, mayFail) = (HeldTime(), Gate())
    let operation = RetryOperation<Int>(
      .constant(.seconds(3), limit: 4), .timekeeper(time.timekeeper), { _, _ in true }
    ) { _ in
      await mayFail.opened()
      throw Failure()
    }
    operation.name = "Sync"
    queue.enqueue(operation)
    await executes(operation)
    #expect(queue.explain(operation) == "Sync executes: attempt 1 of at most 5.")
    mayFail.open()
    await until { time.timekeeper.count == 1 }
    #expect(queue.explain(operation) == "Sync executes: a pause before attempt 2 of at most 5.")
    operation.cancel()
    await operation.ended()
  }

  @Test("The explanation of groups inside each other is no longer than eight of them")
  func deep() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let child = Sleeper()
      var outer = GroupOperation<Int>([child])
      for _ in 1..<20_000 { outer = GroupOperation<Int>([outer]) }
      let queue = OperationQueue()
      queue.enqueue(outer)
      await until { child.isExecuting }
      let explanation = queue.explain(outer)
      guard explanation.components(separatedBy: "unfinished children").count == 9,
        explanation.hasSuffix("; and so on.")
      else { exit(1) }
      outer.cancel()
      await outer.ended()
      exit(0)
    }
  }
}
