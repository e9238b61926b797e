/// The task that runs an operation's body: cancelled with the operation, let go of when it ends.
///
/// Thread A makes the task; thread B runs it before A has it in hand, and cancels the operation from
/// inside the body. So the body waits until it can be reached.
final class BodyTask: Sendable {
  private struct Guarded {
    var isCancelled = false
    /// Whether `run` has the task in hand.
    var isReachable = false
    /// Not if it is cancelled.
    var task: Task<Void, Never>?
    /// The body, if it came first.
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let guarded = Lock(Guarded())

  /// Runs `body` in a task; to be called once.
  func run(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(priority: priority) {
      if !guarded.withLock({ $0.isReachable }) { await becomeReachable() }
      await body()
    }
    let (isCancelled, waiting) = guarded.withLock { guarded in
      defer { guarded.waiting = nil }
      guarded.isReachable = true
      if !guarded.isCancelled { guarded.task = task }
      return (guarded.isCancelled, guarded.waiting)
    }
    if isCancelled { task.cancel() }
    waiting?.resume()
  }

  private func becomeReachable() async {
    await withCheckedContinuation { continuation in
      let isReachable = guarded.withLock { guarded in
        if !guarded.isReachable { guarded.waiting = continuation }
        return guarded.isReachable
      }
      if isReachable { continuation.resume() }
    }
  }

  /// Cancels the task and lets go of it: the operation was cancelled, or is over and whatever still
  /// runs of the body has nobody to work for.
  func cancel() {
    let task = guarded.withLock { guarded in
      defer { guarded.task = nil }
      guarded.isCancelled = true
      return guarded.task
    }
    task?.cancel()
  }
}
