import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

extension HelperThreads {
  fileprivate func cancel(_ task: Task<Void, Never>, of operation: AsyncOperation?) {
    run(for: operation) { task.cancel() }
  }
}

@Suite("Cancelling tasks off the calling thread", .timeLimit(.minutes(10)))
struct HelperThreadTests {
  private let patience = Duration.seconds(1)

  // MARK: With queues that a test moves

  @Test("A cancel handler that blocks for a second is reported, and later cancels arrive")
  func blocked() async {
    let (operation, mayReturn, next) = (QuickOperation(), Gate(), Gate())
    let misuses = Misuses(of: operation)
    HelperThreads.cancels.run(for: operation) { mayReturn.wait() }
    HelperThreads.cancels.run { next.open() }
    await next.opened()
    await until { misuses.codes == [.blockedCancelHandler] }
    mayReturn.open()
  }

  @Test("Each blocking handler keeps a thread, and delays other cancels for a second")
  func manyBlocked() async {
    let (time, helpers) = heldThreads()
    let (mayReturn, isCancelled) = (Gate(), Gate())
    let areBlocked = (0..<5).map { _ in Gate() }
    for gate in areBlocked {
      let hostile = await waitingTask {
        gate.open()
        mayReturn.wait()
      }
      helpers.cancel(hostile, of: nil)
    }
    helpers.cancel(await waitingTask(isCancelled.open), of: nil)
    for gate in areBlocked {
      await gate.opened()
      #expect(!isCancelled.isOpen)
      time.advance(by: patience)
    }
    await isCancelled.opened()
    mayReturn.open()
  }

  @Test("The body of a cancelled operation is watched; that of a finished one is not")
  func watchedBodies() async {
    for isCancelled in [true, false] {
      let mayEnd = Gate()
      let operation = await TaskOperation.begun(until: mayEnd)
      if isCancelled { operation.cancel() } else { operation.finish(with: .success(2)) }
      let isNext = Gate()
      HelperThreads.cancels.run { isNext.open() }
      await isNext.opened()
      #expect(operation.guarded.withLock { $0.overstay != nil } == isCancelled)
      mayEnd.open()
      await until { operation.guarded.withLock { $0.work } == 0 }
    }
  }

  private func heldThreads() -> (HeldTime, HelperThreads) {
    let time = HeldTime()
    return (time, HelperThreads(patience: patience, time.timekeeper))
  }

  /// A task that has begun and waits for its cancel, with a handler.
  private func waitingTask(_ handler: @escaping @Sendable () -> Void) async -> Task<Void, Never> {
    let began = Gate()
    let task = Task {
      let cancelled = Gate()
      await withTaskCancellationHandler {
        began.open()
        await cancelled.opened()
      } onCancel: {
        handler()
        cancelled.open()
      }
    }
    await began.opened()
    return task
  }

  // MARK: As apps meet it

  @Test("A cancel or a time limit ends operations whose handlers wait for that", arguments: 0..<2)
  func cancelAll(end: Int) async {
    await #expect(processExitsWith: .success) { [end = end as Int] in
      Watchdog.start(Watchdog.patient)
      let queue = OperationQueue(width: 3)
      let (hasEnded, mayReturn, began) = (Gate(), Gate(), Box())
      let operations = (0..<3).map { _ in
        TaskOperation {
          await withTaskCancellationHandler {
            began.add()
            await mayReturn.opened()
          } onCancel: {
            // The handler of URLSession on Linux waits for the cancelling thread in the same way.
            hasEnded.wait()
          }
        }
      }
      if end == 1 {
        operations[0].onResult { _ in hasEnded.open() }
        for operation in operations { operation.timeout(after: .milliseconds(1)) }
      }
      queue.enqueue(operations)
      if end == 0 {
        await until { began.value == 3 }
        await onThread { queue.cancelAllOperations() }
        hasEnded.open()
        mayReturn.open()
      }
      for operation in operations { await operation.ended() }
      mayReturn.open()
      #expect(operations.allSatisfy { $0.isCancelled })
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
          let began = Gate()
          let operation = TaskOperation {
            began.open()
            await untilCancelled()
            return Value(other)
          }
          operation.start()
          // A cancel that comes earlier would prevent the body.
          await began.opened()
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
}
