import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The search for circles of waits", .timeLimit(.minutes(10)))
struct WaitSearchTests {
  @Test("The names of eight operations are written out, of more than eight the first and the last")
  func names() {
    let operations = (1...9).map { number in
      let operation = QuickOperation()
      operation.name = "\(number)"
      return operation
    }
    let nodes = operations.map(\.node)
    #expect(WaitGraph.names(of: Array(nodes[..<8])) == "1, 2, 3, 4, 5, 6, 7, 8")
    #expect(WaitGraph.names(of: nodes) == "1, 2, 3, 4, 5, 6, … (2 more), 9")
  }

  /// A reason for which a system operation waits no longer.
  enum Reason: CaseIterable { case none, executing, finished, cancelled }

  @Test(
    "A system operation waits until it executes, is cancelled or has finished",
    arguments: Reason.allCases)
  func systemsOwn(reason: Reason) async {
    let (began, mayEnd) = (Gate(), Gate())
    let block = BlockOperation {
      began.open()
      mayEnd.wait()
    }
    let operation = QuickOperation()
    operation.addDependency(block)
    switch reason {
    case .none: break
    case .executing, .finished:
      OperationQueue().addOperation(block)
      await began.opened()
    case .cancelled: block.cancel()
    }
    if reason == .finished {
      mayEnd.open()
      await block.finished()
    }
    // Operations that have finished and others are in no circle.
    block.addDependency(operation)
    let search = WaitGraph.search(from: operation.node, onlyThrough: true)
    #expect((search.circle != nil) == (reason == .none) && (search.isComplete) == (reason != .none))
    mayEnd.open()
    // Their dependencies would keep them.
    operation.cancel()
    block.removeDependency(operation)
  }

  @Test("An operation waits for no dependency that has finished, though its body goes on")
  func finishedDependency() async {
    let next = TaskOperation { 1 }
    // A cancel does not reach the task inside.
    let dependency = TaskOperation { try await Task { try await next.value }.value }
    next.addDependency(dependency)
    let queue = OperationQueue()
    queue.enqueue(dependency)
    await until { WaitGraph.search(from: next.node, onlyThrough: true).circle != nil }
    dependency.finish(with: .success(2))
    #expect(WaitGraph.search(from: next.node, onlyThrough: true).circle == nil)
    queue.enqueue(next)
    await next.ended()
  }

  @Test("An operation waits no longer for one that its body has awaited")
  func awaited() async {
    let (hasAwaited, mayEnd) = (Gate(), Gate())
    let queue = OperationQueue()
    let operation = queue.enqueue {
      _ = try await queue.value(of: TaskOperation { 1 })
      hasAwaited.open()
      await mayEnd.opened()
    }
    await hasAwaited.opened()
    #expect(operation.guarded.withLock { $0.extras?.waits.all.isEmpty == true })
    mayEnd.open()
    await operation.ended()
  }

  @Test("A permit waits no longer for an operation that its code has awaited")
  func awaitedByPermit() {
    let permit = Permit([ExclusionCategory("a")], #fileID, #line)
    let awaited = QuickOperation().node
    let number = permit.waitBegan(for: awaited)
    #expect(permit.edges.map(\.id) == [awaited.id])
    permit.waitEnded(number)
    #expect(permit.edges.isEmpty)
  }

  @Test("Of two waits at the same time, the end of the first leaves the second")
  func twoWaits() {
    let nodes = [QuickOperation().node, QuickOperation().node]
    var waits = Waits()
    let numbers = nodes.map { waits.began(for: $0) }
    #expect(waits.all.map(\.id) == nodes.map(\.id))
    #expect(waits.ended(numbers[0])?.id == nodes[0].id)
    #expect(waits.all.map(\.id) == [nodes[1].id])
  }

  @Test("An operation that waits for enqueued ones alone is settled, so later searches stop there")
  func settled() {
    let queue = OperationQueue()
    queue.isSuspended = true
    let operations = (0..<4).map { _ in QuickOperation() }
    for (operation, next) in zip(operations, operations.dropFirst()) {
      next.addDependency(operation)
    }
    func isSettled(_ operation: AsyncOperation) -> Bool {
      operation.guarded.withLock { $0.extras?.settledAt != nil }
    }
    queue.enqueue([operations[0], operations[2]])
    #expect(isSettled(operations[0]))
    #expect(!isSettled(operations[2]), "it waits for one that no queue has")
    queue.enqueue(operations[1])
    #expect(isSettled(operations[1]))
    for operation in operations { operation.cancel() }
    queue.isSuspended = false
  }

  @Test("A circle beside a chain of more operations than a search reads is reported")
  func longChain() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let queue = OperationQueue()
      queue.isSuspended = true
      let chain = (0...WaitGraph.stepLimit).map { _ in QuickOperation() }
      for (operation, next) in zip(chain, chain.dropFirst()) { next.addDependency(operation) }
      let (first, second) = (QuickOperation(), QuickOperation())
      first.addDependency(chain[WaitGraph.stepLimit])
      for operation in chain { queue.enqueue(operation) }
      // No operation depends on this one, so it closes no circle with its new dependency.
      let last = QuickOperation()
      queue.enqueue(last)
      last.addDependency(first)
      first.addDependency(second)
      second.addDependency(first)
      let misuses = [Misuses(of: first), Misuses(of: second)]
      queue.enqueue([first, second])
      exit(misuses.flatMap(\.codes) == [.circularWait] ? 0 : 1)
    }
  }
}
