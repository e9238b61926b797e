import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Composed operations under stress", .serialized, .timeLimit(.minutes(60)))
struct CompositionStress {
  /// Runs each batch with a seed of its own; a failure prints the seed.
  private func batches(_ body: (inout SeededGenerator, Comment) async throws -> Void) async rethrows
  {
    var seeds = SeededGenerator(seed: StressLevel.seed)
    for _ in 0..<(StressLevel.current.compositionRounds * 5) {
      let seed = seeds.next()
      var generator = SeededGenerator(seed: seed)
      try await body(
        &generator,
        "STRESS=\(StressLevel.current) STRESS_SEED=\(StressLevel.seed), batch \(seed)")
    }
  }

  @Test("Each attempt of an exclusive retry has its turn, in queues that are suspended and resumed")
  func retryTurns() async {
    let (category, isOver) = (ExclusionCategory("\(UUID())"), Box(false))
    let queues = (0..<2).map { _ in ThreadSafe(AsyncOperationQueue()) }
    let suspending = queues.map { queue in
      Task {
        await onThread {
          while !isOver.value {
            queue.object.isSuspended = true
            sched_yield()
            queue.object.isSuspended = false
            sched_yield()
          }
        }
      }
    }
    await batches { _, comment in
      for _ in 0..<40 {
        let running = Box()
        let operations = (0..<6).map { _ in
          RetryOperation<Int>(.immediate(limit: 2)) { attempt in
            #expect(WorkContext.current?.hasTurn == true && running.add() == 1, comment)
            if attempt == 1 { await Task.yield() }
            running.add(-1)
            if attempt < 2 { throw Failure() }
            return attempt
          }.exclusive(in: category)
        }
        for (index, operation) in operations.enumerated() {
          queues[index % 2].object.enqueue(operation)
        }
        for operation in operations { _ = try? await operation.value }
      }
    }
    isOver.set(true)
    for task in suspending { await task.value }
  }

  @Test("Exclusive operations of several queues never overlap in a category, and all finish")
  func exclusion() async {
    let names = (0..<4).map { _ in ExclusionCategory("\(UUID())") }
    await batches { generator, comment in
      let running = Box<[ExclusionCategory: Int]>([:])
      let queues = [1, 2, 8].map { OperationQueue(width: $0) }
      var operations: [TaskOperation<Void>] = []
      for index in 0..<150 {
        let categories = names.filter { _ in Bool.random(using: &generator) }
        let operation = TaskOperation {
          let most = running.change { running in
            for category in categories { running[category, default: 0] += 1 }
            return categories.map { running[$0] ?? 0 }.max() ?? 0
          }
          #expect(most <= 1, comment)
          await Task.yield()
          running.change { running in
            for category in categories { running[category, default: 0] -= 1 }
          }
        }
        for category in categories { operation.exclusive(in: category) }
        if index > 0, Int.random(in: 0..<4, using: &generator) == 0 {
          operation.addDependency(operations[index - 1])
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
          operation.addCondition(OperationCondition("yields") { await Task.yield() })
        }
        operations.append(operation)
      }
      let cancelled = operations.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      let halves = [operations[..<75], operations[75...]].map(Array.init)
      await race(
        { for one in halves[0].enumerated() { queues[one.offset % 3].enqueue(one.element) } },
        { for one in halves[1].enumerated() { queues[one.offset % 3].enqueue(one.element) } },
        { for operation in cancelled { operation.cancel() } })
      for queue in queues { await queue.emptied() }
      #expect(operations.allSatisfy { $0.isFinished }, comment)
    }
  }

  @Test("Groups and their children finish while threads add, cancel and finish")
  func groups() async {
    await batches { generator, comment in
      for _ in 0..<20 {
        let queue = OperationQueue(width: 2)
        let width = Int.random(in: 1...4, using: &generator)
        let interference = Int.random(in: 0..<4, using: &generator)
        let failsAt = Int.random(in: 0..<60, using: &generator)
        let all = (0..<30).map { number in
          TaskOperation {
            await Task.yield()
            if number == failsAt { throw Failure(number: number) }
            return number
          }
        }
        let group = GroupOperation<Int>(width: width, Array(all[..<10]))
        let taken = Box(Array(all[..<10]))
        let addAll: @Sendable (ArraySlice<TaskOperation<Int>>) -> Void = { children in
          for child in children where group.add(child) { taken.append(child) }
        }
        await race(
          { queue.enqueue(group) }, { addAll(all[10..<20]) }, { addAll(all[20...]) },
          {
            switch interference {
            case 0: group.cancel()
            case 1: group.finish(with: .success([]))
            case 2: group.progress.cancel()
            default: break
            }
          })
        await group.ended()
        for child in taken.value { await child.ended() }
        if interference == 3, failsAt >= 30 || !taken.value.contains(where: { $0 === all[failsAt] })
        {
          #expect(group.error == nil, comment)
          #expect((try? group.result?.get().count) == taken.value.count, comment)
        }
        #expect(taken.value.allSatisfy { $0.result != nil }, comment)
      }
    }
  }

  @Test("Retries with timeouts end with a value, a failure, a timeout or a cancellation")
  func retries() async {
    await batches { generator, comment in
      let clock = ManualClock()
      let queue = OperationQueue(width: 8)
      let bound = Int.random(in: 1...5, using: &generator)
      let operations = (0..<60).map { number in
        RetryOperation<Int>(.exponential(from: .milliseconds(10), limit: 4), clock: clock) {
          await Task.yield()
          guard $0 >= number % bound else { throw Failure() }
          return number
        }.timeout(after: .milliseconds(number % 7 * 20), clock: clock)
      }
      let cancelled = operations.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
      let isOver = Box(false)
      let time = Task {
        while !isOver.value {
          clock.advance(by: .milliseconds(3))
          await Task.yield()
        }
      }
      await race(
        { for operation in operations { queue.enqueue(operation) } },
        { for operation in cancelled { operation.cancel() } })
      await queue.emptied()
      isOver.set(true)
      await time.value
      for (number, operation) in operations.enumerated() {
        switch operation.result {
        case .success(let value)?: #expect(value == number, comment)
        case .failure(let error)?:
          #expect(
            error is Failure || operation.hasTimedOut || error is CancellationError, comment)
          #expect(!(error is CancellationError) || operation.isCancelled, comment)
        case nil: Issue.record(comment)
        }
      }
      await until { clock.sleepers == 0 }
    }
  }

  @Test("Each result follows from the condition or from a cancel")
  func conditions() async {
    await batches { generator, comment in
      let queue = OperationQueue(width: 4)
      let operations = (0..<100).map { number in
        TaskOperation { number }.addCondition(
          OperationCondition("one of three fails") {
            await Task.yield()
            if number % 3 == 0 { throw Failure(number: number) }
          })
      }
      let cancelled = operations.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      await race(
        { for operation in operations { queue.enqueue(operation) } },
        { for operation in cancelled { operation.cancel() } })
      await queue.emptied()
      for (number, operation) in operations.enumerated() {
        #expect(followsFromItsCondition(operation, number), comment)
      }
    }
  }

  private func followsFromItsCondition(_ operation: TaskOperation<Int>, _ number: Int) -> Bool {
    switch operation.result {
    case .success(number)?: number % 3 != 0
    case .failure(let error)?:
      error as? Failure == Failure(number: number)
        ? number % 3 == 0 : error is CancellationError && operation.isCancelled
    default: false
    }
  }

  @Test("The check detects results that do not follow from the condition")
  func wrongConditions() {
    func operation(_ result: Result<Int, any Error>?) -> TaskOperation<Int> {
      let operation = TaskOperation { 1 }
      if let result { operation.finish(with: result) }
      return operation
    }
    #expect(followsFromItsCondition(operation(.success(1)), 1))
    #expect(!followsFromItsCondition(operation(nil), 1))
    #expect(!followsFromItsCondition(operation(.success(2)), 1))
    #expect(!followsFromItsCondition(operation(.success(3)), 3))
    #expect(!followsFromItsCondition(operation(.failure(Failure(number: 1))), 1))
    #expect(!followsFromItsCondition(operation(.failure(CancellationError())), 1))
  }

  @Test("The check detects results that do not follow from the required values")
  func wrongRequirements() {
    func ended(_ required: Required, _ result: Result<Int, any Error>) -> Required {
      required.operation.finish(with: result)
      return required
    }
    let one = ended(Required(number: 1, fails: false), .success(1))
    let failed = ended(Required(number: 2, fails: true), .failure(Failure(number: 2)))
    #expect(one.isRight && failed.isRight && !Required(number: 3, fails: false).isRight)
    #expect(ended(Required(one, one), .success(2)).isRight)
    #expect(!ended(Required(one, one), .success(3)).isRight)
    #expect(!ended(Required(one, failed), .success(1)).isRight)
    #expect(!ended(Required(one, failed), .failure(Failure(number: 3))).isRight)
    #expect(!ended(Required(one, one), .failure(CancellationError())).isRight)
  }

  @Test("Each result follows from the required values, a failure or a cancel")
  func requirements() async {
    await batches { generator, comment in
      let queue = OperationQueue(width: 4)
      var layers = [(0..<10).map { number in Required(number: number, fails: number == 3) }]
      for _ in 0..<4 {
        let below = layers[layers.count - 1]
        layers.append(
          (0..<10).map { _ in
            Required(
              below[Int.random(in: 0..<10, using: &generator)],
              below[Int.random(in: 0..<10, using: &generator)])
          })
      }
      let all = layers.flatMap { $0 }.shuffled(using: &generator)
      let cancelled = all.filter { _ in Int.random(in: 0..<10, using: &generator) == 0 }
      await race(
        { for one in all[..<25] { queue.enqueue(one.operation) } },
        { for one in all[25...] { queue.enqueue(one.operation) } },
        { for one in cancelled { one.operation.cancel() } })
      await queue.emptied()
      for one in all { #expect(one.isRight, comment) }
    }
  }

  @Test("Many retried, exclusive groups with a timeout survive interference at random steps")
  func interplay() async {
    await batches { generator, comment in
      let plans = (0..<8).map { _ -> (InterplayStep, Interference) in
        let step = InterplayStep.allCases.randomElement(using: &generator) ?? .inLine
        let interference = Interference.all(at: step).randomElement(using: &generator)
        return (step, interference ?? .cancel)
      }
      await withTaskGroup(of: Void.self) { group in
        for plan in plans {
          group.addTask { await Interplay(plan.0, plan.1).run("\(comment)") }
        }
      }
    }
  }
}

/// An operation of the requirement stress: it returns a number or the sum of two others.
private struct Required: Sendable {
  let operation: TaskOperation<Int>
  private let number: Int?
  private let parts: [TaskOperation<Int>]

  init(number: Int, fails: Bool) {
    operation = TaskOperation {
      await Task.yield()
      if fails { throw Failure(number: number) }
      return number
    }
    self.number = number
    parts = []
  }

  init(_ first: Required, _ second: Required) {
    operation = TaskOperation(requiring: first.operation, second.operation) { $0 + $1 }
    number = nil
    parts = [first.operation, second.operation]
  }

  /// Whether the result follows from the required operations and from its own cancel.
  var isRight: Bool {
    switch operation.result {
    case .success(let value)?:
      return value == number ?? parts.compactMap { try? $0.result?.get() }.reduce(0, +)
        && parts.allSatisfy { $0.error == nil }
    case .failure(let error)?:
      if error is CancellationError, operation.isCancelled { return true }
      let cause = parts.lazy.compactMap(\.error).first
      guard let failure = error as? Failure else { return cause is CancellationError }
      return parts.isEmpty ? failure.number == number : cause as? Failure == failure
    case nil:
      return false
    }
  }
}
