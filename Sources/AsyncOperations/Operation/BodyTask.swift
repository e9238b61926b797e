/// The task that runs an operation's body, as a value.
///
/// It is cancelled with the operation, and released when the body returns.
///
/// - Thread A makes the task; thread B cancels before A has stored it. A cancels it.
@usableFromInline
package enum BodyTask: Sendable {
  /// The highest priority of the tasks that await the result, as a number: the layout of
  /// `TaskPriority` is not known until run time (figure B13).
  case unmade(awaitedAt: UInt8 = 0)
  case running(Task<Void, Never>, priority: UInt8)
  /// The operation needs no body: a task that is made later is cancelled at once.
  case cancelled
  case returned

  enum MadeAction: Equatable {
    case none
    case cancel
    case raise(TaskPriority)
  }

  mutating func made(_ task: Task<Void, Never>, _ priority: TaskPriority) -> MadeAction {
    switch self {
    case .unmade(let awaited):
      let highest = max(priority.rawValue, awaited)
      self = .running(task, priority: highest)
      return highest > priority.rawValue ? .raise(TaskPriority(rawValue: highest)) : .none
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
    case .running(let task, _):
      self = .cancelled
      return task
    case .cancelled, .returned:
      return nil
    }
  }

  /// A task of that priority awaits the result.
  ///
  /// - Returns: The task to raise.
  mutating func awaited(at priority: TaskPriority) -> Task<Void, Never>? {
    switch self {
    case .unmade(let awaited):
      self = .unmade(awaitedAt: max(priority.rawValue, awaited))
      return nil
    case .running(let task, let own) where own < priority.rawValue:
      self = .running(task, priority: priority.rawValue)
      return task
    case .running, .cancelled, .returned:
      return nil
    }
  }

  package mutating func returned() { self = .returned }

  /// Whether the body was cancelled and has not returned.
  var goesOnAfterCancel: Bool {
    guard case .cancelled = self else { return false }
    return true
  }
}

/// The hook of an operation that runs its body in a task.
@usableFromInline
package protocol TaskHook: OperationHook {
  /// Changes the task under the hook's lock.
  func withBodyTask<Output>(_ body: (inout BodyTask) -> Output) -> Output
}

extension TaskHook {
  /// Runs `body` in a task, and ends the operation with its result; call it once.
  package func run<Value: Sendable>(
    _ operation: ResultOperation<Value>, name: String? = nil, priority: TaskPriority?,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    let task = ConcurrencyLibrary.task(name: name, priority: priority) {
      let result: Result<Value, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      self.withBodyTask { $0.returned() }
      operation.finishIfUndecided(with: result)
    }
    switch withBodyTask({ $0.made(task, priority ?? .medium) }) {
    case .none: break
    case .cancel: cancel(task, of: operation)
    case .raise(let priority): ConcurrencyLibrary.raise(task, to: priority)
    }
  }

  @usableFromInline
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
    TaskCanceller.shared.cancel(task, of: operation, body: self)
  }

  @usableFromInline
  package func cancelWork(of operation: AsyncOperation) { cancelTask(of: operation) }
}
