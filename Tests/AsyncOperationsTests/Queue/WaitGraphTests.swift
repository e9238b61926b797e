import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Circles of waits are reported", .timeLimit(.minutes(10)))
struct WaitGraphTests {
  private let queue = OperationQueue()

  private func named(_ name: String) -> QuickOperation {
    let operation = QuickOperation()
    operation.name = name
    return operation
  }

  @Test("The dependency that closes a circle reports it, once, before or after the enqueue")
  func dependencies() async {
    for isEnqueued in [false, true] {
      let operations = ["A", "B", "C"].map { named($0) }
      let misuses = operations.map { Misuses(of: $0) }
      queue.isSuspended = true
      if isEnqueued { queue.enqueue(operations) }
      operations[0].addDependency(operations[1])
      operations[1].addDependency(operations[2])
      #expect(misuses.allSatisfy { $0.codesOnAnyMachine == [] })
      operations[2].addDependency(operations[0])
      if !isEnqueued { queue.enqueue(operations) }
      #expect(misuses.map(\.codesOnAnyMachine) == [[], [], [.circularWait]])
      let description = misuses[2].descriptions.first ?? ""
      #expect(description.hasPrefix("C: It waits for itself"))
      #expect(description.contains(": C, A, B, C."))
      for operation in operations { operation.cancel() }
      queue.isSuspended = false
      await queue.drained()
    }
  }

  @Test("Chains, diamonds and cancelled circles are no circles, in any order of enqueueing")
  func noCircles() async {
    let chain = (0..<2_000).map { _ in QuickOperation() }
    for (operation, next) in zip(chain, chain.dropFirst()) { next.addDependency(operation) }
    let misuses = chain.map { Misuses(of: $0) }
    let queue = AsyncOperationQueue()
    queue.isSuspended = true
    for operation in chain.reversed() { queue.enqueue(operation) }
    #expect(misuses.allSatisfy { $0.codesOnAnyMachine == [] })
    let (first, second) = (named("A"), named("B"))
    first.addDependency(second)
    second.addDependency(first)
    let others = [Misuses(of: first), Misuses(of: second)]
    first.cancel()
    queue.enqueue([first, second])
    #expect(others.allSatisfy { $0.codesOnAnyMachine == [] })
    queue.cancelAllOperations()
    queue.isSuspended = false
    await queue.drained()
  }

  @Test("A circle that an enqueue closes is reported when other threads may add to the queue again")
  func reportedAfterAdd() async {
    let (queue, category) = (AsyncOperationQueue(), ExclusionCategory("uploads"))
    let awaited = TaskOperation { 1 }.exclusive(in: category)
    let holder = TaskOperation { _ = try? await awaited.value }.exclusive(in: category)
    let (isAdded, shared) = (Box(false), ThreadSafe(queue))
    let misuses = [awaited, holder].map { operation in
      Misuses(of: operation) { misuse in
        guard misuse.code == .circularWait else { return }
        let added = Gate()
        Thread.detachNewThread {
          shared.object.addBarrierBlock {}
          added.open()
        }
        added.wait()
        isAdded.set(shared.object.operations.contains { $0 === awaited })
      }
    }
    queue.enqueue(holder)
    await until { awaited.guarded.withLock { $0.hasDependents } }
    await onThread { _ = shared.object.enqueue(awaited) }
    #expect(isAdded.value && misuses.flatMap(\.codesOnAnyMachine) == [.circularWait])
    awaited.cancel()
    await holder.ended()
  }

  @Test("A search reads at most 1,000 operations")
  func limit() {
    let chain = (0...WaitGraph.stepLimit).map { _ in QuickOperation() }
    for (operation, next) in zip(chain, chain.dropFirst()) { operation.addDependency(next) }
    chain[WaitGraph.stepLimit].addDependency(chain[0])
    #expect(WaitGraph.circle(from: chain[0], onlyThrough: false) == nil)
    let short = (0..<WaitGraph.stepLimit).map { _ in QuickOperation() }
    for (operation, next) in zip(short, short.dropFirst()) { operation.addDependency(next) }
    short[WaitGraph.stepLimit - 1].addDependency(short[0])
    let circle = WaitGraph.circle(from: short[0], onlyThrough: true)
    #expect(circle?.count == WaitGraph.stepLimit + 1)
    // Their dependencies would keep them.
    chain[0].removeDependency(chain[1])
    short[0].removeDependency(short[1])
  }

  @Test("A body that awaits an operation behind its own turn is reported")
  func turn() async {
    let category = ExclusionCategory("turn")
    let (wanted, began) = (TaskOperation(name: "wanted") {}.exclusive(in: category), Gate())
    let holder = TaskOperation(name: "holder") {
      began.open()
      try await wanted.value
    }.exclusive(in: category)
    let misuses = [Misuses(of: holder), Misuses(of: wanted)]
    queue.enqueue(holder)
    await began.opened()
    queue.enqueue(wanted)
    // The second of them to wait finds the circle.
    await until { misuses.contains { !$0.codes.isEmpty } }
    #expect(misuses.flatMap(\.codes) == [.circularWait])
    #expect(queue.explain(holder).contains("it waits in a circle: holder, wanted, holder"))
    wanted.cancel()
    await holder.ended()
  }

  @Test("A circle that closes when an operation gets in line after its dependency is reported")
  func lateInLine() async {
    let (category, dependency) = (ExclusionCategory("late in line"), Stubborn())
    let wanted = TaskOperation(name: "wanted") {}.exclusive(in: category)
    wanted.addDependency(dependency)
    let holder = TaskOperation(name: "holder") { try await wanted.value }.exclusive(in: category)
    let misuses = [Misuses(of: holder), Misuses(of: wanted)]
    queue.enqueue([dependency, holder])
    await dependency.began.opened()
    await until { holder.guarded.withLock { !$0.waits.all.isEmpty } }
    queue.enqueue(wanted)
    #expect(misuses.flatMap(\.codesOnAnyMachine) == [])
    dependency.finish()
    await until { misuses.flatMap(\.codesOnAnyMachine) == [.circularWait] }
    wanted.cancel()
    await holder.ended()
  }

  @Test("A task with a permit that awaits an operation behind it is reported")
  func awaitedInPermit() async {
    let (category, queue) = (ExclusionCategory("permit"), queue)
    let wanted = TaskOperation(name: "wanted") {}.exclusive(in: category)
    let misuses = Misuses(of: wanted)
    let task = Task {
      try await category.withPermit {
        queue.enqueue(wanted)
        try await wanted.value
      }
    }
    await until { !misuses.codes.isEmpty }
    #expect(misuses.codes == [.circularWait])
    wanted.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A permit in the body of an operation of the line that waits for it is reported")
  func permit() async throws {
    let (first, second) = (ExclusionCategory("first"), ExclusionCategory("second"))
    let (hasFirst, hasSecond) = (Gate(), Gate())
    let one = TaskOperation(name: "one") {
      hasFirst.open()
      await hasSecond.opened()
      try await second.withPermit {}
    }.exclusive(in: first)
    let two = TaskOperation(name: "two") {
      hasSecond.open()
      await hasFirst.opened()
      try await first.withPermit {}
    }.exclusive(in: second)
    let misuses = [Misuses(of: one), Misuses(of: two)]
    queue.enqueue([one, two])
    await until { misuses.contains { !$0.codes.isEmpty } }
    #expect(misuses.flatMap(\.codes) == [.circularWait])
    one.cancel()
    await one.ended()
    await two.ended()
    #expect(two.error == nil)
  }

  @Test("A turn without a slot is reported when the slot's holder wants the turn")
  func slot() async {
    let category = ExclusionCategory("slot")
    let (narrow, mayWait, began) = (OperationQueue(width: 1), Gate(), Gate())
    let holder = TaskOperation(name: "holder") {
      began.open()
      await mayWait.opened()
      try await category.withPermit {}
    }
    let misuses = Misuses(of: holder)
    narrow.enqueue(holder)
    await began.opened()
    let waiting = TaskOperation(name: "waiting") {}.exclusive(in: category)
    narrow.enqueue(waiting)
    mayWait.open()
    await until { !misuses.codes.isEmpty }
    #expect(misuses.codes == [.circularWait])
    waiting.cancel()
    await holder.ended()
    #expect(holder.error == nil)
  }

  @Test(
    "A child that waits for its group is reported, also when a group that executes gets it",
    arguments: [false, true])
  func group(isLate: Bool) async {
    let (child, after) = (named("child"), named("after"))
    let group = GroupOperation<Int>(isLate ? [Sleeper()] : [child])
    after.addDependency(group)
    let misuses = [child, group, after].map { Misuses(of: $0) }
    child.addDependency(after)
    queue.isSuspended = !isLate
    queue.enqueue([group, after])
    if isLate {
      await until { group.isExecuting }
      #expect(misuses.flatMap(\.codesOnAnyMachine) == [])
      group.add(child)
    }
    #expect(misuses.flatMap(\.codesOnAnyMachine) == [.circularWait])
    queue.isSuspended = false
    group.cancel()
    await group.ended()
    await after.finished()
  }

  @Test("A child that needs the turn of its group is reported, also in a group inside it")
  func childBehindItsGroup() async {
    for isInner in [false, true] {
      let category = ExclusionCategory("group's turn")
      let child = TaskOperation(name: "child") { 1 }.exclusive(in: category)
      let children: [Operation] = isInner ? [GroupOperation<Int>([child])] : [child]
      let group = GroupOperation<Int>(children).exclusive(in: category)
      group.name = "group"
      let misuses = [Misuses(of: child), Misuses(of: group)]
      queue.enqueue(group)
      await until { misuses.contains { !$0.codes.isEmpty } }
      #expect(misuses.flatMap(\.codes) == [.circularWait])
      group.cancel()
      await group.ended()
    }
  }

  @Test("The last dependency of a circle reports it, in every order")
  func orders() {
    // A circle of three, with a tail to it and a tail from it.
    let dependencies = [(0, 1), (1, 2), (2, 0), (3, 0), (1, 4)]
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let operations = (0..<5).map { named("\($0)") }
      let misuses = operations.map { Misuses(of: $0) }
      var added: Set<Int> = []
      for index in dependencies.indices.shuffled(using: &generator) {
        let (operation, next) = dependencies[index]
        operations[operation].addDependency(operations[next])
        added.insert(index)
        let isClosed = added.isSuperset(of: [0, 1, 2])
        #expect(misuses.flatMap(\.codes) == (isClosed ? [.circularWait] : []))
      }
      // Their dependencies would keep them.
      for operation in operations { operation.cancel() }
      for operation in operations { operation.start() }
    }
  }
}
