extension AsyncOperation {
  /// The life of one operation as a value.
  ///
  /// The shell takes each step under its lock, and carries out the action with the lock released.
  /// Of all threads that start, cancel and finish at once, exactly one receives each action.
  ///
  /// - Thread A starts and calls the `started` observers; thread B cancels or finishes. B records
  ///   it. When the observers have returned, A looks again, skips the body, and publishes the end.
  /// - Thread A cancels or finishes a pending operation, and delivers the result; thread B starts
  ///   it. B records that, and A publishes the end when the callbacks have returned.
  /// - Thread A cancels and calls the `cancelled` observers; thread B finishes and publishes the
  ///   end. When the observers have returned, A wakes the body up, since another thread may have
  ///   ended the operation.
  struct StateMachine: Hashable, Sendable {
    private enum State: Hashable {
      /// Goes to `starting`, or to `delivering`.
      case pending
      /// The end is decided, and a thread delivers the result. Goes to `delivered` or `finishing`.
      case delivering(isStarted: Bool)
      /// Goes to `finishing`.
      case delivered
      /// The start's emission and observers are in flight. Goes to `executing` or `finishing`.
      case starting(isPublished: Bool, decided: Bool)
      /// The body runs. Goes to `finishing`.
      case executing
      /// A thread publishes the end, or the body is about to; `isFinished` still reads false. Goes
      /// to `finished`.
      case finishing(wasExecuting: Bool)
      case finished
    }

    private var state = State.pending
    private(set) var isCancelled = false

    // MARK: State

    var isPending: Bool { state == .pending }

    var wasStarted: Bool {
      switch state {
      case .pending, .delivered: false
      case .delivering(let isStarted): isStarted
      case .starting, .executing, .finishing, .finished: true
      }
    }

    var isExecuting: Bool {
      switch state {
      case .pending, .delivering, .delivered, .finished: false
      case .starting(let isPublished, _): isPublished
      case .executing: true
      case .finishing(let wasExecuting): wasExecuting
      }
    }

    var isFinished: Bool { state == .finished }

    /// No later event changes the result.
    var isDecided: Bool {
      switch state {
      case .starting(_, let decided): decided
      case .pending, .executing: false
      case .delivering, .delivered, .finishing, .finished: true
      }
    }

    // MARK: Actions

    enum Action: Hashable, Sendable {
      case none
      /// Publish that it executes, then report `startCallbacksReturned`.
      case announce
      case runBody
      /// The end was decided before: let it leave its queue.
      case leaveQueue
      case cancel(Moment)
      case publish
      /// This call decided: deliver the result, and report `resultDelivered`.
      case deliver
      /// This call decided; `start()` publishes the end.
      case record
      /// Another call decided before, which is legal after a cancel.
      case ignoreLate
      case reportSecondStart
      case reportSecondFinish

      var publishes: Bool { self == .publish || self == .cancel(.bodyAndPublish) }
    }

    enum Moment: Hashable, Sendable {
      /// The cancel decided the end: let it leave its queue, deliver the result, and report
      /// `resultDelivered`.
      case pending
      /// The thread that starts it publishes the end.
      case starting
      case body
      case bodyAndPublish
    }

    // MARK: Start

    mutating func startRequested() -> Action {
      switch state {
      case .pending:
        state = .starting(isPublished: false, decided: false)
        return .announce
      case .delivering(isStarted: false):
        state = .delivering(isStarted: true)
        return .none
      case .delivered:
        state = .finishing(wasExecuting: false)
        return .publish
      case .delivering, .starting, .executing, .finishing, .finished:
        return .reportSecondStart
      }
    }

    mutating func resultDelivered() -> Action {
      guard case .delivering(let isStarted) = state else { return .none }
      state = isStarted ? .finishing(wasExecuting: false) : .delivered
      return isStarted ? .publish : .none
    }

    mutating func executingPublished() {
      guard case .starting(_, let decided) = state else { return }
      state = .starting(isPublished: true, decided: decided)
    }

    mutating func startCallbacksReturned() -> Action {
      guard case .starting(_, let decided) = state else { return .none }
      state = decided ? .finishing(wasExecuting: true) : .executing
      return decided ? .publish : .runBody
    }

    // MARK: Cancel

    mutating func cancelRequested() -> Action {
      switch state {
      case .pending:
        state = .delivering(isStarted: false)
        isCancelled = true
        return .cancel(.pending)
      case .delivering, .delivered:
        return .leaveQueue
      case .starting(let isPublished, decided: false):
        state = .starting(isPublished: isPublished, decided: true)
        isCancelled = true
        return .cancel(.starting)
      case .executing where !isCancelled:
        isCancelled = true
        return .cancel(.body)
      case .starting, .executing, .finishing, .finished:
        return .none
      }
    }

    /// Decides the end as well, unless it was decided before.
    mutating func cancelAndFinishRequested() -> Action {
      guard !isDecided else { return .none }
      let wasCancelled = isCancelled
      let action = cancelRequested()
      guard case .executing = state else { return action }
      state = .finishing(wasExecuting: true)
      return wasCancelled ? .publish : .cancel(.bodyAndPublish)
    }

    // MARK: Finish

    mutating func finishRequested() -> Action {
      switch state {
      case .pending:
        state = .delivering(isStarted: false)
        return .deliver
      case .starting(let isPublished, decided: false):
        state = .starting(isPublished: isPublished, decided: true)
        return .record
      case .executing:
        state = .finishing(wasExecuting: true)
        return .publish
      case .delivering, .delivered, .starting, .finishing, .finished:
        return isCancelled ? .ignoreLate : .reportSecondFinish
      }
    }

    /// The body decides the end now, and publishes it a little later.
    ///
    /// No cancel and no other end can come in between.
    ///
    /// - Returns: Whether this call decided; `false` if the operation was cancelled.
    mutating func finishRequestedByBody() -> Bool {
      guard case .executing = state, !isCancelled else { return false }
      state = .finishing(wasExecuting: true)
      return true
    }

    /// The `willFinish` observers have returned: `isFinished` reads true from here on.
    ///
    /// - Returns: Whether `isExecuting` changed as well.
    mutating func finishPublished() -> Bool {
      guard case .finishing(let wasExecuting) = state else { return false }
      state = .finished
      return wasExecuting
    }
  }
}
