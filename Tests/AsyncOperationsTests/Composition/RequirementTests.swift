import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Requirements", .timeLimit(.minutes(10)))
struct RequirementTests {
  private let queue = OperationQueue(width: 2)

  @Test("The body receives the typed values in order, even if its operation is enqueued first")
  func values() async throws {
    let number = TaskOperation { 4 }
    let word = TaskOperation { "rows" }
    let operation = TaskOperation(requiring: number, word) { number, word in
      "\(number) \(word)"
    }
    for one in [operation, word, number] as [Operation] { queue.enqueue(one) }
    #expect(try await operation.value == "4 rows")
  }

  @Test("An operation fails with the error, or the cancel, of its requirement and does not run")
  func failure() async {
    let ran = Gate()
    let good = TaskOperation { 1 }
    let bad = TaskOperation<Int> { throw Failure(number: 5) }
    let cancelled = TaskOperation { 2 }
    cancelled.cancel()
    let operation = TaskOperation(requiring: good, bad) { _, _ in ran.open() }
    let other = TaskOperation(requiring: good, cancelled) { _, _ in ran.open() }
    queue.enqueue([operation, other, good, bad, cancelled])
    for one in [operation, other] { await one.ended() }
    #expect(operation.error as? Failure == Failure(number: 5))
    #expect(other.error is CancellationError && !other.isCancelled && !ran.isOpen)
  }

  @Test("An operation that requires results runs even if a requirement fails")
  func results() async throws {
    let good = TaskOperation { 1 }
    let bad = TaskOperation<String> { throw Failure() }
    let operation = TaskOperation(requiringResultsOf: good, bad) { good, bad in
      guard case .failure(let error) = bad else { return -1 }
      return error is Failure ? try good.get() : -2
    }
    for one in [operation, good, bad] as [Operation] { queue.enqueue(one) }
    #expect(try await operation.value == 1)
  }

  @Test("A cancelled operation ends at once and does not cancel its requirement")
  func cancel() async {
    let requirement = Stubborn()
    let operation = TaskOperation(requiring: requirement) { $0 }
    queue.enqueue(operation)
    queue.enqueue(requirement)
    operation.cancel()
    await operation.ended()
    await requirement.began.opened()
    #expect(!requirement.isCancelled)
    requirement.finish()
  }

  @Test("A finished operation releases its requirements")
  func letsGo() async throws {
    weak var requirement: TaskOperation<Int>?
    let operation: TaskOperation<Int>
    do {
      let one = TaskOperation { 1 }
      requirement = one
      operation = TaskOperation(requiring: one) { $0 }
      queue.enqueue(one)
      #expect(try await queue.value(of: operation) == 1)
      await queue.emptied()
    }
    await until { requirement == nil }
    #expect(operation.dependencies == [])
  }

  /// How each operation of a chain waits for the one before it.
  enum Link: CaseIterable, Codable { case dependency, requirement, exclusiveRequirement }

  @Test(
    "A chain of 100,000 operations is released without overflow, whether it ran or not (fault 20)",
    arguments: zip(
      [Link.dependency, .dependency, .requirement, .requirement, .exclusiveRequirement],
      [false, true, false, true, false]))
  func chain(link: Link, runs: Bool) async {
    await #expect(processExitsWith: .success) { [link = link as Link, runs = runs as Bool] in
      Watchdog.start(Watchdog.patient)
      let category = ExclusionCategory("chain")
      var last = TaskOperation { 0 }
      if runs { last.start() }
      for _ in 0..<100_000 {
        let next: TaskOperation<Int>
        if link == .dependency {
          next = TaskOperation { 100_000 }
          next.addDependency(last)
        } else {
          next = TaskOperation(requiring: last) { $0 + 1 }
        }
        if link == .exclusiveRequirement {
          next.exclusive(in: category).addCondition(OperationCondition("holds") {})
        }
        if runs {
          await until { next.isReady }
          next.start()
          await next.ended()
        }
        last = next
      }
      if runs { #expect((try? last.result?.get()) == 100_000) }
    }
  }
}
