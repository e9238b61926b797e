import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The exclusive turn of a RetryOperation", .timeLimit(.minutes(10)))
struct RetryTurnTests {
  private let queue = OperationQueue(width: 2)
  private let clock = ManualClock()

  @Test("A retry leaves its turn in a pause, gets in line again, and can keep the turn")
  func turn() async throws {
    for keepsTurn in [false, true] {
      let category = ExclusionCategory("\(UUID())")
      let order = Log<String>([])
      let retry = RetryOperation<Int>(
        .constant(.seconds(9), limit: 1), clock: clock, keepsTurn: keepsTurn
      ) { attempt in
        order.append("attempt \(attempt)")
        if attempt == 0 { throw Failure() }
        return 7
      }.exclusive(in: category)
      queue.enqueue(retry)
      await until { clock.sleepers == 1 }
      #expect(TurnRegistry.hasLine(in: category) == keepsTurn)
      let other = Stubborn().exclusive(in: category)
      OperationQueue().enqueue(other)
      if !keepsTurn {
        await other.began.opened()
        retry.retryNow()
        await until { TurnRegistry.count(in: category) == 2 }
        #expect(queue.explain(retry).contains("in line for its turn before attempt 2"))
        order.append("other")
      }
      if keepsTurn { retry.retryNow() } else { other.finish() }
      #expect(try await retry.value == 7)
      #expect(order.value == ["attempt 0"] + (keepsTurn ? [] : ["other"]) + ["attempt 1"])
      other.finish()
      await other.finished()
      await until { !TurnRegistry.hasLine(in: category) && clock.sleepers == 0 }
    }
  }

  @Test("A retry that comes back goes before an operation with a turn that waits for its slot")
  func turnWithoutSlot() async throws {
    for queue in [OperationQueue(), AsyncOperationQueue()] {
      queue.maxConcurrentOperationCount = 1
      let category = ExclusionCategory("\(UUID())")
      let order = Log<String>([])
      let retry = RetryOperation<Int>(.constant(.seconds(9), limit: 1), clock: clock) { attempt in
        order.append("attempt \(attempt)")
        if attempt == 0 { throw Failure() }
        return attempt
      }.exclusive(in: category)
      let next = TaskOperation { order.append("next") }.exclusive(in: category)
      queue.enqueue([retry, next])
      await until { clock.sleepers == 1 && next.isReady }
      let permit = Task { try await category.withPermit { order.append("permit") } }
      await until { TurnRegistry.count(in: category) == 2 }
      retry.retryNow()
      #expect(try await retry.value == 1)
      _ = try await (permit.value, next.value)
      #expect(Array(order.value.prefix(2)) == ["attempt 0", "attempt 1"])
      #expect(order.value.count == 4)
    }
  }

  @Test("A retry that comes back takes the priority of those that it goes before")
  func priority() async throws {
    let category = ExclusionCategory("\(UUID())")
    let retry = RetryOperation<Int>(.constant(.seconds(9), limit: 1), clock: clock) { attempt in
      if attempt == 0 { throw Failure() }
      return attempt
    }.exclusive(in: category)
    queue.enqueue(retry)
    await until { clock.sleepers == 1 }
    let (holder, next) = (Stubborn(), QuickOperation())
    for operation in [holder, next] {
      OperationQueue().enqueue(operation.exclusive(in: category))
    }
    await holder.began.opened()
    next.raise(to: .high)
    retry.retryNow()
    await until { queue.explain(retry).contains("in line for its turn before attempt 2") }
    #expect(retry.awaitedPriority == .high)
    holder.finish()
    #expect(try await retry.value == 1)
    await next.finished()
  }

  @Test(
    "A retry that stops while it is in line again ends, and leaves the line",
    arguments: RetryTests.Stop.allCases)
  func stoppedInLine(stop: RetryTests.Stop) async {
    let category = ExclusionCategory("\(UUID())")
    let retry = RetryOperation<Int>(.constant(.seconds(9), limit: 1), clock: clock) { _ in
      throw Failure()
    }.exclusive(in: category)
    queue.enqueue(retry)
    await until { clock.sleepers == 1 }
    let other = Stubborn().exclusive(in: category)
    OperationQueue().enqueue(other)
    await other.began.opened()
    retry.retryNow()
    await until { TurnRegistry.count(in: category) == 2 }
    stop.perform(retry)
    await until { retry.attemptsAreOver && TurnRegistry.count(in: category) == 1 }
    other.finish()
    await retry.ended()
  }
}
