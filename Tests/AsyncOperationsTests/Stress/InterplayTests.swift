import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// The moments at which a test interferes with a retried, exclusive group with a timeout.
enum InterplayStep: Int, CaseIterable {
  case beforeEnqueue, afterEnqueue
  case inFirstChild, inFailingChild
  case inTheWait
  case inLine
  case inSecondChild, inLastChild
  case afterEnd
}

enum Interference: CaseIterable {
  case cancel, cancelTwice, cancelByProgress, timePasses, failure

  /// The kinds that have an effect at a step: some need a group or a waiting clock.
  static func all(at step: InterplayStep) -> [Interference] {
    switch step {
    case .beforeEnqueue: [.cancel, .cancelTwice]
    case .afterEnqueue, .inFirstChild, .inFailingChild, .inTheWait, .inLine, .inSecondChild,
      .inLastChild, .afterEnd:
      allCases
    }
  }
}

extension InterplayStep {
  /// Whether a group may be running.
  fileprivate var isInGroup: Bool {
    switch self {
    case .afterEnqueue, .inFirstChild, .inFailingChild, .inSecondChild, .inLastChild: true
    case .beforeEnqueue, .inTheWait, .inLine, .afterEnd: false
    }
  }
}

@Suite("A retried, exclusive group with a timeout", .timeLimit(.minutes(60)))
struct InterplayTests {
  @Test("After interference at any step the operation, its groups and their children finish")
  func everyStep() async {
    for round in 0..<StressLevel.current.compositionRounds {
      for step in InterplayStep.allCases {
        for interference in Interference.all(at: step) {
          await Interplay(step, interference).run("round \(round)")
        }
      }
    }
  }

  @Test("Without interference the first attempt fails and the second one succeeds")
  func leftAlone() async {
    let play = Interplay(nil, .cancel)
    await play.run("left alone")
    #expect(play.attempts.value == 2)
    #expect((try? play.operation?.result?.get()) == [1, 2, 3])
  }

  @Test("The check detects outcomes that do not follow from the interference")
  func wrongOutcomes() {
    let timedOut = OperationError(code: .timedOut, description: "")
    let wrong: [(InterplayStep?, Interference, Result<[Int], any Error>?, Bool)] = [
      (nil, .cancel, nil, false),
      (nil, .cancel, .success([1, 3, 2]), false),
      (.afterEnd, .failure, .failure(Failure(number: 99)), false),
      (.inLine, .cancel, .failure(CancellationError()), false),
      (.inLine, .cancelTwice, .success([1, 2, 3]), true),
      (.inLine, .cancelByProgress, .failure(timedOut), false),
      (.inLine, .timePasses, .failure(CancellationError()), false),
      (.inLine, .failure, .failure(Failure(number: 2)), false),
      (.inLine, .failure, .failure(Failure(number: 99)), true),
    ]
    for (step, interference, result, isCancelled) in wrong {
      let outcome = Interplay.Outcome(result: result, isCancelled: isCancelled)
      #expect(!outcome.follows(from: interference, at: step), "\(interference)")
    }
  }
}

/// One run of the composed operation, with one interference.
///
/// The first attempt fails in its second child. After a delay the second attempt waits in line
/// behind another operation, and succeeds unless something interferes.
final class Interplay: Sendable {
  private let step: InterplayStep?
  private let interference: Interference
  private let category = ExclusionCategory("\(UUID())")
  private let clock = ManualClock()
  private let queue = OperationQueue(width: 2)
  let attempts = Box()
  private let alone = Box()
  private let children = Box<[AsyncOperation]>([])
  private let groups = Box<[GroupOperation<Int>]>([])
  private let didInterfere = Box(false)
  private let otherEnds = Gate()
  private struct Subject {
    var operation: RetryOperation<[Int]>?
  }
  private let subject = Box(Subject())

  var operation: RetryOperation<[Int]>? { subject.value.operation }

  init(_ step: InterplayStep?, _ interference: Interference) {
    self.step = step
    self.interference = interference
  }

  func run(_ comment: String) async {
    let operation = RetryOperation(.constant(.seconds(1), limit: 1), clock: clock) {
      [self] attempt in
      try await self.attempt(attempt)
    }
    subject.set(Subject(operation: operation))
    operation.timeout(after: .seconds(1000), clock: clock)
    passed(.beforeEnqueue)
    queue.enqueue(operation)
    passed(.afterEnqueue)
    // Time passes only when all running work waits for it.
    let driver = Task { [self] in
      while operation.state != .finished {
        if clock.sleepers > 1, attempts.value == 1, groups.value.allSatisfy({ $0.isFinished }) {
          passed(.inTheWait)
          clock.advance(by: .seconds(1))
        }
        await Task.yield()
      }
    }
    await operation.ended()
    await driver.value
    passed(.afterEnd)
    for group in groups.value { await group.ended() }
    for child in children.value { await until { child.isFinished } }
    await queue.emptied()
    let outcome = operation.result.map { "\($0)" } ?? "no result"
    let context: Comment = "\(step.map { "\($0)" } ?? "-"), \(interference), \(comment): \(outcome)"
    #expect(didInterfere.value == (step != nil), context)
    #expect(operation.result != nil && attempts.value <= 2, context)
    #expect(groups.value.allSatisfy { $0.isFinished }, context)
    #expect(alone.value == 0, context)
    await until { clock.sleepers == 0 }
    // The next operation in the category has its turn.
    let next = TaskOperation { 5 }.exclusive(in: category)
    #expect((try? await queue.value(of: next)) == 5, context)
    let end = Outcome(result: operation.result, isCancelled: operation.isCancelled)
    #expect(end.follows(from: interference, at: step), context)
    // The operation's body captures `self`, which keeps the operation: break the cycle.
    if step != nil { subject.set(Subject()) }
    children.set([])
    groups.set([])
  }

  /// The outcome of the composed operation.
  struct Outcome {
    var result: Result<[Int], any Error>?
    var isCancelled: Bool

    /// Whether the outcome follows from an interference; a second attempt may still succeed.
    func follows(from interference: Interference, at step: InterplayStep?) -> Bool {
      switch (step, interference) {
      case (nil, _), (.afterEnd?, _): hasSucceeded
      case (.afterEnqueue?, .cancel), (.afterEnqueue?, .cancelTwice), (.inTheWait?, .cancel),
        (.inTheWait?, .cancelTwice):
        // The attempts continue until their task is cancelled, a moment later.
        isCancelled && (error == nil || error is CancellationError || error is Failure)
      case (_?, .cancel), (_?, .cancelTwice):
        isCancelled && (error is CancellationError || error is Failure)
      case (_?, .cancelByProgress): hasSucceeded || !isCancelled && error is CancellationError
      case (let step?, .timePasses):
        hasSucceeded
          || !isCancelled && (error as? OperationError)?.code == .timedOut
          // The last child ends as the limit cancels the group, and the group has its own error.
          || !isCancelled && error is CancellationError && step.isInGroup
      case (_?, .failure):
        hasSucceeded || !isCancelled && error as? Failure == Failure(number: 99)
      }
    }

    private var hasSucceeded: Bool { !isCancelled && (try? result?.get()) == [1, 2, 3] }

    private var error: (any Error)? {
      guard case .failure(let error) = result else { return nil }
      return error
    }
  }

  private func attempt(_ attempt: Int) async throws -> [Int] {
    attempts.add()
    if attempt == 1 {
      // Another operation is in the category already.
      let other = TaskOperation { [end = otherEnds] in await end.opened() }.exclusive(in: category)
      queue.enqueue(other)
    }
    let isFailing = Box(attempt == 0)
    let first = child(1, attempt == 0 ? .inFirstChild : .inSecondChild, fails: Box(false))
    let second = child(2, attempt == 0 ? .inFailingChild : nil, fails: isFailing)
    let third = child(3, attempt == 0 ? nil : .inLastChild, fails: Box(false))
    second.addDependency(first)
    third.addDependency(second)
    let group = GroupOperation<Int>(width: 2, [first, second, third])
    children.change { $0 += [first, second, third] }
    groups.append(group)
    group.exclusive(in: category).timeout(after: .seconds(100), clock: clock)
    group.addObserver(
      OperationObserver(
        started: { [alone] _ in #expect(alone.add() == 1) },
        // Its turn ends after this.
        willFinish: { [alone] in if $0.isExecuting { alone.add(-1) } }))
    if attempt == 1 {
      async let result = queue.value(of: group)
      if passed(.inLine) { await untilCancelled() }
      otherEnds.open()
      return try await result
    }
    return try await queue.value(of: group)
  }

  private func child(_ number: Int, _ step: InterplayStep?, fails: Box<Bool>) -> TaskOperation<Int>
  {
    TaskOperation { [self] in
      if let step, passed(step) { await untilCancelled() }
      await Task.yield()
      try Task.checkCancellation()
      if fails.value { throw Failure(number: number) }
      return number
    }
  }

  /// - Returns: Whether this call cancelled the operation.
  @discardableResult
  private func passed(_ step: InterplayStep) -> Bool {
    guard step == self.step else { return false }
    let isFirst = didInterfere.change { did in
      defer { did = true }
      return !did
    }
    guard isFirst else { return false }
    switch interference {
    case .cancel:
      operation?.cancel()
      return true
    case .cancelTwice:
      operation?.cancel()
      operation?.cancel()
      return true
    case .cancelByProgress:
      groups.value.last?.progress.cancel()
    case .timePasses:
      clock.advance(by: .seconds(100))
    case .failure:
      groups.value.last?.add(TaskOperation<Int> { throw Failure(number: 99) })
    }
    return false
  }
}
