/// The task that runs an operation's body, as a value: cancelled with the operation, and released
/// when the body returns.
///
/// - Thread A makes the task; thread B cancels before A has stored it. A cancels it.
@usableFromInline
package enum BodyTask: Sendable {
  case unmade
  case running(Task<Void, Never>)
  /// Nobody waits for the body: a task that is made later is cancelled at once.
  case cancelled
  case returned

  enum MadeAction: Equatable {
    case none
    case cancel
  }

  mutating func made(_ task: Task<Void, Never>) -> MadeAction {
    switch self {
    case .unmade:
      self = .running(task)
      return .none
    case .cancelled:
      return .cancel
    case .running, .returned:
      return .none
    }
  }

  /// - Returns: The task to cancel.
  mutating func cancelled() -> Task<Void, Never>? {
    switch self {
    case .unmade:
      self = .cancelled
      return nil
    case .running(let task):
      self = .cancelled
      return task
    case .cancelled, .returned:
      return nil
    }
  }

  mutating func returned() { self = .returned }
}

/// The hook of an operation whose body runs in a task.
@usableFromInline
package protocol TaskHook: OperationHook {
  /// Changes the task under the hook's lock.
  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output
}

extension TaskHook {
  /// Runs `body` in a task, and ends the operation with its result; call it once.
  package func run<Value: Sendable>(
    _ operation: ResultOperation<Value>, priority: TaskPriority?,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    let task = Task(priority: priority) {
      let result: Result<Value, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      withBodyTask { $0.returned() }
      operation.finishIfUndecided(with: result)
    }
    if withBodyTask({ $0.made(task) }) == .cancel {
      TaskCanceller.shared.cancel(task, of: operation)
    }
  }

  /// Has the task cancelled on another thread, as its cancellation handlers are the app's and may
  /// block.
  @usableFromInline
  package func cancelWork(of operation: AsyncOperation) {
    if let task = withBodyTask({ $0.cancelled() }) {
      TaskCanceller.shared.cancel(task, of: operation)
    }
  }
}
