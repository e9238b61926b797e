import Foundation

extension TrackerCore {
  struct Waiter {
    let id: UInt64
    let isReached: @MainActor () -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  var isIdle: Bool {
    !state.engine.turns.isRequested && state.engine.isIdle(at: time)
  }

  /// Until the condition holds at the end of a turn, or the task is cancelled.
  func wait(until isReached: @escaping @MainActor () -> Bool) async {
    lastWaiter += 1
    let id = lastWaiter
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled, !isReached() else { return continuation.resume() }
        waiters.append(Waiter(id: id, isReached: isReached, continuation: continuation))
        requestTurn()
      }
    } onCancel: {
      DispatchQueue.main.async { [weak self] in
        self?.resumeWaiter(id)
      }
    }
  }

  func resumeWaiters() {
    for waiter in waiters where waiter.isReached() { resumeWaiter(waiter.id) }
  }

  private func resumeWaiter(_ id: UInt64) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume()
  }

  /// `nil` while events are unevaluated.
  func progress(of row: RowID) -> RowProgress? {
    guard !state.engine.turns.isRequested, !state.engine.needsTurn else { return nil }
    return state.engine.progress(of: row)
  }

  /// Passes the state of the last turn to a check.
  func audit<Finding>(
    _ audit: (TrackerEngine, SlotLedger, Int64) -> Finding
  ) -> Finding {
    let ledger = SlotLedger(
      count: slots.count, running: state.engine.runningLoads,
      lingering: state.engine.lingeringRuns)
    return audit(engine, ledger, engine.lastTurn)
  }

  func record(_ input: TrackerInput<RowID, AnyObject>) {
    guard let recorder = state.recorder else { return }
    call { recorder.record(input, at: time) }
  }
}
