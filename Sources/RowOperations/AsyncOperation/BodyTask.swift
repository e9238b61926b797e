/// The task that runs an operation's body: cancelled with the operation, let go of when it ends.
final class BodyTask: Sendable {
  private enum State {
    case idle
    /// Cancelled before `run` had the task in hand.
    case cancelled
    case running(Task<Void, Never>)
    case over
  }

  private let state = Lock(State.idle)

  /// Runs `body` in a task; to be called once.
  func run(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(priority: priority) {
      // A cancel that came before the task is not to be missed by the body's very first look.
      if wasCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      await body()
    }
    let isTooLate = state.withLock { state in
      switch state {
      case .idle:
        state = .running(task)
        return false
      case .cancelled, .over, .running:
        return true
      }
    }
    // Either the operation was cancelled or finished in between, or the body has already returned.
    if isTooLate { task.cancel() }
  }

  private var wasCancelled: Bool {
    state.withLock { state in
      switch state {
      case .cancelled: true
      case .idle, .running, .over: false
      }
    }
  }

  func cancel() {
    let task: Task<Void, Never>? = state.withLock { state in
      switch state {
      case .idle:
        state = .cancelled
        return nil
      case .running(let task):
        return task
      case .cancelled, .over:
        return nil
      }
    }
    task?.cancel()
  }

  /// The operation is over: whatever still runs of the body has nobody to work for.
  func end() {
    if case .running(let task) = state.exchange(.over) { task.cancel() }
  }
}
