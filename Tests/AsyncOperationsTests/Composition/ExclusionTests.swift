import Foundation
import RowOperationsTesting
import Testing

@testable import AsyncOperations
@testable import RowOperations
@testable import TestSupport

@Suite("The lines as a value")
struct ExclusionStateMachineTests {
  @Test("The first comer has its turn at once, the next when that has left")
  func inTurn() {
    var lines = ExclusionStateMachine<String>()
    #expect(lines.arrived(1, categories: ["a"]) == true)
    #expect(lines.arrived(2, categories: ["a"]) == false)
    #expect(lines.arrived(3, categories: ["a"]) == false)
    #expect(lines.arrived(4, categories: ["b"]) == true)
    #expect(lines.left(1) == [2])
    #expect(lines.left(1) == [])
    #expect(lines.left(2) == [3])
  }

  @Test("Who waits in several lines has its turn when it is the first in all")
  func severalLines() {
    var lines = ExclusionStateMachine<String>()
    _ = lines.arrived(1, categories: ["a"])
    _ = lines.arrived(2, categories: ["b"])
    #expect(lines.arrived(3, categories: ["a", "b"]) == false)
    #expect(lines.arrived(4, categories: ["b"]) == false)
    #expect(lines.left(1) == [])
    #expect(lines.left(2) == [3])
    #expect(lines.left(3) == [4])
  }

  @Test("Who leaves while it waits lets those behind it pass")
  func leavesEarly() {
    var lines = ExclusionStateMachine<String>()
    _ = lines.arrived(1, categories: ["a"])
    _ = lines.arrived(2, categories: ["a", "b"])
    _ = lines.arrived(3, categories: ["b"])
    #expect(lines.left(2) == [3])
    #expect(lines.left(1) == [])
    _ = lines.left(3)
    #expect(lines.isEmpty)
  }

  @Test("Against a naive model, at random: the same turns, in the same order")
  func model() {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var lines = ExclusionStateMachine<Int>()
      var naive = NaiveLines()
      for step in 0..<60 {
        if Bool.random(using: &generator) {
          let categories = Set(
            (0..<Int.random(in: 1...3, using: &generator)).map { _ in
              Int.random(in: 0..<4, using: &generator)
            })
          let member = ExclusionTicket(step)
          let isFirst = lines.arrived(member, categories: categories)
          #expect(isFirst == naive.arrived(member, categories), "seed \(seed)")
        } else if let member = naive.members.randomElement(using: &generator) {
          #expect(Set(lines.left(member.id)) == naive.left(member.id), "seed \(seed)")
        }
        #expect(lines.isEmpty == naive.members.isEmpty, "seed \(seed)")
        #expect(naive.members.isEmpty || !naive.turns.isEmpty, "a deadlock, seed \(seed)")
      }
    }
  }

  @Test("A broken line, in which one joins category after category, is seen to deadlock")
  func broken() {
    var lines = ExclusionStateMachine<String>()
    // 1 joins a, then b; 2 joins b, then a: each has a turn that the other one waits for.
    #expect(lines.arrived(11, categories: ["a"]) == true)
    #expect(lines.arrived(21, categories: ["b"]) == true)
    #expect(lines.arrived(12, categories: ["b"]) == false)
    #expect(lines.arrived(22, categories: ["a"]) == false)
  }
}

/// The lines in the plainest way: all members in the order of arrival.
private struct NaiveLines {
  var members: [(id: ExclusionTicket, categories: Set<Int>)] = []

  var turns: Set<ExclusionTicket> {
    var taken: Set<Int> = []
    var turns: Set<ExclusionTicket> = []
    for member in members {
      if taken.isDisjoint(with: member.categories) { turns.insert(member.id) }
      taken.formUnion(member.categories)
    }
    return turns
  }

  mutating func arrived(_ id: ExclusionTicket, _ categories: Set<Int>) -> Bool {
    members.append((id, categories))
    return turns.contains(id)
  }

  mutating func left(_ id: ExclusionTicket) -> Set<ExclusionTicket> {
    let before = turns
    members.removeAll { $0.id == id }
    return turns.subtracting(before).subtracting([id])
  }
}

@Suite("Exclusion", .timeLimit(.minutes(10)))
struct ExclusionTests {
  /// Of its own in each test: categories are the process's.
  private let category = ExclusionCategory("\(UUID())")

  @Test("Across queues, one at a time, first come, first served")
  func acrossQueues() async {
    let queues = [OperationQueue(width: 4), OperationQueue(width: 4)]
    let (running, order) = (Box(), Box<[Int]>([]))
    let operations = (0..<40).map { number in
      TaskOperation {
        #expect(running.add() == 1)
        await Task.yield()
        order.append(number)
        running.add(-1)
      }.exclusive(in: category)
    }
    for (number, operation) in operations.enumerated() { queues[number % 2].enqueue(operation) }
    for operation in operations { await operation.ended() }
    #expect(order.value == Array(0..<40))
  }

  @Test("Other categories, and no category, are not held up")
  func others() async throws {
    let queue = OperationQueue()
    let holder = Stubborn().exclusive(in: category)
    queue.enqueue(holder)
    await holder.began.opened()
    let other = TaskOperation { 1 }.exclusive(in: ExclusionCategory("\(UUID())"))
    #expect(try await queue.value(of: other) == 1)
    #expect(try await queue.value(of: TaskOperation { 2 }) == 2)
    holder.finish()
  }

  @Test("While it waits for its turn it takes no place in its queue")
  func takesNoPlace() async throws {
    let queue = OperationQueue(width: 1)
    let holder = Stubborn().exclusive(in: category)
    OperationQueue().enqueue(holder)
    await holder.began.opened()
    let waiting = TaskOperation { 1 }.exclusive(in: category)
    queue.enqueue(waiting)
    #expect(try await queue.value(of: TaskOperation { 2 }) == 2)
    holder.finish()
    #expect(try await waiting.value == 1)
  }

  @Test("In several categories, also named one after the other and in any order, none deadlock")
  func severalCategories() async {
    let queue = OperationQueue(width: 8)
    let other = ExclusionCategory("\(UUID())")
    let operations = (0..<60).map { number -> TaskOperation<Void> in
      let operation = TaskOperation { await Task.yield() }
      switch number % 3 {
      case 0: operation.exclusive(in: category).exclusive(in: other)
      case 1: operation.exclusive(in: other).exclusive(in: category)
      default: operation.exclusive(in: other, category)
      }
      return operation
    }
    for operation in operations { queue.enqueue(operation) }
    await queue.emptied()
    #expect(operations.allSatisfy { $0.isFinished })
  }

  @Test("A cancelled waiter leaves at once, also when its queue is suspended")
  func cancelledWaiter() async throws {
    let (queue, suspended) = (OperationQueue(), OperationQueue())
    suspended.isSuspended = true
    let holder = Stubborn().exclusive(in: category)
    queue.enqueue(holder)
    await holder.began.opened()
    let waiter = TaskOperation { 1 }.exclusive(in: category)
    suspended.enqueue(waiter)
    let next = TaskOperation { 2 }.exclusive(in: category)
    queue.enqueue(next)
    waiter.cancel()
    holder.finish()
    #expect(try await next.value == 2)
    suspended.isSuspended = false
    await waiter.ended()
    #expect(waiter.error is CancellationError)
  }

  @Test("One that is cancelled when it has its turn, but not a place, gives the turn up at once")
  func cancelledBeforePlace() async throws {
    let (queue, suspended) = (OperationQueue(), OperationQueue())
    suspended.isSuspended = true
    let first = TaskOperation { 1 }.exclusive(in: category)
    suspended.enqueue(first)
    let next = TaskOperation { 2 }.exclusive(in: category)
    queue.enqueue(next)
    first.cancel()
    #expect(try await next.value == 2)
    suspended.isSuspended = false
    await first.ended()
  }

  @Test("One that is cancelled and goes on keeps its turn until it has finished")
  func cancelledHolder() async {
    let queue = OperationQueue()
    let holder = Stubborn().exclusive(in: category)
    queue.enqueue(holder)
    await holder.began.opened()
    let next = TaskOperation { #expect(holder.isFinished) }.exclusive(in: category)
    queue.enqueue(next)
    holder.cancel()
    #expect(!next.isExecuting)
    holder.finish()
    await next.ended()
  }

  @Test("One that depends on another of its category gets in line after it, though added first")
  func dependency() async throws {
    let queue = OperationQueue(width: 1)
    let first = TaskOperation { 1 }.exclusive(in: category)
    let second = TaskOperation { 2 }.exclusive(in: category)
    second.addDependency(first)
    queue.enqueue(second)
    queue.enqueue(first)
    #expect(try await second.value == 2)
  }

  @Test("Cancelled before it is added, it finishes without running and holds nobody up")
  func cancelledBefore() async throws {
    let queue = OperationQueue()
    let cancelled = TaskOperation { 1 }
    cancelled.cancel()
    cancelled.exclusive(in: category)
    queue.enqueue(cancelled)
    #expect(try await queue.value(of: TaskOperation { 2 }.exclusive(in: category)) == 2)
    await cancelled.ended()
  }

  @Test("After a plain addOperation its turn never comes; a cancel gets it out")
  func plainAdding() async {
    let queue = OperationQueue()
    let operation = TaskOperation { 1 }.exclusive(in: category)
    queue.addOperation(operation)
    #expect(!operation.isReady)
    operation.cancel()
    await operation.ended()
  }
}
