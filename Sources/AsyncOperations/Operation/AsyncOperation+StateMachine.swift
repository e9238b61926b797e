extension AsyncOperation {
  /// The life of one operation as a value: events go in, and the next action comes out.
  ///
  /// The shell takes each step under its lock, and carries out the action with the lock released.
  /// Of all threads that start, cancel and finish at once, exactly one receives each action.
  ///
  /// - Thread A starts and calls the `started` observers; thread B cancels or finishes. B records
  ///   it. When the observers have returned, A looks again, skips the body, and publishes the end.
  /// - Thread A cancels and calls the `cancelled` observers; thread B finishes and publishes the
  ///   end. When the observers have returned, A wakes the body up, since another thread may have
  ///   ended the operation.
  struct StateMachine: Hashable, Sendable {
    private enum State: Hashable {
      /// Goes to `starting`, or to `finishing` when its end is decided by then.
      case pending(decided: Bool)
      /// The start's emission and observers are in flight. Goes to `executing` or `finishing`.
      case starting(isPublished: Bool, decided: Bool)
      /// The body runs. Goes to `returning` or `finishing`.
      case executing
      /// The body has decided the end and has work left before it. Goes to `finishing`.
      case returning
      /// A thread publishes the end; `isFinished` still reads false. Goes to `finished`.
      case finishing(wasExecuting: Bool)
      case finished
    }

    private var state: State = .pending(decided: false)
    private(set) var isCancelled = false

    // MARK: State

    var wasStarted: Bool {
      if case .pending = state { false } else { true }
    }

    var isExecuting: Bool {
      switch state {
      case .pending, .finished: false
      case .starting(let isPublished, _): isPublished
      case .executing, .returning: true
      case .finishing(let wasExecuting): wasExecuting
      }
    }

    var isFinished: Bool { state == .finished }

    /// Whether the result is decided: no later event changes it.
    var isDecided: Bool {
      switch state {
      case .pending(let decided), .starting(_, let decided): decided
      case .executing: false
      case .returning, .finishing, .finished: true
      }
    }

    var isEnding: Bool {
      switch state {
      case .pending, .starting, .executing, .returning: false
      case .finishing, .finished: true
      }
    }

    // MARK: Actions

    enum Action: Hashable, Sendable {
      case none
      /// Publish that it executes, then report `startCallbacksReturned`.
      case announce
      case runBody
      /// The cancel has decided the end: let it leave its queue, and call the `cancelled`
      /// observers.
      case cancelPending
      /// Its end was decided before: let it leave its queue.
      case leaveQueue
      /// Call the `cancelled` observers; the thread that starts it publishes the end.
      case cancelStarting
      case cancelBody
      case cancelBodyAndPublish
      case publish
      /// This call decided; `start()` publishes the end.
      case record(isPending: Bool)
      /// Another call decided before. That is legal, because the operation was cancelled.
      case ignoreLate
      case reportSecondStart
      case reportSecondFinish

      var publishes: Bool { self == .publish || self == .cancelBodyAndPublish }
    }

    // MARK: Start

    mutating func startRequested() -> Action {
      guard case .pending(let decided) = state else { return .reportSecondStart }
      state =
        decided
        ? .finishing(wasExecuting: false) : .starting(isPublished: false, decided: false)
      return decided ? .publish : .announce
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
      case .pending(decided: true):
        return .leaveQueue
      case .pending(decided: false):
        state = .pending(decided: true)
        isCancelled = true
        return .cancelPending
      case .starting(let isPublished, decided: false):
        state = .starting(isPublished: isPublished, decided: true)
        isCancelled = true
        return .cancelStarting
      case .executing where !isCancelled:
        isCancelled = true
        return .cancelBody
      case .starting, .executing, .returning, .finishing, .finished:
        return .none
      }
    }

    /// A cancel that decides the end as well.
    ///
    /// It decides unless the end was decided before.
    mutating func cancelAndFinishRequested() -> Action {
      guard !isDecided else { return .none }
      let wasCancelled = isCancelled
      let action = cancelRequested()
      guard case .executing = state else { return action }
      state = .finishing(wasExecuting: true)
      return wasCancelled ? .publish : .cancelBodyAndPublish
    }

    // MARK: Finish

    mutating func finishRequested() -> Action {
      switch state {
      case .pending(decided: false):
        state = .pending(decided: true)
        return .record(isPending: true)
      case .starting(let isPublished, decided: false):
        state = .starting(isPublished: isPublished, decided: true)
        return .record(isPending: false)
      case .executing:
        state = .finishing(wasExecuting: true)
        return .publish
      case .pending, .starting, .returning, .finishing, .finished:
        return isCancelled ? .ignoreLate : .reportSecondFinish
      }
    }

    /// The body decides the end and publishes it a little later.
    ///
    /// No cancel and no other end can come in between.
    ///
    /// - Returns: Whether this call decided; `false` if the operation was cancelled.
    mutating func finishRequestedByBody() -> Bool {
      guard case .executing = state, !isCancelled else { return false }
      state = .returning
      return true
    }

    mutating func bodyReturned() -> Action {
      guard case .returning = state else { return .none }
      state = .finishing(wasExecuting: true)
      return .publish
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
