import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Scenarios: cancelling", .timeLimit(.minutes(10)))
struct CancelScenarioTests {
  @Test(
    "2: The start of a cancelled operation emits isFinished once and nothing else",
    arguments: Kind.visible)
  func cancelBeforeStart(kind: Kind) async {
    let emissions = Log<String>([])
    var work = Work()
    work.emissions = emissions
    let operation = kind.make(work)
    operation.cancel()
    emissions.set([])
    await onThread { operation.start() }
    #expect(emissions.value == ["isFinished"])
    #expect(operation.isFinished)
  }

  @Test(
    "3: A cancelled operation without a queue does not finish until it is started",
    arguments: Kind.allCases)
  func cancelledAndNeverEnqueued(kind: Kind) async {
    let ran = Box()
    let operation = kind.make { _ in ran.add() }
    operation.cancel()
    #expect(operation.isCancelled && !operation.isFinished && !operation.isExecuting)
    await onThread { operation.start() }
    await operation.finished()
    #expect(ran.value == 0)
  }

  @Test(
    "4: A resumed queue finishes a cancelled operation without its body", arguments: Kind.allCases)
  func cancelWhileSuspended(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let operation = kind.make { _ in ran.add() }
    queue.addOperation(operation)
    operation.cancel()
    #expect(!operation.isFinished)
    queue.isSuspended = false
    await queue.emptied()
    #expect(operation.isFinished)
    #expect(ran.value == 0)
  }

  @Test(
    "5: A cancelled operation with an unfinished dependency leaves its queue",
    arguments: Kind.allCases)
  func cancelWithDependency(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 1)
    let dependency = kind.make()
    let operation = kind.make { _ in ran.add() }
    operation.addDependency(dependency)
    queue.addOperation(operation)
    operation.cancel()
    await queue.emptied()
    #expect(operation.isFinished && !dependency.isFinished)
    #expect(ran.value == 0)
  }

  @Test(
    "6: A cancel of one of five operations in a serial queue lets the other four run",
    arguments: Kind.allCases)
  func cancelOneOfFive(kind: Kind) async {
    let gate = Gate()
    let ran = Log<Int>([])
    let queue = OperationQueue(width: 1)
    let operations = (1...5).map { number in
      kind.make(Work(until: .open(gate)) { _ in ran.append(number) })
    }
    for operation in operations { queue.addOperation(operation) }
    operations[2].cancel()
    gate.open()
    await queue.emptied()
    #expect(ran.value == [1, 2, 4, 5])
    #expect(operations.map { $0.isCancelled } == [false, false, true, false, false])
  }

  @Test(
    "7: A cancel of all operations of one priority lets the others run", arguments: Kind.allCases)
  func cancelByPriority(kind: Kind) async {
    let ran = Log<Operation.QueuePriority>([])
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    let priorities: [Operation.QueuePriority] = [.low, .high, .normal, .high, .low]
    let operations = priorities.map { priority in
      let operation = kind.make { _ in ran.append(priority) }
      operation.queuePriority = priority
      return operation
    }
    for operation in operations { queue.addOperation(operation) }
    for operation in operations where operation.queuePriority == .low { operation.cancel() }
    queue.isSuspended = false
    await queue.emptied()
    #expect(ran.value == [.high, .high, .normal])
  }

  @Test(
    "8: A body that cancels its whole queue prevents all other bodies", arguments: Kind.allCases)
  func cancelAllFromABody(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 1)
    queue.isSuspended = true
    for _ in 0..<5 {
      queue.addOperation(
        kind.make { [weak queue] _ in
          ran.add()
          queue?.cancelAllOperations()
        })
    }
    queue.isSuspended = false
    await queue.emptied()
    #expect(ran.value == 1)
  }

  @Test("9: A cancelled dependency releases its dependent", arguments: Kind.allCases)
  func cancelledDependency(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 2)
    let dependency = kind.make()
    let operation = kind.make { _ in ran.add() }
    operation.addDependency(dependency)
    dependency.cancel()
    queue.addOperation(operation)
    queue.addOperation(dependency)
    await queue.emptied()
    #expect(ran.value == 1)
  }

  @Test("10: A cancel breaks a circle of dependencies", arguments: Kind.allCases)
  func dependencyCycle(kind: Kind) async {
    let ran = Box()
    let queue = OperationQueue(width: 2)
    let first = kind.make { _ in ran.add() }
    let second = kind.make { _ in ran.add(10) }
    first.addDependency(second)
    second.addDependency(first)
    queue.addOperation(first)
    queue.addOperation(second)
    #expect(!first.isReady && !second.isReady)
    first.cancel()
    await queue.emptied()
    #expect(ran.value == 10)
  }

  @Test(
    "18: 50,000 operations that are cancelled right after adding all finish",
    arguments: Kind.allCases)
  func immediateCancel(kind: Kind) async {
    let finished = Box()
    let allGone = Gate()
    let queue = OperationQueue(width: 4)
    await onThread { [token = Token(allGone)] in
      for _ in 0..<50 {
        for _ in 0..<1000 {
          let operation = kind.make()
          operation.completionBlock = { withExtendedLifetime(token) { _ = finished.add() } }
          queue.addOperation(operation)
          operation.cancel()
        }
        queue.waitUntilAllOperationsAreFinished()
      }
    }
    await allGone.opened()
    #expect(finished.value == 50_000)
  }

  @Test("19: A running operation that is cancelled twice ends once", arguments: Kind.allCases)
  func bodyUntilCancelled(kind: Kind) async {
    let began = Gate()
    let ended = Box()
    let cancelled = Box()
    let queue = OperationQueue(width: 1)
    let operation = kind.make(Work(until: .cancelled, end: { ended.add() }) { _ in began.open() })
    (operation as? AsyncOperation)?.addObserver(
      OperationObserver(cancelled: { _ in cancelled.add() }))
    queue.addOperation(operation)
    await began.opened()
    operation.cancel()
    operation.cancel()
    await queue.emptied()
    #expect(ended.value == 1)
    #expect(cancelled.value == (kind == .block ? 0 : 1))
    #expect(operation.isCancelled && operation.isFinished)
  }

  @Test("20: A cancel of a finished operation leaves isCancelled false", arguments: Kind.allCases)
  func cancelAfterFinish(kind: Kind) async {
    let operation = kind.make()
    await onThread { operation.start() }
    await operation.finished()
    operation.cancel()
    #expect(!operation.isCancelled)
  }
}

extension Kind {
  /// The kinds with visible emissions; a `TaskOperation` cannot be subclassed.
  static let visible: [Kind] = [.block, .async, .result]
}
