import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

@Suite("Cancelling tasks off the calling thread", .timeLimit(.minutes(10)))
struct TaskCancellerTests {
  // MARK: The plan

  @Test("One lane makes the calls in order and ends when no call is left")
  func order() {
    var plan = CancelPlan()
    let tasks = (0..<5).map { _ in Task {} }
    #expect(plan.cancelRequested(call(tasks[0])) == .init(run: 0, startsWatch: true))
    for task in tasks[1...] { #expect(plan.cancelRequested(call(task)) == .init()) }
    for task in tasks { #expect(plan.next(on: 0, at: 0)?.task == task) }
    #expect(plan.next(on: 0, at: 0) == nil)
    #expect(plan.cancelRequested(call(tasks[0])) == .init(run: 0))
  }

  @Test("A lane is abandoned when a call takes a second; the next lane takes the other calls")
  func abandoned() throws {
    var plan = CancelPlan()
    let (blocked, next) = (Task {}, Task {})
    _ = plan.cancelRequested(call(blocked))
    _ = plan.cancelRequested(call(next))
    #expect(plan.next(on: 0, at: 100)?.task == blocked)
    guard case .lookAgain(let delay) = plan.looked(at: 400) else {
      Issue.record("The call has not taken a second.")
      return
    }
    #expect(delay == CancelPlan.patience - 300)
    guard case .replace(lane: 1, let found) = plan.looked(at: 100 + CancelPlan.patience) else {
      Issue.record("The call has taken a second.")
      return
    }
    #expect(found.task == blocked)
    #expect(plan.next(on: 1, at: 0)?.task == next)
    #expect(plan.next(on: 0, at: 0) == nil)
    // The abandoned lane has not ended the one that works.
    #expect(plan.cancelRequested(call(blocked)) == .init())
    #expect(plan.next(on: 1, at: 0)?.task == blocked)
  }

  @Test("The watch ends when no call is left and starts again with the next call")
  func watch() {
    var plan = CancelPlan()
    _ = plan.cancelRequested(call(Task {}))
    _ = plan.next(on: 0, at: 0)
    _ = plan.next(on: 0, at: 0)
    guard case .stop = plan.looked(at: .max) else {
      Issue.record("Nothing is left.")
      return
    }
    #expect(plan.cancelRequested(call(Task {})) == .init(run: 0, startsWatch: true))
  }

  private func call(_ task: Task<Void, Never>) -> CancelPlan.Call {
    CancelPlan.Call(task: task, operation: nil)
  }

  // MARK: With queues that a test moves

  @Test("A blocking handler delays other cancels for at most a second of the given clock")
  func blocked() async {
    let world = World()
    let canceller = TaskCanceller(world.surroundings)
    let (mayReturn, isBlocked, others) = (Gate(), Gate(), Gate())
    let began = Gate()
    let hostile = task(began) {
      isBlocked.open()
      mayReturn.wait()
    }
    await began.opened()
    canceller.cancel(hostile, of: nil)
    await isBlocked.opened()
    canceller.cancel(task(Gate(), others.open), of: nil)
    #expect(!others.isOpen)
    world.time.set(CancelPlan.patience)
    for look in world.looks.exchanged([]) { look() }
    await others.opened()
    #expect(world.queues.value == 2)
    mayReturn.open()
  }

  @Test("The body of a cancelled operation is watched; that of a finished one is not")
  func watchedBodies() async throws {
    for isCancelled in [true, false] {
      let world = World()
      let canceller = TaskCanceller(world.surroundings)
      let (began, mayEnd) = (Gate(), Gate())
      let operation = TaskOperation<Int> {
        began.open()
        await mayEnd.opened()
        return 1
      }
      OperationQueue(width: 1).enqueue(operation)
      await began.opened()
      let misuses = Misuses(of: operation)
      if isCancelled { operation.cancel() } else { operation.finish(with: .success(2)) }
      let (handled, isNext) = (Gate(), Gate())
      let body = try #require(operation.hook as? any TaskHook)
      canceller.cancel(task(Gate(), handled.open), of: operation, body: body)
      canceller.cancel(task(Gate(), isNext.open), of: nil)
      await isNext.opened()
      await handled.opened()
      world.time.set(BodyWatch.patience)
      for look in world.looks.exchanged([]) { look() }
      #expect(misuses.codes == (isCancelled ? [.ignoredCancellation] : []))
      mayEnd.open()
    }
  }

  /// A task that waits for its cancel, with a handler.
  private func task(
    _ began: Gate, _ handler: @escaping @Sendable () -> Void
  ) -> Task<Void, Never> {
    Task {
      let cancelled = Gate()
      await withTaskCancellationHandler {
        began.open()
        await cancelled.opened()
      } onCancel: {
        handler()
        cancelled.open()
      }
    }
  }

  private final class World: Sendable {
    let queues = Box()
    let time = Box<UInt64>(0)
    let looks = Log<TaskCanceller.Surroundings.Work>([])

    /// Each run of a lane gets a thread, so that it may block.
    var surroundings: TaskCanceller.Surroundings {
      TaskCanceller.Surroundings(
        makeQueue: { [queues] in
          queues.add()
          return { work in Thread.detachNewThread { work() } }
        },
        schedule: { [looks] _, work in looks.append(work) },
        now: { [time] in time.value })
    }
  }

  // MARK: As apps meet it

  @Test("A cancel returns even if every handler waits for the cancelling thread")
  func cancelAll() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let queue = OperationQueue(width: 3)
      let (cancelReturned, mayEnd, began) = (Gate(), Gate(), Box())
      let operations = (0..<3).map { _ in
        TaskOperation {
          await withTaskCancellationHandler {
            began.add()
            await mayEnd.opened()
          } onCancel: {
            // The handler of URLSession on Linux waits for the cancelling thread in the same way.
            cancelReturned.wait()
          }
        }
      }
      for operation in operations { queue.enqueue(operation) }
      await until { began.value == 3 }
      await onThread { queue.cancelAllOperations() }
      cancelReturned.open()
      mayEnd.open()
      for operation in operations { _ = try? await operation.value }
      #expect(operations.allSatisfy { $0.isCancelled && $0.isFinished })
    }
  }

  @Test("A timeout ends an operation whose handler waits for that end")
  func timeout() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      // The task cannot be resumed while its handler runs, so it waits for another gate.
      let (hasEnded, mayReturn) = (Gate(), Gate())
      let operation = TaskOperation {
        await withTaskCancellationHandler {
          await mayReturn.opened()
        } onCancel: {
          hasEnded.wait()
        }
      }.timeout(after: .milliseconds(1))
      operation.onResult { _ in hasEnded.open() }
      OperationQueue(width: 1).enqueue(operation)
      await operation.ended()
      #expect(operation.hasTimedOut)
      mayReturn.open()
    }
  }

  @Test("A value that cancels an operation in its deinit is released outside every lock")
  func valuesDeinit() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      final class Value: Sendable {
        let other: AsyncOperation
        init(_ other: AsyncOperation) { self.other = other }
        deinit { other.cancel() }
      }
      for _ in 0..<100 {
        let other = TaskOperation { await untilCancelled() }
        other.start()
        do {
          let operation = TaskOperation {
            await untilCancelled()
            return Value(other)
          }
          operation.start()
          operation.cancel()
        }
        await other.ended()
      }
    }
  }

  @Test("A clock with a blocking cancellation handler does not keep an operation from ending")
  func blockingClock() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (hasEnded, mayReturn) = (Gate(), Gate())
      let operation = TaskOperation { 1 }
        .timeout(after: .seconds(1), clock: Blocking(hasEnded, mayReturn))
      operation.onResult { _ in hasEnded.open() }
      OperationQueue(width: 1).enqueue(operation)
      #expect((try? await operation.value) == 1)
      mayReturn.open()
    }
  }

  /// A clock with a sleep that blocks its cancelling thread.
  ///
  /// The cancel returns when one gate opens, and the sleep ends when another one opens.
  private struct Blocking: Clock {
    let mayCancel: Gate
    let mayReturn: Gate

    init(_ mayCancel: Gate, _ mayReturn: Gate) {
      self.mayCancel = mayCancel
      self.mayReturn = mayReturn
    }

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      await withTaskCancellationHandler {
        await mayReturn.opened()
      } onCancel: {
        mayCancel.wait()
      }
    }
  }

  @Test("A handler that never returns is reported, and later cancels still arrive")
  func neverReturns() async {
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let reports = Log<OperationMisuse>([])
      OperationDiagnostics.onMisuse = { reports.append($0) }
      let queue = OperationQueue(width: 2)
      let (never, began, told) = (Gate(), Box(), Gate())
      let hostile = TaskOperation(name: "hostile") {
        await withTaskCancellationHandler {
          began.add()
          await never.opened()
        } onCancel: {
          never.wait()
        }
      }
      let polite = TaskOperation {
        await withTaskCancellationHandler {
          began.add()
          await told.opened()
        } onCancel: {
          told.open()
        }
      }
      queue.enqueue(hostile)
      queue.enqueue(polite)
      await until { began.value == 2 }
      hostile.cancel()
      polite.cancel()
      _ = try? await polite.value
      await until { !reports.value.isEmpty }
      #expect(reports.value.map(\.code) == [.blockedCancelHandler])
      #expect(reports.value.first?.description.hasPrefix("hostile: ") == true)
    }
  }
}

extension CancelPlan {
  fileprivate mutating func next(on lane: Int, at now: UInt64) -> Call? {
    var returned: Call?
    return next(on: lane, at: now, after: &returned)
  }
}
