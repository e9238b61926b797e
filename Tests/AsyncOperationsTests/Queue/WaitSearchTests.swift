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
    let nodes = operations
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
    let circle = WaitGraph.circle(from: operation, onlyThrough: true)
    #expect((circle != nil) == (reason == .none))
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
    await until { WaitGraph.circle(from: next, onlyThrough: true) != nil }
    dependency.finish(with: .success(2))
    #expect(WaitGraph.circle(from: next, onlyThrough: true) == nil)
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
    #expect(operation.guarded.withLock { $0.waits.all.isEmpty })
    mayEnd.open()
    await operation.ended()
  }

  @Test("A permit waits no longer for an operation that its code has awaited")
  func awaitedByPermit() {
    let permit = Permit([ExclusionCategory("a")], #fileID, #line)
    let awaited = QuickOperation()
    let number = permit.withWaits { $0.began(for: awaited) }
    #expect(permit.edges.map(\.id) == [awaited.id])
    _ = permit.withWaits { $0.ended(number) }
    #expect(permit.edges.isEmpty)
  }

  @Test("Of two waits at the same time, the end of the first leaves the second")
  func twoWaits() {
    let nodes = [QuickOperation(), QuickOperation()]
    var waits = Waits()
    let numbers = nodes.map { waits.began(for: $0) }
    #expect(waits.all.map(\.id) == nodes.map(\.id))
    #expect(waits.ended(numbers[0])?.id == nodes[0].id)
    #expect(waits.all.map(\.id) == [nodes[1].id])
  }

}
