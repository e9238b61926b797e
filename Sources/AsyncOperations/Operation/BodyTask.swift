/// The task that runs an operation's body, as a value: cancelled with the operation, and released
/// when it ends.
///
/// Thread A makes the task; thread B runs it before A has stored it, and cancels the operation from
/// inside the body. So the body waits until the task can be cancelled.
@usableFromInline
package struct BodyTask: Sendable {
  private var isCancelled = false
  /// Whether the task was stored, or is no longer wanted.
  private var isReachable = false
  /// `nil` once it was cancelled.
  private var task: Task<Void, Never>?
  /// The body, if it came before the task was stored.
  private var waiting: CheckedContinuation<Void, Never>?

  package init() {}

  struct StoredAction {
    let isCancelled: Bool
    let waiting: CheckedContinuation<Void, Never>?
  }

  fileprivate mutating func made(_ task: Task<Void, Never>) -> StoredAction {
    defer { waiting = nil }
    isReachable = true
    if !isCancelled { self.task = task }
    return StoredAction(isCancelled: isCancelled, waiting: waiting)
  }

  /// - Returns: Whether the body may go on at once.
  fileprivate mutating func bodyCame(_ continuation: CheckedContinuation<Void, Never>?) -> Bool {
    if !isReachable { waiting = continuation }
    return isReachable
  }

  fileprivate mutating func cancelled() -> Task<Void, Never>? {
    defer { task = nil }
    isCancelled = true
    return task
  }
}

/// An operation's work in a task: what there is of it beside the task itself lies under the same lock.
@usableFromInline
package protocol TaskHook: OperationHook {
  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output
}

extension TaskHook {
  /// Runs `body` in a task; call it once.
  package func run(priority: TaskPriority?, _ body: @escaping @Sendable () async -> Void) {
    let task = Task(priority: priority) {
      if !withBodyTask({ $0.bodyCame(nil) }) { await becomeReachable() }
      await body()
    }
    let action = withBodyTask { $0.made(task) }
    if action.isCancelled { task.cancel() }
    action.waiting?.resume()
  }

  private func becomeReachable() async {
    await withCheckedContinuation { continuation in
      if withBodyTask({ $0.bodyCame(continuation) }) { continuation.resume() }
    }
  }

  /// Cancels the task and releases it: the operation was cancelled, or is over and nobody waits for
  /// what still runs of the body.
  @usableFromInline
  package func cancelWork() {
    withBodyTask { $0.cancelled() }?.cancel()
  }
}
