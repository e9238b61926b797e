import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("The gate before the start", .timeLimit(.minutes(10)))
struct GateTests {
  private let queue = OperationQueue()
  private let category = ExclusionCategory("\(UUID())")

  // MARK: Dependencies first

  @Test(
    "Conditions and turns wait for all dependencies, own, plain and late",
    arguments: [
      [Kind.async, .async], [.block], [.block, .block], [.async, .block], [.task, .async],
    ])
  func allDependencies(kinds: [Kind]) async {
    let ends = kinds.map { _ in Gate() }
    let dependencies = zip(kinds, ends).map { kind, end in kind.make(Work(until: .open(end))) }
    let evaluations = Box()
    let operation = TaskOperation { 1 }.exclusive(in: category)
    operation.addCondition(OperationCondition("counts") { evaluations.add() })
    operation.addDependency(dependencies[0])
    queue.enqueue(dependencies)
    queue.enqueue(operation)
    // They are added to an operation that waits.
    for dependency in dependencies.dropFirst() { operation.addDependency(dependency) }
    for (index, end) in ends.enumerated() {
      // The conditions have had every opportunity to be evaluated.
      let other = TaskOperation { 0 }.addCondition(OperationCondition("holds") {})
      queue.enqueue(other)
      await other.ended()
      #expect(evaluations.value == 0 && operation.state == .pending)
      // Others get turns meanwhile.
      let exclusive = TaskOperation { 0 }.exclusive(in: category)
      OperationQueue().enqueue(exclusive)
      await exclusive.ended()
      end.open()
      await dependencies[index].finished()
    }
    await operation.ended()
    #expect(evaluations.value == 1)
  }

  @Test(
    "A cancelled gated operation leaves nothing on its dependency", arguments: [Kind.async, .block])
  func leavesNothing(kind: Kind) async {
    let gone = Box()
    let dependency = kind.make(Work(until: .open(Gate())))
    for _ in 0..<200 {
      let operation = TaskOperation { 1 }.exclusive(in: category)
      operation.addCondition(OperationCondition("holds") {})
      operation.addDependency(dependency)
      let released = Gate()
      operation.addObserver(
        OperationObserver(didFinish: { [token = Token(released)] _ in
          withExtendedLifetime(token) {}
        }))
      released.whenOpen { gone.add() }
      queue.enqueue(operation)
      operation.cancel()
      await operation.ended()
    }
    await until { gone.value == 200 }
  }

  // MARK: Barriers

  @Test(
    "No barrier comes between a turn that is given at once and the add to the queue",
    arguments: [false, true])
  func barrierDuringEnqueue(hasSecond: Bool) async {
    let queue = AsyncOperationQueue()
    let (first, second) = (ReadinessProbe(), QuickOperation())
    for operation in [first, second] { operation.exclusive(in: category) }
    let (added, isEarly) = (Gate(), Box(false))
    first.nextRead.set(
      ReadinessProbe.Read { [queue = ThreadSafe(queue)] in
        // It has its turn. Nothing starts from now on.
        queue.object.isSuspended = true
        Thread.detachNewThread {
          if hasSecond { queue.object.enqueue(second) }
          queue.object.addBarrierBlock {}
          added.open()
        }
        // The other thread waits for this add. Without that, it would be quick.
        for _ in 0..<10_000 where !added.isOpen { sched_yield() }
        isEarly.set(added.isOpen)
      })
    await onThread { [queue = ThreadSafe(queue)] in _ = queue.object.enqueue(first) }
    await added.opened()
    #expect(!isEarly.value)
    // Otherwise the barrier may wait for the turn of an operation behind it.
    if isEarly.value { second.cancel() }
    queue.isSuspended = false
    await first.finished()
    if hasSecond { await second.finished() }
  }

  // MARK: Suspended queues

  @Test("A suspended queue evaluates no condition, and its operations hold no turn")
  func suspended() async throws {
    let suspended = OperationQueue(width: 1)
    suspended.isSuspended = true
    let evaluations = Box()
    let operations = (0..<50).map { number in
      TaskOperation { number }.exclusive(in: category)
        .addCondition(OperationCondition("counts") { evaluations.add() })
    }
    for operation in operations { suspended.enqueue(operation) }
    #expect(try await queue.value(of: TaskOperation { 1 }.exclusive(in: category)) == 1)
    #expect(evaluations.value == 0)
    #expect(suspended.explain(operations[0]).contains("its queue must start operations"))
    suspended.isSuspended = false
    for operation in operations { await operation.ended() }
    #expect(evaluations.value == 50)
  }

  @Test("A cancelled operation releases its private operation and its conditions at once")
  func suspendedCancelled() async {
    let (suspended, isReleased) = (OperationQueue(), Gate())
    suspended.isSuspended = true
    let operations = (0..<10).map { [token = Token(isReleased)] _ in
      TaskOperation { 1 }.exclusive(in: category)
        .addCondition(OperationCondition("holds") { withExtendedLifetime(token) {} })
    }
    suspended.enqueue(operations)
    #expect(!isReleased.isOpen)
    for operation in operations { operation.cancel() }
    #expect(isReleased.isOpen && !TurnRegistry.hasLine(in: category))
    #expect(suspended.operations.count == 20 && suspended.operations.allSatisfy(\.isCancelled))
    suspended.isSuspended = false
    await suspended.drained()
    #expect(operations.allSatisfy { $0.isFinished })
  }

  @Test("An operation that is cancelled before it has a gate brings no private operation")
  func cancelledBefore() async {
    let suspended = OperationQueue()
    suspended.isSuspended = true
    let operation = TaskOperation { 1 }
    operation.cancel()
    operation.exclusive(in: category)
    suspended.enqueue(operation)
    #expect(suspended.operations == [operation] && !TurnRegistry.hasLine(in: category))
    suspended.isSuspended = false
    await operation.ended()
  }

  @Test("An app cannot add a private operation that it finds to another queue")
  func starterIsTaken() async throws {
    let suspended = OperationQueue()
    suspended.isSuspended = true
    let operation = TaskOperation { 1 }.exclusive(in: category)
    suspended.enqueue(operation)
    let own = try #require(suspended.operations.first { $0 !== operation })
    #expect(!queue.enqueue(own) && !own.isFinished)
    suspended.isSuspended = false
    #expect(try await operation.value == 1)
  }

  @Test("The private operation of one that the app starts by itself is cancelled")
  func startedByTheApp() async throws {
    let suspended = OperationQueue()
    suspended.isSuspended = true
    let operation = TaskOperation { 1 }.exclusive(in: category)
    suspended.enqueue(operation)
    let own = try #require(suspended.operations.first { $0 !== operation })
    operation.start()
    #expect(try await operation.value == 1 && own.isCancelled)
    suspended.isSuspended = false
    await suspended.drained()
  }

  @Test("A condition, a barrier and one category do not deadlock", arguments: [true, false])
  func barrier(isOwnQueue: Bool) async {
    let queue = isOwnQueue ? AsyncOperationQueue() : OperationQueue()
    let (holds, ran) = (Gate(), Gate())
    let before = TaskOperation { 1 }.exclusive(in: category)
    before.addCondition(OperationCondition("holds") { await holds.opened() })
    let after = TaskOperation { 2 }.exclusive(in: category)
    queue.enqueue(before)
    queue.addBarrierBlock { ran.open() }
    queue.enqueue(after)
    // It could have its turn at once, before the barrier lets it start.
    _ = await OperationQueue().enqueue { 0 }.ended()
    holds.open()
    await before.ended()
    await ran.opened()
    await after.ended()
    #expect(before.error == nil && after.error == nil)
  }

  @Test("A permit in a body before a barrier is not held up by an operation behind the barrier")
  func permitBeforeBarrier() async throws {
    let queue = AsyncOperationQueue()
    let (mayTake, began) = (Gate(), Gate())
    let category = category
    let before = TaskOperation {
      began.open()
      await mayTake.opened()
      return try await category.withPermit { 1 }
    }
    queue.enqueue(before)
    await began.opened()
    queue.addBarrierBlock {}
    let after = TaskOperation { 2 }.exclusive(in: category)
    queue.enqueue(after)
    mayTake.open()
    #expect(try await before.value == 1)
    #expect(try await after.value == 2)
  }

  // MARK: Task-local values

  private enum Local { @TaskLocal static var value = 0 }

  @Test("Neither bodies nor conditions inherit task-local values or priority of the caller")
  func taskLocals() async {
    let (seen, priorities) = (Log<Int>([]), Log<TaskPriority>([]))
    await Local.$value.withValue(7) {
      let operation = TaskOperation {
        seen.append(Local.value)
        priorities.append(Task.currentPriority)
      }
      operation.addCondition(
        OperationCondition("notes") {
          seen.append(Local.value)
          priorities.append(Task.currentPriority)
        })
      let byHand = TaskOperation { seen.append(Local.value) }
      await Task(priority: .background) {
        queue.enqueue(operation)
        byHand.start()
        _ = byHand.result
      }.value
      await until { operation.isFinished && byHand.isFinished }
    }
    #expect(seen.value == [0, 0, 0])
    #expect(priorities.value == [.medium, .medium])
  }
}
