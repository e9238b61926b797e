@usableFromInline
package protocol TaskOwner: AnyObject, Sendable {
  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output
}

/// What a subclass in this package adds to an operation.
///
/// In another module it can override only `open` members.
@usableFromInline
package protocol TaskHook: TaskOwner {
  /// Called right before each call of `didCancel()`.
  func cancelWork(of operation: AsyncOperation)
  /// Called once, after the tasks that await the value were resumed.
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

  /// Cancels the task on another thread, since its handlers may block.
  func cancelTask(of operation: AsyncOperation) {
    if let task = withBodyTask({ $0.cancelled() }) { cancel(task, of: operation) }
  }

  private func cancel(_ task: Task<Void, Never>, of operation: AsyncOperation) {
    HelperThreads.cancels.run(for: operation) {
      task.cancel()
      // That a body outlives an end from outside is no misuse.
      if operation.isCancelled { operation.watchWork(by: .shared) }
    }
  }
}

extension TaskHook {
  /// Runs `body` in a task, and ends the operation with its result.
  ///
  /// After an earlier cancel or end, `body` does not begin.
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
        // The task may have waited long for a thread. The operation's own state: a cancel reaches
        // the task later.
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
