/// The wait of one task, which any thread can end.
///
/// It depends on no thread that runs tasks, except to resume the task.
final class Pause: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case over
  }

  private let state = Lock(State.idle)

  /// Call it once; a cancel of the task ends it too.
  func ended() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard case .idle = state else { return true }
          state = .waiting(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }

  /// A wait that has not begun ends at once.
  func end() {
    if case .waiting(let continuation) = state.exchange(.over) { continuation.resume() }
  }
}
