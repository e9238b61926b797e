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

  @Test("The explanation names dependencies, and those among them that no queue got by enqueue")
  func dependencies() async {
    let (upload, login, scan) = (named("Upload"), named("Login"), named("Scan"))
    let other = OperationQueue()
    for queue in [queue, other] { queue.isSuspended = true }
    func expect(_ dependencies: String) {
      #expect(
        queue.explain(upload)
          == "Upload has not started: it waits for \(dependencies); the queue is suspended.")
    }
    upload.addDependency(login)
    queue.enqueue(upload)
    expect("dependency Login; no queue got Login by enqueue")
    other.enqueue(login)
    expect("dependency Login")
    upload.addDependency(scan)
    expect("dependencies Login, Scan; no queue got Scan by enqueue")
    // It cannot be known of an operation that another queue got without enqueue.
    queue.addOperation(scan)
    expect("dependencies Login, Scan")
    upload.addDependency(named("Sort"))
    expect("dependencies Login, Scan, Sort; no queue got Sort by enqueue")
    for name in ["Zip", "Send"] { upload.addDependency(named(name)) }
    #expect(queue.explain(upload).contains("for dependencies Login, Scan, Sort and 2 more;"))
    upload.cancel()
    for queue in [queue, other] { queue.isSuspended = false }
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

  @Test("The explanation gives the positions in all lines, in the order of the categories' names")
  func line() async {
    let gate = Gate()
    let (category, other) = (ExclusionCategory("line", limit: 2), ExclusionCategory("another"))
    let wide = OperationQueue()
    let holder = busy("holder", gate).exclusive(in: other)
    let operations = (1...11).map { busy("\($0)", gate).exclusive(in: category) }
    wide.enqueue([holder] + operations)
    let last = busy("last", gate).exclusive(in: category, other)
    wide.enqueue(last)
    #expect(
      wide.explain(operations[2])
        == "3 has not started: it is third in line for 'line', behind 1 and 2.")
    #expect(wide.explain(operations[3]).contains("number 4 in line for 'line'"))
    #expect(wide.explain(operations[10]).contains("number 11 in line for 'line'"))
    #expect(
      wide.explain(last).hasPrefix(
        """
        last has not started: it is second in line for 'another', behind holder; it is number 12 in \
        line for 'line', behind
        """))
    await executes(operations[1])
    #expect(wide.explain(operations[1]) == "2 executes.")
    gate.open()
    await wide.drained()
  }

  @Test("The explanation says what comes before the start: conditions, a line, or a failure")
  func conditions() async {
    let gate = Gate()
    let (checked, waiting, added) = (busy("A", gate), busy("B", gate), busy("C", gate))
    for operation in [checked, waiting, added] {
      operation.addCondition(OperationCondition("open") { await gate.opened() })
    }
    let exclusive = busy("D", gate).exclusive(in: ExclusionCategory("disk"))
    let suspended = AsyncOperationQueue()
    suspended.isSuspended = true
    queue.enqueue(checked)
    suspended.enqueue([waiting, exclusive])
    let plain = OperationQueue()
    plain.isSuspended = true
    plain.addOperation(added)
    #expect(
      queue.explain(checked)
        == "A has not started: it waits for its conditions, which are being evaluated.")
    for (operation, reason) in [
      (waiting, "its queue must start operations before its conditions are evaluated;"),
      (exclusive, "its queue must start operations before it gets in line;"),
    ] {
      #expect(suspended.explain(operation).contains(reason))
    }
    #expect(
      plain.explain(added).contains(
        "it has conditions or exclusive categories and was not enqueued, so it will fail"))
    gate.open()
    for queue in [suspended, plain] { queue.isSuspended = false }
    for queue in [queue, suspended, plain] { await queue.drained() }
  }

  @Test("The explanation names the operations that fill the queue, and a cancel")
  func fullQueue() async {
    let gate = Gate()
    let (first, second) = (busy("first", gate), busy("second", gate))
    queue.enqueue([first, second])
    await executes(first)
    let full = "the queue executes as many as it may: first."
    #expect(queue.explain(second) == "second has not started: \(full)")
    first.cancel()
    second.cancel()
    #expect(queue.explain(first) == "first was cancelled, and executes.")
    #expect(
      queue.explain(second).hasPrefix(
        "second has not started: it was cancelled, and finishes when a queue starts it;"))
    gate.open()
    await queue.drained()
  }

  @Test(
    "The explanation mentions another queue, a group that has not begun, or no queue",
    arguments: [false, true])
  func elsewhere(hasCondition: Bool) async throws {
    let other = OperationQueue()
    other.isSuspended = true
    let (free, child) = (TaskOperation(name: "free") { 1 }, TaskOperation(name: "child") { 2 })
    let added = named("added")
    if hasCondition {
      for operation in [free, child] { operation.addCondition(OperationCondition("holds") {}) }
    }
    other.enqueue(added)
    let group = GroupOperation<Int>([child])
    #expect(queue.explain(free) == "free has not started: it is not in this queue.")
    #expect(queue.explain(added) == "added has not started: another queue has it.")
    #expect(
      queue.explain(child) == "child has not started: it belongs to a group that has not begun.")
    other.isSuspended = false
    #expect(try await queue.value(of: group) == [2])
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

  @Test("The explanation says that a queue starts nothing, or may have a barrier")
  func ready() async {
    let (first, second, third) = (named("first"), named("second"), named("third"))
    let (narrow, suspended, wide) = (
      OperationQueue(width: 0), AsyncOperationQueue(), OperationQueue()
    )
    narrow.enqueue(first)
    #expect(
      narrow.explain(first)
        == "first has not started: the queue has a width of 0, so it starts nothing.")
    narrow.maxConcurrentOperationCount = 1
    suspended.isSuspended = true
    suspended.enqueue(second)
    suspended.maxConcurrentOperationCount = 1
    #expect(suspended.explain(second) == "second has not started: the queue is suspended.")
    suspended.isSuspended = false
    // The system does not show barriers.
    let gate = Gate()
    wide.enqueue(busy("before", gate))
    wide.addBarrierBlock {}
    wide.enqueue(third)
    #expect(
      wide.explain(third)
        == "third is ready: the queue is about to start it, unless a barrier is before it.")
    gate.open()
    await wide.drained()
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
}
