import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

/// Calls a closure once, while its gate reads its dependencies.
private final class Probed: ResultOperation<Int>, @unchecked Sendable {
  // Sendable: it never changes.
  struct Probe: Sendable {
    var act: (@Sendable () -> Void)?
  }

  let probe = Box(Probe())

  override var dependencies: [Operation] {
    probe.exchanged(Probe()).act?()
    return super.dependencies
  }

  override func main() { finish(with: .success(1)) }
}

@Suite("Turns that suspended queues return", .timeLimit(.minutes(10)))
struct ReturnedTurnTests {
  @Test("A barrier behind an operation that has returned its turn deadlocks nothing")
  func barrier() async {
    let (category, queue, ran) = (ExclusionCategory("a"), AsyncOperationQueue(), Gate())
    let (holder, operation) = (Stubborn(), QuickOperation())
    OperationQueue().enqueue(holder.exclusive(in: category))
    await holder.began.opened()
    queue.enqueue(operation.exclusive(in: category))
    queue.addBarrierBlock { ran.open() }
    queue.isSuspended = true
    holder.finish()
    await until { !TurnRegistry.hasLine(in: category) }
    queue.isSuspended = false
    await operation.finished()
    await ran.opened()
  }

  @Test("Operations that have returned their turns get in line in their order", arguments: [0, 1])
  func order(kind: Int) async {
    let category = ExclusionCategory("\(UUID())")
    let queue = kind == 0 ? AsyncOperationQueue() : OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let (holder, order) = (Stubborn(), Log<Int>([]))
    OperationQueue().enqueue(holder.exclusive(in: category))
    await holder.began.opened()
    let operations = (0..<3).map { number in
      TaskOperation { order.append(number) }.exclusive(in: category)
    }
    for operation in operations { queue.enqueue(operation) }
    queue.isSuspended = true
    holder.finish()
    await until { !TurnRegistry.hasLine(in: category) }
    queue.isSuspended = false
    for operation in operations { await operation.finished() }
    #expect(order.value == [0, 1, 2])
  }

  @Test("The turns of a long line are returned without recursion")
  func longLine() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (category, queue, holder) = (ExclusionCategory("a"), AsyncOperationQueue(), Stubborn())
      OperationQueue().enqueue(holder.exclusive(in: category))
      await holder.began.opened()
      // The system's queue would go through all of them for each one.
      queue.beginHold()
      queue.enqueue((0..<20_000).map { _ in QuickOperation().exclusive(in: category) })
      queue.isSuspended = true
      holder.finish()
      await until { !TurnRegistry.hasLine(in: category) }
      queue.cancelAllOperations()
      queue.endHold()
      queue.isSuspended = false
      await queue.drained()
    }
  }

  @Test("A turn that is returned while the gate opens leaves no closed door behind")
  func whileItOpens() async throws {
    let (category, queue) = (ExclusionCategory("\(UUID())"), AsyncOperationQueue())
    let (holder, operation) = (Stubborn(), QuickOperation())
    OperationQueue().enqueue(holder.exclusive(in: category))
    await holder.began.opened()
    queue.enqueue(operation.exclusive(in: category))
    let gate = try #require(operation.gate)
    let suspended = ThreadSafe(queue)
    gate.contents.withLock { contents in
      let release = contents.release
      contents.release = {
        // The gate is passed, and the door closed.
        suspended.object.isSuspended = true
        release?()
      }
    }
    holder.finish()
    await until { !TurnRegistry.hasLine(in: category) }
    let waits = operation.dependenciesInSystem.filter { !$0.isFinished }
    #expect(waits.count == 1 && operation.state == .pending)
    queue.isSuspended = false
    await until { !TurnRegistry.hasLine(in: category) }
    let isReady = operation.isReady || operation.isFinished
    #expect(isReady)
    // Otherwise it would wait for good.
    if !isReady { operation.cancel() }
    await operation.finished()
  }

  @Test("A turn goes back that comes, while the queue is suspended, before it has the operation")
  func suspendedInBetween() async {
    let category = ExclusionCategory("\(UUID())")
    let (queue, first, other) = (AsyncOperationQueue(), QuickOperation(), QuickOperation())
    let second = Probed()
    let suspended = ThreadSafe(queue)
    second.probe.set(
      Probed.Probe {
        // The first one has its turn, and is not in the queue.
        OperationQueue().enqueue(other.exclusive(in: category))
        suspended.object.isSuspended = true
      })
    queue.enqueue([
      first.exclusive(in: category), second.exclusive(in: ExclusionCategory("\(UUID())")),
    ])
    let isOthersTurn = other.gate?.isHeld == true || other.hasBegun
    #expect(isOthersTurn)
    queue.isSuspended = false
    for operation in [first, other, second] { await operation.finished() }
  }

  @Test("A resume during the return of a turn puts the operation in line once")
  func resumedInBetween() async {
    let category = ExclusionCategory("\(UUID())")
    let (queue, holder, operation) = (AsyncOperationQueue(), Stubborn(), QuickOperation())
    queue.maxConcurrentOperationCount = 1
    queue.enqueue(holder)
    await holder.began.opened()
    queue.enqueue(operation.exclusive(in: category))
    Unnested.beforeTurns {
      queue.isSuspended = true
      queue.isSuspended = false
      #expect(TurnRegistry.count(in: category) == 1)
    }
    #expect(TurnRegistry.count(in: category) == 1 && operation.gate?.isHeld == true)
    holder.finish()
    await operation.finished()
  }

  @Test("An operation that is started while it gets in line counts as begun")
  func startedMeanwhile() async throws {
    let (category, queue, lane) = (
      ExclusionCategory("\(UUID())"), AsyncOperationQueue(), DispatchQueue(label: "lane")
    )
    queue.underlyingQueue = lane
    queue.maxConcurrentOperationCount = 1
    let (mayStart, isStarted, isInLine) = (Gate(), Gate(), Gate())
    lane.async { mayStart.wait() }
    let (operation, other) = (Probed(), QuickOperation())
    queue.enqueue(operation.exclusive(in: category))
    let gate = try #require(operation.gate)
    // It returns its turn, but the system is about to start it.
    queue.isSuspended = true
    let resumed = ThreadSafe(queue)
    operation.probe.set(
      Probed.Probe {
        // The other one has the turn, and waits for the slot.
        resumed.object.enqueue(other.exclusive(in: category))
        // On a plain thread, as all lines stand still.
        Thread.detachNewThread {
          TurnRegistry.guarded.withLock { _ in
            isInLine.open()
            while !gate.contents.withLock({ $0.machine.isInLine }) { sched_yield() }
            for _ in 0..<1_000 { sched_yield() }
            mayStart.open()
            lane.async { isStarted.open() }
            isStarted.wait()
          }
        }
        isInLine.wait()
      })
    await onThread { resumed.object.isSuspended = false }
    #expect(operation.isFinished)
    // Otherwise both would wait for good.
    if !operation.isFinished { other.cancel() }
    await operation.finished()
    await other.finished()
  }

  @Test("A member knows its ticket before its turn can come")
  func ticket() async {
    final class Member: TurnMember {
      let ticket = Box<TurnTicket?>(nil)
      let turns = Log<TurnTicket?>([])
      var operation: AsyncOperation? { nil }
      var waitNode: (any WaitNode)? { nil }
      var holderName: String? { nil }
      func turnCame() { turns.append(ticket.value) }
      func giveTurn(hasBegun: Bool) {}
    }
    let (category, member, left) = (ExclusionCategory("\(UUID())"), Member(), Gate())
    let ahead = TurnRegistry.join(Member(), [category]) { _ in }
    let own = TurnRegistry.join(member, [category]) { ticket in
      Thread.detachNewThread {
        TurnRegistry.leave(ahead.ticket)
        left.open()
      }
      // The other thread waits for this step. Without that, it would be quick.
      for _ in 0..<10_000 where !left.isOpen { sched_yield() }
      member.ticket.set(ticket)
    }
    await left.opened()
    #expect(member.turns.value == [own.ticket])
    TurnRegistry.leave(own.ticket)
  }

  @Test("After a cancel of its private operation, an operation still waits for its dependencies")
  func starterCancelled() async throws {
    let (queue, dependency, evaluations) = (OperationQueue(), Stubborn(), Box())
    let operation = TaskOperation { 1 }
      .addCondition(OperationCondition("counts") { evaluations.add() })
    operation.addDependency(dependency)
    queue.enqueue([dependency, operation])
    await dependency.began.opened()
    let starter = try #require(queue.operations.first { $0 !== operation && $0 !== dependency })
    starter.cancel()
    await (starter as? AsyncOperation)?.finished()
    let isWaiting = operation.gate?.contents.withLock { $0.machine.isInQueue }
    #expect(isWaiting == true && evaluations.value == 0)
    dependency.finish()
    #expect(try await operation.value == 1)
    #expect(evaluations.value == 1)
  }
}
