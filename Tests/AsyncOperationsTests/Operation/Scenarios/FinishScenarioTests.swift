import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Scenarios: starting and finishing", .timeLimit(.minutes(10)))
struct FinishScenarioTests {
  @Test("1: An operation emits isExecuting twice, then isFinished", arguments: Kind.visible)
  func emissionOrder(kind: Kind) async {
    let emissions = Log<String>([])
    var work = Work(until: .atOnce)
    work.emissions = emissions
    let operation = kind.make(work)
    await onThread { operation.start() }
    // Does not wait for the operation itself: such a wait reads the state of a system operation.
    await until { emissions.value.last == "isFinished" }
    #expect(emissions.value == ["isExecuting", "isExecuting", "isFinished"])
  }

  @Test("13: An operation runs without a queue", arguments: Kind.allCases)
  func withoutQueue(kind: Kind) async {
    let ran = Box()
    let operation = kind.make { _ in ran.add() }
    await onThread { operation.start() }
    await operation.finished()
    #expect(ran.value == 1)
    #expect(!operation.isExecuting)
  }

  @Test(
    "17: Of three threads that finish the same 10,000 operations, one call each decides",
    arguments: Kind.ours)
  func threeFinishes(kind: Kind) async throws {
    let never = Gate()
    defer { never.open() }
    let operations = try (0..<10_000).map { _ in
      try #require(kind.make(Work(until: .open(never))) as? AsyncOperation)
    }
    let decided = Box()
    await onThread { for operation in operations { operation.start() } }
    let finishAll: @Sendable () -> Void = {
      for operation in operations where operation.finish() { decided.add() }
    }
    await race(finishAll, finishAll, finishAll)
    #expect(decided.value == 10_000)
    #expect(operations.filter { !$0.isFinished }.isEmpty)
  }

  @Test("21: A body may cancel its operation and finish it at once", arguments: Kind.allCases)
  func cancelThenFinish(kind: Kind) async {
    let operation = kind.make { operation in
      operation.cancel()
      (operation as? AsyncOperation)?.finish()
    }
    await onThread { operation.start() }
    await operation.finished()
    #expect(operation.isCancelled && !operation.isExecuting)
  }

  @Test(
    "21: A body may cancel its operation, and another thread may finish it",
    arguments: Kind.allCases)
  func cancelThenFinishElsewhere(kind: Kind) async {
    let operation = kind.make { operation in
      operation.cancel()
      DispatchQueue.global().async { (operation as? AsyncOperation)?.finish() }
    }
    await onThread { operation.start() }
    await operation.finished()
    #expect(operation.isCancelled && !operation.isExecuting)
  }

  @Test(
    "22: The first end before the start wins, be it a finish or a cancel",
    arguments: [Kind.result, .task])
  func finishBeforeStart(kind: Kind) async throws {
    let ran = Box()
    let operation = try #require(kind.make { _ in ran.add() } as? ResultOperation<Int>)
    let cancelled = try #require(kind.make { _ in ran.add() } as? ResultOperation<Int>)
    cancelled.cancel()
    #expect(!cancelled.finish(with: .success(6)))
    #expect(operation.finish(with: .success(7)))
    operation.cancel()
    #expect(!operation.finish(with: .success(8)))
    // The results come at once, though nothing has started the operations.
    #expect(try await operation.value == 7)
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    for one in [operation, cancelled] {
      #expect(one.state == .pending)
      await onThread { one.start() }
      #expect(one.isFinished && ran.value == 0)
    }
  }

  @Test(
    "23: Another thread can finish an operation while its body blocks",
    arguments: [Kind.async, .result])
  func finishWhileBodyBlocks(kind: Kind) async throws {
    let inBody = Gate()
    let leaveBody = Gate()
    let queue = OperationQueue(width: 1)
    let operation = try #require(
      kind.make { _ in
        inBody.open()
        leaveBody.wait()
      } as? AsyncOperation)
    queue.addOperation(operation)
    await inBody.opened()
    #expect(operation.finish())
    #expect(operation.isFinished)
    await queue.emptied()
    leaveBody.open()
  }

  @Test("24: A body can finish its operation through the main queue", arguments: Kind.ours)
  func finishThroughMainQueue(kind: Kind) async {
    let never = Gate()
    defer { never.open() }
    let queue = OperationQueue(width: 1)
    let operation = kind.make(
      Work(until: .open(never)) { operation in
        DispatchQueue.main.async { (operation as? AsyncOperation)?.finish() }
      })
    queue.addOperation(operation)
    await queue.emptied()
    #expect(operation.isFinished)
  }

  @Test("25: A second start and a second finish are reported and harmless", arguments: Kind.ours)
  func misuse(kind: Kind) async throws {
    let ran = Box()
    let operation = try #require(kind.make { _ in ran.add() } as? AsyncOperation)
    let misuses = Misuses(of: operation)
    await onThread { operation.start() }
    await operation.finished()
    #expect(misuses.codesOnAnyMachine == [])
    await onThread { operation.start() }
    #expect(misuses.codes == [.secondStart])
    #expect(!operation.finish())
    #expect(misuses.codes == [.secondStart, .secondFinish])
    #expect(ran.value == 1)
    #expect(operation.isFinished)
  }

  @Test("25: A finish before the start is no misuse", arguments: Kind.ours)
  func finishBeforeStartIsLegal(kind: Kind) async throws {
    let operation = try #require(kind.make() as? AsyncOperation)
    let misuses = Misuses(of: operation)
    operation.finish()
    await onThread { operation.start() }
    #expect(operation.isFinished)
    #expect(misuses.codesOnAnyMachine == [])
  }

  @Test(
    "25: finishIfUndecided after another finish is no misuse",
    arguments: [Kind.result, .task])
  func finishIfUndecided(kind: Kind) async throws {
    let operation = try #require(kind.make() as? ResultOperation<Int>)
    let misuses = Misuses(of: operation)
    #expect(operation.finishIfUndecided(with: .success(1)))
    #expect(!operation.finishIfUndecided(with: .success(2)))
    await onThread { operation.start() }
    #expect(!operation.finishIfUndecided(with: .success(3)))
    #expect(try operation.result?.get() == 1)
    #expect(misuses.codesOnAnyMachine == [])
  }

  @Test(
    "26: A finish after a timeout changes nothing and is no misuse",
    arguments: [Kind.result, .task])
  func lateFinish(kind: Kind) async throws {
    let gate = Gate()
    let operation = try #require(kind.make(Work(until: .open(gate))) as? ResultOperation<Int>)
    let misuses = Misuses(of: operation)
    await onThread { operation.start() }
    operation.cancel(throwing: OperationError(code: .timedOut, description: "Too late."))
    #expect(operation.isFinished)
    gate.open()
    #expect(!operation.finish(with: .success(1)))
    #expect(misuses.codesOnAnyMachine == [])
    await #expect(throws: OperationError.self) { try await operation.value }
  }
}
