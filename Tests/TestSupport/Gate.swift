import AsyncOperations
import Foundation

/// Opens once and resumes all waiters.
final class Gate: Sendable {
  private enum State {
    case closed([@Sendable () -> Void])
    case open
  }

  private let state = Lock(State.closed([]))

  var isOpen: Bool {
    state.withLock { state in
      switch state {
      case .open: true
      case .closed: false
      }
    }
  }

  func open() {
    if case .closed(let waiting) = state.exchange(.open) {
      for body in waiting { body() }
    }
  }

  /// Calls `body` on the thread that opens the gate, or at once if it is open.
  func whenOpen(_ body: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      guard case .closed(var waiting) = state else { return true }
      state = .open  // Keeps the array unique while it grows.
      waiting.append(body)
      state = .closed(waiting)
      return false
    }
    if isOpen { body() }
  }

  func opened() async {
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    // Thread Sanitizer does not follow the continuation, but it follows this read.
    _ = isOpen
  }

  /// Waits, and gives up when the task is cancelled.
  func openedOrCancelled() async throws {
    let either = Gate()
    whenOpen { either.open() }
    await withTaskCancellationHandler {
      await either.opened()
    } onCancel: {
      either.open()
    }
    try Task.checkCancellation()
  }

  /// Blocks the thread; do not call it on a thread that runs tasks.
  func wait() {
    let semaphore = DispatchSemaphore(value: 0)
    whenOpen { semaphore.signal() }
    semaphore.wait()
    _ = isOpen
  }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
  let cancelled = Gate()
  await withTaskCancellationHandler {
    await cancelled.opened()
  } onCancel: {
    cancelled.open()
  }
}
