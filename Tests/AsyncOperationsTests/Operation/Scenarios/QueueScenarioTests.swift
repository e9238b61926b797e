import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Scenarios: queues and dependencies", .timeLimit(.minutes(10)))
struct QueueScenarioTests {
  @Test(
    "11: A released serial queue runs a later dependency before its dependent",
    arguments: Kind.allCases)
  func reverseOrder(kind: Kind) async {
    let ran = Log<Int>([])
    let first = kind.make { _ in ran.append(1) }
    let second = kind.make { _ in ran.append(2) }
    first.addDependency(second)
    do {
      let queue = OperationQueue(width: 1)
      queue.addOperation(first)
      queue.addOperation(second)
    }
    await first.finished()
    #expect(ran.value == [2, 1])
  }

  @Test(
    "12: An operation waits for a dependency in another queue",
    arguments: Kind.allCases, Kind.allCases)
  func acrossQueues(kind: Kind, other: Kind) async {
    let gate = Gate()
    let ran = Log<Int>([])
    let queues = [OperationQueue(width: 1), OperationQueue(width: 1)]
    let dependency = other.make(Work(until: .open(gate), end: { ran.append(1) }))
    let operation = kind.make { _ in ran.append(2) }
    operation.addDependency(dependency)
    queues[0].enqueue(operation)
    queues[1].enqueue(dependency)
    gate.open()
    await operation.finished()
    #expect(ran.value == [1, 2])
  }

  @Test(
    "14: A queue starts high priorities first, and equal ones in the order of adding",
    arguments: Kind.allCases)
  func priorities(kind: Kind) async {
    let ran = Log<Int>([])
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let priorities: [Operation.QueuePriority] = [
      .low, .normal, .veryHigh, .veryLow, .high, .normal, .veryHigh, .low,
    ]
    for (number, priority) in priorities.enumerated() {
      let operation = kind.make { _ in ran.append(number) }
      operation.queuePriority = priority
      queue.addOperation(operation)
    }
    queue.isSuspended = false
    await queue.emptied()
    #expect(ran.value == [2, 6, 4, 1, 5, 0, 7, 3])
  }

  @Test("15: A queue is deallocated after its operations have finished", arguments: Kind.allCases)
  func queueDeallocates(kind: Kind) async {
    let deallocated = Gate()
    do {
      let queue = WatchedQueue(deallocated)
      for _ in 0..<10 { queue.addOperation(kind.make()) }
    }
    await deallocated.opened()
  }

  @Test(
    "16: Completion blocks and dependents run in 500 rounds, and all are released",
    arguments: Kind.allCases)
  func completionAndDependency(kind: Kind) async {
    let completed = Box()
    let ran = Box()
    let allGone = Gate()
    await onThread { [token = Token(allGone)] in
      for _ in 0..<500 {
        let queue = OperationQueue(width: 2)
        let first = kind.make()
        first.completionBlock = { withExtendedLifetime(token) { _ = completed.add() } }
        let second = kind.make { _ in ran.add() }
        second.completionBlock = { withExtendedLifetime(token) { _ = completed.add() } }
        second.addDependency(first)
        queue.enqueue(second)
        queue.enqueue(first)
        queue.waitUntilAllOperationsAreFinished()
      }
    }
    #expect(ran.value == 500)
    await allGone.opened()
    #expect(completed.value == 1000)
  }

  @Test("27: Bodies can add operations to their own queue, 5,000 times", arguments: Kind.allCases)
  func reentrantAdds(kind: Kind) async {
    let ran = Box()
    let done = Gate()
    let queue = OperationQueue(width: 2)
    @Sendable func addOne() {
      queue.addOperation(
        kind.make { _ in
          if ran.add() < 5000 { addOne() } else { done.open() }
        })
    }
    addOne()
    await done.opened()
    await queue.emptied()
    #expect(ran.value == 5000)
  }

  @Test(
    "29: A queue never runs more bodies at once than its width",
    arguments: Kind.allCases, [1, 2, 4])
  func width(kind: Kind, width: Int) async {
    let running = Box()
    let most = Box()
    let queue = OperationQueue(width: width)
    for _ in 0..<300 {
      queue.addOperation(
        kind.make(
          Work(end: { running.add(-1) }) { _ in
            let count = running.add()
            most.change { $0 = max($0, count) }
          }))
    }
    await queue.emptied()
    #expect(most.value <= width)
    #expect(running.value == 0)
  }

  @Test(
    "30: No dependent is lost when its dependency finishes during enqueue, 100,000 times in all",
    arguments: Kind.allCases)
  func finishDuringAdd(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 4)
    await onThread {
      for _ in 0..<100 {
        for _ in 0..<(1000 / Kind.allCases.count) {
          let dependency = QuickOperation()
          let operation = kind.make { _ in ran.add() }
          operation.addDependency(dependency)
          queue.addOperation(dependency)
          queue.enqueue(operation)
        }
        queue.waitUntilAllOperationsAreFinished()
      }
    }
    #expect(ran.value == 100_000 / Kind.allCases.count)
  }
}
