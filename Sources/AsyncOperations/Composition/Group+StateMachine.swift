/// The life of one group as a value: how many of its children are on their way, and what is to be
/// done about them.
///
/// Threads that add, finish and cancel children race; each event is one step under a lock, and the
/// action is carried out after it. The children themselves are the shell's.
struct GroupStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// Not started; children are held back. Goes to `running` or `over`.
    case collecting(isCancelling: Bool)
    /// Goes to `over`.
    case running(Running)
    /// The group has ended, or was ended by somebody else. The end.
    case over
  }

  private struct Running: Hashable {
    /// Children that were added and have not told their end.
    var children: Int
    /// The group is to end as soon as it can: whoever is added is cancelled.
    var isCancelling = false
  }

  private var state = State.collecting(isCancelling: false)

  enum AddedAction: Hashable, Sendable {
    /// Keep it for the start.
    case hold
    case enqueue
    /// Cancel it, then enqueue it, so that it finishes.
    case enqueueCancelled
    /// The group is over.
    case refuse
  }

  mutating func childAdded() -> AddedAction {
    switch state {
    case .collecting:
      return .hold
    case .running(var running):
      running.children += 1
      state = .running(running)
      return running.isCancelling ? .enqueueCancelled : .enqueue
    case .over:
      return .refuse
    }
  }

  struct StartedAction: Hashable, Sendable {
    /// The cancel came when the group had begun to execute, but not its body.
    var cancelChildren = false
    /// There is nothing to wait for: report `endReached`.
    var isEmpty = false
  }

  /// The group's body runs.
  ///
  /// - Parameter children: How many were held back; all of them are to be enqueued now.
  mutating func started(children: Int) -> StartedAction {
    guard case .collecting(let isCancelling) = state else { return StartedAction() }
    state = .running(Running(children: children, isCancelling: isCancelling))
    return StartedAction(cancelChildren: isCancelling, isEmpty: children == 0)
  }

  struct ChildFinishedAction: Hashable, Sendable {
    var cancelOthers = false
    /// Nobody is left: report `endReached` when all have published their end.
    var awaitEnd = false
  }

  /// - Parameter endsGroup: Whether it has failed in a way that ends the group.
  mutating func childFinished(endsGroup: Bool) -> ChildFinishedAction {
    guard case .running(var running) = state else { return ChildFinishedAction() }
    running.children -= 1
    let cancelOthers = endsGroup && !running.isCancelling && running.children > 0
    running.isCancelling = running.isCancelling || endsGroup
    state = .running(running)
    return ChildFinishedAction(cancelOthers: cancelOthers, awaitEnd: running.children == 0)
  }

  /// Children may have been added since nobody was left; then it is not the end.
  ///
  /// - Returns: Whether to finish the group.
  mutating func endReached() -> Bool {
    guard case .running(let running) = state, running.children == 0 else { return false }
    state = .over
    return true
  }

  /// - Returns: Whether to cancel the children now.
  mutating func cancelled() -> Bool {
    switch state {
    case .collecting:
      state = .collecting(isCancelling: true)
      return false
    case .running(var running):
      guard !running.isCancelling else { return false }
      running.isCancelling = true
      state = .running(running)
      return true
    case .over:
      return false
    }
  }

  enum EndedAction: Hashable, Sendable {
    case none
    /// Cancel those that run or wait; they end by themselves.
    case cancelChildren
    /// The group never ran. Cancel those that were held back, and end them.
    case endChildren
  }

  /// The group's end is decided, whoever has decided it.
  mutating func ended() -> EndedAction {
    defer { state = .over }
    switch state {
    case .collecting: return .endChildren
    case .running(let running): return running.isCancelling ? .none : .cancelChildren
    case .over: return .none
    }
  }
}
