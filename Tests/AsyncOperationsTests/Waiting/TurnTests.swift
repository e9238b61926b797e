import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Turns that outlive their operations", .timeLimit(.minutes(10)))
struct TurnTests {
  private let queue = OperationQueue()
  private let category = ExclusionCategory("\(UUID())")

  /// An operation that has the next turn.
  private func next() -> TaskOperation<Int> { TaskOperation { 1 }.exclusive(in: category) }

  /// Whether an operation behind all others of the category still waits.
  private func isHeld() -> Bool { TurnRegistry.hasLine(in: category) }

  /// Ends an operation whose work goes on, and checks that the turn lasts as long as the work.
  private func check(
    _ operation: AsyncOperation, began: Gate, mayEnd: Gate,
    end: (AsyncOperation) -> Void = { ($0 as? ResultOperation<Int>)?.cancel(throwing: Failure()) }
  ) async throws {
    queue.enqueue(operation)
    await began.opened()
    end(operation)
    await until { operation.isFinished }
    let next = next()
    queue.enqueue(next)
    // It has had every opportunity to start.
    _ = try await queue.value(of: TaskOperation { 0 })
    #expect(operation.isFinished && next.state == .pending && isHeld())
    mayEnd.open()
    #expect(try await next.value == 1)
    await until { !isHeld() }
  }

  @Test("A body that ignores its time limit keeps the turn until it returns")
  func timeLimit() async throws {
    let (began, mayEnd, time) = (Gate(), Gate(), HeldTime())
    let operation = TaskOperation {
      began.open()
      await mayEnd.opened()
      return 1
    }.timeout(after: .seconds(1), .timekeeper(time.timekeeper)).exclusive(in: category)
    try await check(operation, began: began, mayEnd: mayEnd) { _ in time.advance(by: .seconds(1)) }
    #expect(operation.hasTimedOut)
  }

  @Test("An end from outside, and a retry, keep the turn as long as the body runs")
  func otherEnds() async throws {
    for isRetry in [false, true] {
      let (began, mayEnd) = (Gate(), Gate())
      let body: @Sendable () async -> Int = {
        began.open()
        await mayEnd.opened()
        return 1
      }
      let operation: ResultOperation<Int> =
        isRetry ? RetryOperation(.immediate(limit: 1)) { _ in await body() } : TaskOperation(body)
      operation.exclusive(in: category)
      try await check(operation, began: began, mayEnd: mayEnd) {
        ($0 as? ResultOperation<Int>)?.finish(with: .success(2))
      }
    }
  }

  @Test("A main() that is on a stack keeps the turn until it returns")
  func mainOnStack() async throws {
    let operation = Blocking()
    operation.exclusive(in: category)
    try await check(operation, began: operation.began, mayEnd: operation.mayEnd)
  }

  @Test("Children of a group that work on keep its turn: a body, a main(), a group inside, a block")
  func children() async throws {
    for kind in 0..<4 {
      let (began, mayEnd) = (Gate(), Gate())
      let body = TaskOperation {
        began.open()
        await mayEnd.opened()
        return 1
      }
      let child: Operation
      switch kind {
      case 0: child = body
      case 1: child = GroupOperation<Int>([GroupOperation<Int>([body])])
      case 2: child = Blocking(began: began, mayEnd: mayEnd)
      default:
        child = BlockOperation {
          began.open()
          mayEnd.wait()
        }
      }
      let group = GroupOperation<Int>([child]).exclusive(in: category)
      try await check(group, began: began, mayEnd: mayEnd) {
        ($0 as? GroupOperation<Int>)?.cancel(throwing: Failure())
      }
    }
  }

  @Test("A child that has ended by its own time limit keeps the turn of its group")
  func childWithLimit() async throws {
    let (began, mayEnd, time) = (Gate(), Gate(), HeldTime())
    let child = TaskOperation {
      began.open()
      await mayEnd.opened()
      return 1
    }.timeout(after: .seconds(1), .timekeeper(time.timekeeper))
    let inner = GroupOperation<Int>(failures: .all, [child])
    let group = GroupOperation<[Int]>(failures: .all, [inner]).exclusive(in: category)
    try await check(group, began: began, mayEnd: mayEnd) { _ in time.advance(by: .seconds(1)) }
    #expect(group.error is GroupError)
  }

  @Test("A callback operation whose end was forced gives up its turn: its work is unknown")
  func callback() async throws {
    let operation = Stubborn().exclusive(in: category)
    queue.enqueue(operation)
    await operation.began.opened()
    operation.cancel(throwing: Failure())
    #expect(try await queue.value(of: next()) == 1)
  }

  /// Blocks its thread in `main()`, also after its end.
  private final class Blocking: ResultOperation<Int>, @unchecked Sendable {
    // Sendable: it never changes.
    let began: Gate
    let mayEnd: Gate

    init(began: Gate = Gate(), mayEnd: Gate = Gate()) {
      self.began = began
      self.mayEnd = mayEnd
      super.init()
    }

    override func main() {
      began.open()
      mayEnd.wait()
      finish(with: .success(1))
    }
  }
}
