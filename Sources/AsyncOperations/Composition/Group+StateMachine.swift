/// The life of one group as a value.
///
/// Threads that add, finish and cancel children race. Each event is one step under a lock, and the
/// shell carries out the action after it. The shell keeps the children themselves.
struct GroupStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// Goes to `over`.
    case active(Children)
    /// Over, from inside or outside.
    ///
    /// `early`: it did not wait for all children, was cancelled, or a child has failed.
    case over(early: Bool)
  }

  private struct Children: Hashable {
    var count = 0
    var areHeldBack = true
    /// A child that is added now is cancelled.
    var isCancelling = false
  }

  private var state = State.active(Children())

  enum AddedAction: Hashable, Sendable {
    case take(enqueues: Bool, cancels: Bool)
    /// The group is over: cancel it and let it finish.
    ///
    /// That is a mistake, unless the group ended early, which the caller may not know.
    case refuse(isMistake: Bool)
  }

  mutating func childAdded() -> AddedAction {
    switch state {
    case .active(var children):
      children.count += 1
      state = .active(children)
      return .take(enqueues: !children.areHeldBack, cancels: children.isCancelling)
    case .over(let early):
      return .refuse(isMistake: !early)
    }
  }

  enum StartedAction: Hashable, Sendable {
    case none
    /// Enqueue the children that were held back.
    case run
    /// Finish the group.
    case end
  }

  mutating func started() -> StartedAction {
    guard case .active(var children) = state, children.areHeldBack else { return .none }
    guard children.count > 0 else {
      state = .over(early: children.isCancelling)
      return .end
    }
    children.areHeldBack = false
    state = .active(children)
    return .run
  }

  struct ChildFinishedAction: Hashable, Sendable {
    var cancelOthers = false
    var isEnd = false
  }

  /// - Parameter endsGroup: Whether the child has failed in a way that ends the group.
  mutating func childFinished(endsGroup: Bool) -> ChildFinishedAction {
    guard case .active(var children) = state else { return ChildFinishedAction() }
    children.count -= 1
    let cancelOthers = endsGroup && !children.isCancelling && children.count > 0
    children.isCancelling = children.isCancelling || endsGroup
    // A child may have been started elsewhere, before the group.
    let isEnd = children.count == 0 && !children.areHeldBack
    state = isEnd ? .over(early: children.isCancelling) : .active(children)
    return ChildFinishedAction(cancelOthers: cancelOthers, isEnd: isEnd)
  }

  /// - Returns: Whether to cancel the children.
  mutating func cancelled() -> Bool {
    guard case .active(var children) = state, !children.isCancelling else { return false }
    children.isCancelling = true
    state = .active(children)
    return true
  }

  enum EndedAction: Hashable, Sendable {
    case none
    /// The children end by themselves.
    case cancelChildren
    /// The group never ran. Cancel the children that were held back, and end them.
    case endChildren
  }

  mutating func ended() -> EndedAction {
    guard case .active(let children) = state else { return .none }
    state = .over(early: true)
    if children.areHeldBack { return .endChildren }
    return children.isCancelling ? .none : .cancelChildren
  }
}
