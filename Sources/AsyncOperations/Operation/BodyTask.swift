/// The task that runs an operation's body, as a value.
///
/// It is cancelled with the operation, and released when the body returns.
///
/// - Thread A makes the task; thread B cancels before A has stored it. A cancels it.
@usableFromInline
package struct BodyTask: Sendable {
  private enum State: Sendable {
    /// The highest priority of the tasks that await the result, as a number: the layout of
    /// `TaskPriority` is not known until run time (figure B13).
    case unmade(awaitedAt: UInt8)
    case running(Task<Void, Never>, priority: UInt8)
    /// The operation needs no body: a task that is made later is cancelled at once.
    case unwanted
    /// The task was cancelled and has not returned.
    case cancelled
    case returned
  }

  package typealias Watcher = @Sendable () -> Void

  private var state = State.unmade(awaitedAt: 0)
  /// Whether the task has had a thread.
  private var hasBegun = false
  /// Called when the body returns; `nil` for the many bodies that end with their operation.
  private var watchers: [Watcher]?

  package init() {}

  enum MadeAction: Equatable {
    case none
    case cancel
    case raise(TaskPriority)
  }

  mutating func made(_ task: Task<Void, Never>, _ priority: TaskPriority) -> MadeAction {
    switch state {
    case .unmade(let awaited):
      let highest = max(priority.rawValue, awaited)
      state = .running(task, priority: highest)
      return highest > priority.rawValue ? .raise(TaskPriority(rawValue: highest)) : .none
    case .unwanted:
      state = .cancelled
      return .cancel
    case .running, .cancelled, .returned:
      return .none
    }
  }

  /// - Returns: The task to cancel.
  mutating func cancelled() -> Task<Void, Never>? {
    switch state {
    case .unmade:
      state = .unwanted
      return nil
    case .running(let task, _):
      state = .cancelled
      return task
    case .unwanted, .cancelled, .returned:
      return nil
    }
  }

  /// A task of that priority awaits the result.
  ///
  /// - Returns: The task to raise.
  mutating func awaited(at priority: TaskPriority) -> Task<Void, Never>? {
    switch state {
    case .unmade(let awaited):
      state = .unmade(awaitedAt: max(priority.rawValue, awaited))
      return nil
    case .running(let task, let own) where own < priority.rawValue:
      state = .running(task, priority: priority.rawValue)
      return task
    case .running, .unwanted, .cancelled, .returned:
      return nil
    }
  }

  /// Records that the task has a thread.
  package mutating func began() { hasBegun = true }

  /// - Returns: The closures to call, outside the lock.
  package mutating func returned() -> [Watcher]? {
    state = .returned
    defer { watchers = nil }
    return watchers
  }

  /// Whether the body was cancelled and has not returned.
  var goesOnAfterCancel: Bool {
    guard case .cancelled = state else { return false }
    return true
  }

  /// Whether the body was cancelled and has not begun, for want of a thread.
  var waitsAfterCancel: Bool { goesOnAfterCancel && !hasBegun }

  /// Whether a task runs the body.
  var runs: Bool {
    switch state {
    case .running, .cancelled: true
    case .unmade, .unwanted, .returned: false
    }
  }

  /// Whether the body has returned.
  var hasReturned: Bool {
    guard case .returned = state else { return false }
    return true
  }

  /// Calls `body` once when the body that runs returns.
  ///
  /// - Returns: `false` if no body runs; `body` is then not called.
  mutating func watchReturn(_ body: @escaping Watcher) -> Bool {
    switch state {
    case .unmade, .unwanted, .returned:
      return false
    case .running, .cancelled:
      watchers = (watchers ?? []) + [body]
      return true
    }
  }
}
