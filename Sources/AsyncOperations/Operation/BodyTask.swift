/// The task that runs an operation's body, as a value.
///
/// It is released when the body returns.
///
/// - Thread A makes the task; thread B cancels before A has stored it. A cancels it.
@usableFromInline
package struct BodyTask: Sendable {
  private enum State: Sendable {
    case unmade
    case running(Task<Void, Never>)
    /// A task that is made later is cancelled at once.
    case unwanted
    case cancelled
    case returned
  }

  private var state = State.unmade
  /// Of the task and of those that await the result.
  ///
  /// Raw: the size of the type is looked up at run time, at each copy.
  private var priority: UInt8?

  package init() {}

  mutating func makeRequested(_ own: TaskPriority?) -> TaskPriority? {
    // The default is the medium one.
    let level = (own ?? .medium).rawValue
    if let priority, priority > level { return TaskPriority(rawValue: priority) }
    priority = level
    return own
  }

  enum MadeAction: Equatable {
    case none
    case cancel
    case raise(TaskPriority)
  }

  mutating func made(_ task: Task<Void, Never>, _ made: TaskPriority?) -> MadeAction {
    // A task that awaits the result may have come meanwhile.
    let own = (made ?? .medium).rawValue
    let highest = max(priority ?? own, own)
    priority = highest
    switch state {
    case .unmade:
      state = .running(task)
      return highest > own ? .raise(TaskPriority(rawValue: highest)) : .none
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
    case .running(let task):
      state = .cancelled
      return task
    case .unwanted, .cancelled, .returned:
      return nil
    }
  }

  /// - Returns: The task to raise.
  mutating func awaited(at priority: TaskPriority) -> Task<Void, Never>? {
    guard self.priority.map({ $0 < priority.rawValue }) ?? true else { return nil }
    self.priority = priority.rawValue
    guard case .running(let task) = state else { return nil }
    return task
  }

  /// - Returns: Whether it had not returned before.
  mutating func returned() -> Bool {
    if case .returned = state { return false }
    state = .returned
    return true
  }
}
