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

  func opened(file: StaticString = #filePath, line: UInt = #line) async {
    limitWait(file, line)
    await withCheckedContinuation { continuation in whenOpen { continuation.resume() } }
    // Thread Sanitizer does not follow the continuation, but it follows this read.
    _ = isOpen
  }

  /// Waits, and gives up when the task is cancelled.
  func openedOrCancelled(file: StaticString = #filePath, line: UInt = #line) async throws {
    let either = Gate()
    whenOpen { either.open() }
    await withTaskCancellationHandler {
      await either.opened(file: file, line: line)
    } onCancel: {
      either.open()
    }
    try Task.checkCancellation()
  }

  /// Blocks the thread; do not call it on a thread that runs tasks.
  func wait(file: StaticString = #filePath, line: UInt = #line) {
    limitWait(file, line)
    let semaphore = DispatchSemaphore(value: 0)
    whenOpen { semaphore.signal() }
    semaphore.wait()
    _ = isOpen
  }

  /// A queue of its own, as tests may block all threads of the global queues.
  private static let alarms = DispatchQueue(label: "Gate.alarms")

  /// Ends the process if the gate is still closed after half an hour.
  ///
  /// A time limit of Swift Testing only cancels the task of a test, and a wait for a gate goes on.
  /// Without this limit, a test that waits for itself would never end.
  private func limitWait(_ file: StaticString, _ line: UInt) {
    guard !isOpen else { return }
    Self.alarms.asyncAfter(deadline: .now() + .seconds(1_800)) { [weak self] in
      guard let self, !self.isOpen else { return }
      fatalError("Nothing has opened the gate for half an hour.", file: file, line: line)
    }
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
