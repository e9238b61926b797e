/// The life of one group as a value: how many of its children have not ended, and the next action.
///
/// Threads that add, finish and cancel children race. Each event is one step under a lock, and the
/// shell carries out the action after it. The shell keeps the children themselves.
struct GroupStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// Not started; children are held back. Goes to `running` or `over`.
    case collecting(Children)
    /// Goes to `over`.
    case running(Children)
    /// The group has ended, or was ended from outside.
    ///
    /// It ended early if it did not wait for all children, or was cancelled, or a child has failed.
    case over(early: Bool)
  }

  private struct Children: Hashable {
    var count = 0
    /// The group ends as soon as it can: a child that is added is cancelled.
    var isCancelling = false
  }

  private var state = State.collecting(Children())

  enum AddedAction: Hashable, Sendable {
    case hold
    case enqueue
    /// Cancel it, then enqueue it, so that it finishes.
    case enqueueCancelled
    /// The group is over: cancel it and let it finish.
    ///
    /// That is a mistake, unless the group ended early, which the caller may not know.
    case refuse(isMistake: Bool)
  }

  mutating func childAdded() -> AddedAction {
    switch state {
    case .collecting(var children):
      children.count += 1
      state = .collecting(children)
      return .hold
    case .running(var children):
      children.count += 1
      state = .running(children)
      return children.isCancelling ? .enqueueCancelled : .enqueue
    case .over(let early):
      return .refuse(isMistake: !early)
    }
  }

  struct StartedAction: Hashable, Sendable {
    var cancelChildren = false
    /// There is nothing to wait for: finish the group.
    var isEnd = false
    var runs = false
  }

  /// The group's body runs; the shell enqueues all children that were held back.
  mutating func started() -> StartedAction {
    guard case .collecting(let children) = state else { return StartedAction() }
    let isEnd = children.count == 0
    state = isEnd ? .over(early: children.isCancelling) : .running(children)
    return StartedAction(cancelChildren: children.isCancelling, isEnd: isEnd, runs: !isEnd)
  }

  struct ChildFinishedAction: Hashable, Sendable {
    var cancelOthers = false
    var isEnd = false
  }

  /// - Parameter endsGroup: Whether the child has failed in a way that ends the group.
  mutating func childFinished(endsGroup: Bool) -> ChildFinishedAction {
    switch state {
    case .collecting(var children):
      // The child was started elsewhere.
      children.count -= 1
      children.isCancelling = children.isCancelling || endsGroup
      state = .collecting(children)
      return ChildFinishedAction()
    case .running(var children):
      children.count -= 1
      let isEnd = children.count == 0
      let cancelOthers = endsGroup && !children.isCancelling && !isEnd
      children.isCancelling = children.isCancelling || endsGroup
      state = isEnd ? .over(early: children.isCancelling) : .running(children)
      return ChildFinishedAction(cancelOthers: cancelOthers, isEnd: isEnd)
    case .over:
      return ChildFinishedAction()
    }
  }

  mutating func cancelled() -> Bool {
    switch state {
    case .collecting(var children):
      children.isCancelling = true
      state = .collecting(children)
      return false
    case .running(var children):
      guard !children.isCancelling else { return false }
      children.isCancelling = true
      state = .running(children)
      return true
    case .over:
      return false
    }
  }

  enum EndedAction: Hashable, Sendable {
    case none
    /// Cancel the children that run or wait; they end by themselves.
    case cancelChildren
    /// The group never ran. Cancel the children that were held back, and end them.
    case endChildren
  }

  mutating func ended() -> EndedAction {
    switch state {
    case .collecting:
      state = .over(early: true)
      return .endChildren
    case .running(let children):
      state = .over(early: true)
      return children.isCancelling ? .none : .cancelChildren
    case .over:
      return .none
    }
  }
}
