/// The wait of one task for a time, which any thread can end.
///
/// It depends on no thread that runs tasks, except to resume the task.
final class Pause: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>, Timekeeper.Ticket?)
    case over
  }

  private let timekeeper: Timekeeper
  private let state = Lock(State.idle)

  init(_ timekeeper: Timekeeper) { self.timekeeper = timekeeper }

  /// Returns after a time, or when the pause or its task is over.
  ///
  /// Call it once.
  func wait(for duration: Duration) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation, nil)
          return false
        }
        if isOver { continuation.resume() } else { setTime(duration) }
      }
    } onCancel: {
      end()
    }
  }

  private func setTime(_ duration: Duration) {
    let ticket = timekeeper.call(after: duration) { self.end() }
    let isOver = state.withLock { state in
      guard case .waiting(let continuation, _) = state else { return true }
      state = .waiting(continuation, ticket)
      return false
    }
    if isOver { timekeeper.cancel(ticket) }
  }

  /// Ends the wait; a wait that has not begun ends at once.
  func end() {
    guard case .waiting(let continuation, let ticket) = state.exchange(.over) else { return }
    if let ticket { timekeeper.cancel(ticket) }
    continuation.resume()
  }
}
