import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// The plan for one operation in a round, which the seed decides.
struct StressPlan {
  enum Moment: CaseIterable { case never, early, whileAdding, later }

  var cancel: Moment
  var isFinishedFromOutside: Bool
  var dependsOnPrevious: Bool
  var priority: Operation.QueuePriority
  /// The number of state reads before a late cancel.
  var delay: Int

  init(using generator: inout SeededGenerator, finishesFromOutside: Bool) {
    cancel = Moment.allCases.randomElement(using: &generator) ?? .never
    isFinishedFromOutside = finishesFromOutside && Bool.random(using: &generator)
    dependsOnPrevious = Int.random(in: 0..<4, using: &generator) == 0
    let priorities: [Operation.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
    priority = priorities.randomElement(using: &generator) ?? .normal
    delay = Int.random(in: 0..<20, using: &generator)
  }
}

/// One batch of operations of a kind: made, attacked and checked at the end.
struct StressRound {
  let kind: Kind
  let plans: [StressPlan]
  private(set) var subjects: [(operation: Operation, witness: Witness)] = []
  let running = Box()
  let mostRunning = Box()
  /// The number of captured objects that are still alive.
  private let captured = Box()

  init(kind: Kind, count: Int, finishesFromOutside: Bool, using generator: inout SeededGenerator) {
    self.kind = kind
    plans = (0..<count).map { _ in
      StressPlan(using: &generator, finishesFromOutside: finishesFromOutside)
    }
    for plan in plans { subjects.append(make(plan)) }
    for index in plans.indices.dropFirst() where plans[index].dependsOnPrevious {
      subjects[index].operation.addDependency(subjects[index - 1].operation)
    }
  }

  private func make(_ plan: StressPlan) -> (operation: Operation, witness: Witness) {
    let witness = Witness(wasCancelledEarly: plan.cancel == .early)
    let token = Captured(captured)
    let operation = kind.make(work(witness, token))
    operation.queuePriority = plan.priority
    witness.watch(operation, keeping: token)
    return (operation, witness)
  }

  private func work(_ witness: Witness, _ token: Captured) -> Work {
    let running = running
    let mostRunning = mostRunning
    return Work(
      end: {
        witness.count(\.ends)
        running.add(-1)
      }
    ) { _ in
      witness.count(\.bodies)
      let count = running.add()
      mostRunning.change { $0 = max($0, count) }
      withExtendedLifetime(token) {}
    }
  }

  // MARK: Attacking

  func cancel(_ moment: StressPlan.Moment) {
    for (plan, subject) in zip(plans, subjects) where plan.cancel == moment {
      if moment == .later { for _ in 0..<plan.delay { _ = subject.operation.isExecuting } }
      subject.operation.cancel()
    }
  }

  func finishFromOutside() {
    for (plan, subject) in zip(plans, subjects) where plan.isFinishedFromOutside {
      finish(subject)
    }
  }

  func finish(_ subject: (operation: Operation, witness: Witness)) {
    guard let operation = subject.operation as? AsyncOperation else { return }
    if operation.finish() { subject.witness.count(\.decisions) }
  }

  // MARK: Checking

  /// Waits until all completion blocks have run, and returns the violations.
  func violations() async -> [String] {
    for subject in subjects { await until { subject.witness.isComplete } }
    return subjects.flatMap { $0.witness.violations(of: $0.operation) }
  }

  /// Releases all operations and waits until they and their completion blocks are gone.
  ///
  /// - Returns: The violations that came after all seemed to be over.
  mutating func release() async -> [String] {
    let witnesses = subjects.map(\.witness)
    subjects = []
    await until { captured.value == 0 }
    return witnesses.flatMap(\.lateViolations)
  }

  private final class Captured: Sendable {
    private let count: Box<Int>

    init(_ count: Box<Int>) {
      self.count = count
      count.add()
    }

    deinit { count.add(-1) }
  }
}

/// Runs rounds of a scenario at the level of the environment.
///
/// Each batch of at most 500 operations has a seed of its own, which a failure prints.
func stress(
  _ name: String, finishesFromOutside: Bool = false, kind: Kind,
  attack: (StressRound) async -> [String]
) async {
  let level = StressLevel.current
  var seeds = SeededGenerator(seed: StressLevel.seed)
  for _ in 0..<level.rounds {
    var left = level.operationsPerRound
    while left > 0 {
      let seed = seeds.next()
      var generator = SeededGenerator(seed: seed)
      let count = min(left, 500)
      left -= count
      var round = StressRound(
        kind: kind, count: count, finishesFromOutside: finishesFromOutside, using: &generator)
      round.cancel(.early)
      let violations = await attack(round) + round.violations()
      let late = await round.release()
      #expect(
        Set(violations + late).isEmpty,
        "\(name), STRESS=\(level.rawValue) STRESS_SEED=\(StressLevel.seed), batch \(seed)")
    }
  }
}
