extension AsyncOperation {
  /// How an operation stands with queues, as a value: which one has it, and how far it has come with
  /// leaving before its dependencies have finished.
  ///
  /// It belongs to the queue that is the first to claim or to add it, unless that gives its claim back.
  ///
  /// The way to leave is the system's cancel(), which is told from the operation's own: an operation
  /// whose end was decided leaves without being cancelled, and one that is cancelled while it is
  /// ready leaves without the system. The system never forgets its cancel, and deadlocks whoever adds
  /// the operation to a queue with a pending barrier then, also if the two come at once.
  ///
  /// - Thread A is adding it; thread B cancels. B asks to leave; A sees to it when it has added it.
  /// - Thread A is about to add it; thread B cancels before. A adds a stand-in.
  struct QueuePlace: Hashable, Sendable {
    typealias Queue = ObjectIdentifier

    private enum Custody: Hashable {
      /// Goes to `claimed` or `entering`.
      case free
      /// It is held for the queue `owner`. Goes to `entering`, or back to `free`.
      case claimed
      /// It is being added. Goes to `entered`. The only one to start it is `owner`, if that is set.
      case entering
      case entered
    }

    private enum Leaving: Hashable {
      /// Goes to `asked`.
      case none
      /// It is to leave as soon as it waits for a dependency. Goes to `told`.
      case asked
      /// The system was told, or is about to be.
      case told
    }

    // Beside it and not in it, which would make every operation larger.
    private var owner: Queue?
    private var custody = Custody.free
    private var leaving = Leaving.none

    var isLeaving: Bool { leaving != .none }
    var isSystemCancelled: Bool { leaving == .told }

    /// Whether nobody has it: anybody may start it.
    var isFree: Bool { custody == .free }

    /// Whether it is not in its queue yet, so that nobody may start it.
    var isClaimed: Bool { custody == .claimed }

    /// Who alone may start it, if there is such a queue.
    var starter: Queue? { custody == .claimed ? nil : owner }

    // MARK: Adding

    /// - Returns: Whether it is the queue's now.
    mutating func claimRequested(by queue: Queue) -> Bool {
      guard custody == .free else { return false }
      (custody, owner) = (.claimed, queue)
      return true
    }

    mutating func claimReturned(by queue: Queue) {
      if custody == .claimed, owner == queue { (custody, owner) = (.free, nil) }
    }

    enum EnteringAction: Hashable, Sendable {
      case add
      case addStandIn
      /// A queue has it already.
      case refuse
    }

    /// The queue is to add it; report `entered` after that.
    ///
    /// - Parameter isOnlyStarter: Whether a start by the queue can be told from others.
    mutating func enteringRequested(by queue: Queue, isOnlyStarter: Bool) -> EnteringAction {
      guard custody == .free || custody == .claimed && owner == queue else { return .refuse }
      (custody, owner) = (.entering, isOnlyStarter ? queue : nil)
      return leaving == .told ? .addStandIn : .add
    }

    mutating func entered() {
      if custody == .entering { custody = .entered }
    }

    // MARK: Leaving

    mutating func leaveRequested() {
      if leaving == .none { leaving = .asked }
    }

    /// It was seen not to be ready.
    ///
    /// - Parameter waits: Whether for a dependency. If for none, the barrier that it waits for keeps a
    ///   bare pointer to it, and it is not to end before the barrier does.
    /// - Returns: Whether to cancel it for the system, also once more if that lost count.
    mutating func unreadinessSeen(waits: Bool) -> Bool {
      switch (custody, leaving) {
      case (.entering, _), (_, .none): return false
      case (_, .asked):
        if waits { leaving = .told }
        return waits
      case (_, .told): return true
      }
    }
  }
}
