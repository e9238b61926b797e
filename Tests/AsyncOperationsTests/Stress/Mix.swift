import Foundation

@testable import AsyncOperations
@testable import TestSupport

/// Random operations in random queues, and threads that interfere with them.
///
/// No body waits for another operation. Either operations of queues are exclusive, or the children
/// of groups without groups inside. So no mix waits for itself.
final class Mix {
  private enum ExclusiveOnes {
    case ofQueues, ofGroups
  }

  let witness = MixWitness()
  private var generator: SeededGenerator
  private let exclusiveOnes: ExclusiveOnes
  private let categories: [ExclusionCategory]
  private let queues: [OperationQueue]
  /// Those that queues get.
  private var operations: [AsyncOperation] = []
  /// All of them, children included.
  private var all: [AsyncOperation] = []
  /// Children that a child adds, if it runs.
  private var lateChildren: [AsyncOperation] = []
  private var removals: [@Sendable () -> Void] = []

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    exclusiveOnes = Bool.random(using: &generator) ? .ofQueues : .ofGroups
    categories = (0..<2).map { _ in
      // The description of a reported duplicate: two live ones of one line need two names.
      ExclusionCategory("\(UUID())", limit: .random(in: 1...2, using: &generator))
    }
    queues = (0..<3).map { _ in
      let queue = Bool.random(using: &generator) ? AsyncOperationQueue() : OperationQueue()
      queue.maxConcurrentOperationCount = [1, 2, 4, -1].randomElement(using: &generator) ?? 1
      return queue
    }
    self.generator = generator
  }

  private func chance(_ oneOf: Int) -> Bool { Int.random(in: 0..<oneOf, using: &generator) == 0 }

  /// What keeps those that have not ended, in words.
  private var explanation: @Sendable () -> String {
    let queues = queues.map { ThreadSafe($0) }
    return { [all, categories] in
      let unfinished = all.filter { !$0.isFinished }
      let lines = unfinished.map { operation in
        let explanations = queues.map { $0.object.explain(operation) }
        return explanations.first { !$0.contains("another queue") } ?? explanations[0]
      }
      let lost = categories.filter { TurnRegistry.hasLine(in: $0) }
        .map { "\(TurnRegistry.count(in: $0)) are in line for \($0.name)" }
      return (lines + lost).joined(separator: "\n")
    }
  }

  /// Runs the mix to its end.
  ///
  /// - Parameter explains: Gets a closure that explains a mix that hangs.
  /// - Returns: A closure that returns whether all operations are released.
  func run(_ explains: Box<@Sendable () -> String>) async -> () -> Bool {
    for _ in 0..<Int.random(in: 3...8, using: &generator) {
      operations.append(operation(isExclusive: exclusiveOnes == .ofQueues, depth: 0))
      addDependencies(among: operations)
    }
    for (index, operation) in all.enumerated() {
      operation.name = "\(type(of: operation)) \(index)"
    }
    explains.set(explanation)
    if chance(3) { queues[0].isSuspended = true }
    let permits = permitTasks()
    await race(
      [enqueues(0), enqueues(1), interference(), interference()]
        + [{ [removals] in for remove in removals { remove() } }])
    for queue in queues { queue.isSuspended = false }
    for operation in operations { await ended(operation) }
    for operation in all { await ended(operation) }
    for permit in permits { await permit.value }
    await until { [categories] in categories.allSatisfy { !TurnRegistry.hasLine(in: $0) } }
    explains.set { "not released" }
    let weak = (all + lateChildren).map { WeakOperation(operation: $0) }
    return { weak.allSatisfy { $0.operation == nil } }
  }

  private func ended(_ operation: AsyncOperation) async {
    await withCheckedContinuation { continuation in
      if !operation.watchEnd({ continuation.resume() }) { continuation.resume() }
    }
  }

  // MARK: Operations

  private func operation(isExclusive: Bool, depth: Int) -> AsyncOperation {
    let holder = isExclusive ? holder() : nil
    let operation =
      depth < 3 && chance(depth + 3)
      ? group(holder, depth: depth) : leaf(holder)
    holder?.categories.forEach { operation.exclusive(in: $0) }
    all.append(operation)
    return operation
  }

  private func holder() -> MixWitness.Holder? {
    let chosen = categories.filter { _ in chance(2) }
    return chosen.isEmpty ? nil : MixWitness.Holder(chosen)
  }

  private func group(_ holder: MixWitness.Holder?, depth: Int) -> AsyncOperation {
    let group = GroupOperation<Int>(
      width: .random(in: 0...3, using: &generator), failures: chance(2) ? .first : .all)
    let hasGroups = chance(2)
    var children: [AsyncOperation] = []
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let isExclusive = exclusiveOnes == .ofGroups && !hasGroups && holder == nil
      if isExclusive || holder == nil && chance(2) {
        children.append(operation(isExclusive: isExclusive, depth: hasGroups ? depth + 1 : 3))
      } else {
        children.append(leaf(holder))
        all.append(children[children.count - 1])
      }
      addDependencies(among: children)
      group.add(children[children.count - 1])
    }
    if chance(3) {
      let late = leaf(holder)
      lateChildren.append(late)
      group.add(TaskOperation { [weak group] in group?.add(late) == true ? 1 : 0 })
    }
    if chance(4) { group.add(block(holder)) }
    group.addObserver(
      OperationObserver(didFinish: { [witness, weak group, children] _ in
        guard case .success? = group?.result, !children.allSatisfy(\.isFinished) else { return }
        witness.violated("a group succeeded before its children had finished")
      }))
    limit(group)
    return group
  }

  private func block(_ holder: MixWitness.Holder?) -> BlockOperation {
    BlockOperation { [witness] in
      witness.enter(holder)
      sched_yield()
      witness.leave(holder)
    }
  }

  private func leaf(_ holder: MixWitness.Holder?) -> AsyncOperation {
    let body = MixBody(
      witness, holder, yields: .random(in: 0...3, using: &generator), fails: chance(6),
      isStubborn: chance(3))
    switch Int.random(in: 0..<4, using: &generator) {
    case 0:
      let operation = MixCallback(body, isSynchronous: chance(2))
      limit(operation)
      return operation
    case 1:
      let strategy: RetryStrategy =
        chance(2) ? .immediate(limit: 3) : .exponential(from: .microseconds(100), limit: 3)
      let operation = RetryOperation<Int>(strategy) { try await body.attempt($0) }
      limit(operation)
      body.operation.set(WeakOperation(operation: operation))
      return operation
    default:
      let operation = TaskOperation { try await body.run() }
      limit(operation)
      return operation
    }
  }

  /// Gives it a time limit and a condition, perhaps.
  private func limit<Value>(_ operation: ResultOperation<Value>) {
    if chance(4) {
      let time = Duration.microseconds(Int.random(in: 0...2_000, using: &generator))
      operation.timeout(after: chance(3) ? .seconds(600) : time)
    }
    guard chance(3) else { return }
    let fails = chance(5)
    operation.addCondition(
      OperationCondition("holds") { [witness, weak operation] in
        if let operation, !operation.dependencies.allSatisfy(\.isFinished), !operation.isToStop {
          witness.violated("a condition was evaluated before the dependencies had finished")
        }
        await Task.yield()
        if fails { throw Failure() }
      })
  }

  /// Lets the last one depend on earlier ones.
  private func addDependencies(among operations: [AsyncOperation]) {
    guard let last = operations.last else { return }
    for dependency in operations.dropLast() where chance(5) {
      last.addDependency(dependency)
      if chance(3) { removals.append { last.removeDependency(dependency) } }
    }
  }

  // MARK: Threads

  private func enqueues(_ half: Int) -> @Sendable () -> Void {
    let mine = operations.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    let pairs = mine.shuffled(using: &generator).map { operation in
      (operation, queues[Int.random(in: 0..<queues.count, using: &generator)])
    }
    return { for (operation, queue) in pairs { queue.enqueue(operation) } }
  }

  private func permitTasks() -> [Task<Void, Never>] {
    (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
      guard let holder = holder() else { return nil }
      let isCancelled = chance(3)
      let task = Task { [witness] in
        let body = MixBody(witness, holder, yields: 1, fails: false, isStubborn: true)
        if holder.categories.count == 1 {
          _ = try? await holder.categories[0].withPermit { try await body.run() }
        } else {
          _ = try? await ExclusionCategory.withPermit(
            in: holder.categories[0], holder.categories[1]
          ) {
            try await body.run()
          }
        }
      }
      if isCancelled { task.cancel() }
      return task
    }
  }

  private func interference() -> @Sendable () -> Void {
    var steps: [@Sendable () -> Void] = []
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let operation = all[Int.random(in: 0..<all.count, using: &generator)]
      let queue = queues[Int.random(in: 0..<queues.count, using: &generator)]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0, 1:
        steps.append { [witness] in
          operation.cancel()
          witness.cancelled(operation)
        }
      case 2: steps.append { operation.endEarly() }
      case 3: steps.append { queue.isSuspended.toggle() }
      case 4:
        let width = Int.random(in: 1...4, using: &generator)
        steps.append { queue.maxConcurrentOperationCount = width }
      default: steps.append { sched_yield() }
      }
    }
    return { [steps] in for step in steps { step() } }
  }
}

extension AsyncOperation {
  fileprivate func endEarly() {
    if let own = self as? ResultOperation<Int> {
      own.finishIfUndecided(with: .success(1))
    } else if let group = self as? GroupOperation<Int> {
      group.finishIfUndecided(with: .failure(Failure()))
    }
  }
}
