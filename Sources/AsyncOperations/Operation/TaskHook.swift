@usableFromInline
package protocol TaskOwner: AnyObject, Sendable {
  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output
}

/// The behaviour that a subclass in this package adds to an operation whose body a task runs.
///
/// A subclass in another module can override only `open` members.
@usableFromInline
package protocol TaskHook: TaskOwner {
  /// Cancels the work.
  ///
  /// Called right before each call of `didCancel()`.
  func cancelWork(of operation: AsyncOperation)
  /// Releases the work. Called once, after the tasks that await the value were resumed.
  func finished(_ operation: AsyncOperation)
}

extension TaskOwner {
  /// Runs `body` in a task of its own; call it once.
  ///
  /// The task inherits neither the priority nor the task-local values of the caller.
  ///
  /// - Parameter body: Calls ``taskReturned(of:)`` when the code of the app has returned.
  func runTask(
    of operation: AsyncOperation, name: String? = nil, priority: TaskPriority?,
    _ body: @escaping @Sendable () async -> Void
  ) {
    operation.workBegan()
    let priority = withBodyTask { $0.makeRequested(priority) }
    let task = ConcurrencyLibrary.task(name: name, priority: priority, body)
    switch withBodyTask({ $0.made(task, priority) }) {
    case .none: break
    case .cancel: cancel(task, of: operation)
    case .raise(let priority): ConcurrencyLibrary.raise(task, to: priority)
    }
  }

  package func taskReturned(of operation: AsyncOperation) {
    if withBodyTask({ $0.returned() }) { operation.workEnded() }
  }

  package func awaited(at priority: TaskPriority) {
    if let task = withBodyTask({ $0.awaited(at: priority) }) {
      ConcurrencyLibrary.raise(task, to: priority)
    }
  }

  /// Cancels the task on another thread.
  ///
  /// Its cancellation handlers belong to the app and may block.
  package func cancelTask(of operation: AsyncOperation) {
    if let task = withBodyTask({ $0.cancelled() }) { cancel(task, of: operation) }
  }

  private func cancel(_ task: Task<Void, Never>, of operation: AsyncOperation) {
    Lanes.cancels.run(for: operation) {
      task.cancel()
      // An operation that was finished from outside needs its body no longer, which is no misuse.
      if operation.isCancelled { operation.watchWork(by: .shared) }
    }
  }
}

extension TaskHook {
  /// Runs `body` in a task, and ends the operation with its result; call it once.
  ///
  /// After an earlier cancel or end, the task finds that out under the operation's lock, and `body`
  /// does not begin.
  ///
  /// - Parameter notesWaits: Whether circles are found in which the body waits. It costs a
  ///   task-local value.
  package func run<Value: Sendable>(
    _ operation: ResultOperation<Value>, name: String? = nil, priority: TaskPriority?,
    notesWaits: Bool = false, _ body: @escaping @Sendable () async throws -> Value
  ) {
    var context = operation.context
    // That of the operation's own turn notes them.
    if notesWaits, operation.gate.map({ context?.isOf($0) }) != true {
      context = WorkContext(operation, inside: context)
    }
    runTask(of: operation, name: name, priority: priority) { [context] in
      do {
        // The task may have waited for a thread for long. The operation's own state: a cancel
        // reaches the task a little later.
        if operation.isToStop { throw CancellationError() }
        let value =
          if let context {
            try await context.run(isolation: nil, body)
          } else {
            try await body()
          }
        self.taskReturned(of: operation)
        operation.finishIfUndecided(with: .success(value))
      } catch {
        self.taskReturned(of: operation)
        operation.finishIfUndecided(with: .failure(error))
      }
    }
  }

  @usableFromInline
  package func cancelWork(of operation: AsyncOperation) { cancelTask(of: operation) }
}
