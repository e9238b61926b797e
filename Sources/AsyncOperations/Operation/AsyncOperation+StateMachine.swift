extension AsyncOperation {
  /// The life of one operation as a value: events go in, and the next action comes out.
  ///
  /// Each event is one atomic step. The shell takes the step under its lock, then carries out the
  /// action with the lock released. Of all threads that start, cancel and finish at once, exactly
  /// one receives each action.
  ///
  /// Observers are called in one order: started, cancelled, will finish, did finish. Only
  /// `didFinish` comes after `isFinished` is published. Observers run outside the lock. A thread
  /// that meets another thread's callbacks in flight does not wait for them: it records its
  /// decision and leaves the rest to that thread.
  ///
  /// - Thread A starts and calls the `started` observers; thread B cancels or finishes. B records
  ///   it. When the observers have returned, A looks again, skips the body, and publishes.
  /// - Thread A cancels and calls the `cancelled` observers; thread B finishes. B decides the
  ///   result and returns. When the observers have returned, A publishes the end and wakes the body
  ///   up, since another thread may have decided the end.
  struct StateMachine: Hashable, Sendable {
    private enum State: Hashable {
      /// Not started. Goes to `starting`, or to `finishing` when it is cancelled or decided by
      /// then.
      case pending(decided: Bool)
      /// The start's emission and observers are in flight. Goes to `executing` or `finishing`.
      case starting(isPublished: Bool, decided: Bool)
      /// The body runs. Goes to `finishing`.
      case executing
      /// Decided; `isFinished` still reads false. Goes to `finished`.
      case finishing(Finishing)
      /// `isFinished` reads true. The end.
      case finished
    }

    private struct Finishing: Hashable {
      /// Whether `isExecuting` was published as true, and so has to be published as false.
      var wasExecuting: Bool
      var publisher: Publisher
    }

    private enum Publisher: Hashable {
      /// The thread that decided the end, or that found it decided.
      case decider
      /// The cancelling thread, because its callbacks were in flight.
      case canceller
      /// The thread of the body, which decided the end and has work left before it.
      case body
    }

    private enum Cancellation: Hashable {
      case none
      /// Not a cancel: the end is decided, and a thread requests an early start from the queue.
      ///
      /// Goes back to `none`.
      case leavingQueue
      /// Requested while starting; the starting thread calls the observers.
      case recorded
      /// The cancelling thread calls the observers.
      case inFlight
      case announced
    }

    private var state: State = .pending(decided: false)
    private var cancellation: Cancellation = .none

    // MARK: State

    var isCancelled: Bool {
      switch cancellation {
      case .none, .leavingQueue: false
      case .recorded, .inFlight, .announced: true
      }
    }

    /// Whether it was cancelled, or its end is decided and it is leaving its queue.
    var wasCancelRequested: Bool { cancellation != .none }

    var wasStarted: Bool {
      switch state {
      case .pending: false
      case .starting, .executing, .finishing, .finished: true
      }
    }

    var isExecuting: Bool {
      switch state {
      case .pending, .finished: false
      case .starting(let isPublished, _): isPublished
      case .executing: true
      case .finishing(let finishing): finishing.wasExecuting
      }
    }

    var isFinished: Bool { state == .finished }

    /// Whether the result is decided: no later event changes it.
    var isDecided: Bool {
      switch state {
      case .pending(let decided), .starting(_, let decided): decided
      case .executing: false
      case .finishing, .finished: true
      }
    }

    /// Whether a thread publishes the end, or has published it.
    var isEnding: Bool {
      switch state {
      case .pending, .starting, .executing: false
      case .finishing(let finishing): finishing.publisher == .decider
      case .finished: true
      }
    }

    // MARK: Actions

    /// The action that follows an event.
    enum Action: Hashable, Sendable {
      case none
      /// Publish that it executes, then report `startCallbacksReturned`.
      case announce
      case runBody
      /// Its end is decided but it has not started: let it leave its queue, then report
      /// `cancelCallbacksReturned`.
      case leaveQueue
      /// Let it leave its queue if it still waits there, call the `cancelled` observers, then
      /// report `cancelCallbacksReturned`.
      case announceCancel(isPending: Bool)
      /// The body runs and may not have noticed the cancel: wake it up.
      case wakeBody
      case publish
      /// Publish the end, then wake the body up: another thread may have ended it.
      case publishAndWakeBody
      /// The cancel came while starting: call the `cancelled` observers, then publish the end.
      case announceCancelAndPublish
      /// This call decided. Another thread publishes the end, or `start()` does.
      case record
      /// Another call decided before. That is legal, because the operation was cancelled.
      case ignoreLate
      case reportSecondStart
      case reportSecondFinish

      /// Whether the thread that receives the action publishes the end.
      var publishes: Bool {
        switch self {
        case .publish, .publishAndWakeBody, .announceCancelAndPublish: true
        case .none, .announce, .runBody, .leaveQueue, .announceCancel, .wakeBody, .record,
          .ignoreLate, .reportSecondStart, .reportSecondFinish:
          false
        }
      }
    }

    // MARK: Start

    mutating func startRequested() -> Action {
      switch state {
      case .pending(let decided):
        guard decided || isCancelled else {
          state = .starting(isPublished: false, decided: false)
          return .announce
        }
        return finish(wasExecuting: false) ? .publish : .none
      case .starting, .executing, .finishing, .finished:
        return .reportSecondStart
      }
    }

    /// `isExecuting` reads true from here on.
    mutating func executingPublished() {
      guard case .starting(false, let decided) = state else { return }
      state = .starting(isPublished: true, decided: decided)
    }

    /// The start's emission and its observers have returned.
    mutating func startCallbacksReturned() -> Action {
      guard case .starting(_, let decided) = state else { return .none }
      guard decided || isCancelled else {
        state = .executing
        return .runBody
      }
      let mustNotify = cancellation == .recorded
      if mustNotify { cancellation = .announced }
      state = .finishing(Finishing(wasExecuting: true, publisher: .decider))
      return mustNotify ? .announceCancelAndPublish : .publish
    }

    // MARK: Cancel

    mutating func cancelRequested() -> Action {
      switch (state, cancellation) {
      case (.pending(false), .none):
        cancellation = .inFlight
        return .announceCancel(isPending: true)
      case (.executing, .none):
        cancellation = .inFlight
        return .announceCancel(isPending: false)
      case (.starting(_, false), .none):
        cancellation = .recorded
        return .none
      case (.pending(true), .none):
        cancellation = .leavingQueue
        return .leaveQueue
      case (.pending, _), (.starting, _), (.executing, _), (.finishing, _), (.finished, _):
        return .none
      }
    }

    /// A cancel that decides the end as well.
    ///
    /// - Returns: The action, and whether this call decided.
    mutating func cancelAndFinishRequested() -> (action: Action, decides: Bool) {
      guard !isDecided else { return (.none, false) }
      let action = cancelRequested()
      return (finishRequested() == .publish ? .publish : action, true)
    }

    /// The cancel's announcement and its observers have returned.
    mutating func cancelCallbacksReturned() -> Action {
      switch cancellation {
      case .leavingQueue: cancellation = .none
      case .inFlight: cancellation = .announced
      case .none, .recorded, .announced: return .none
      }
      switch state {
      case .executing:
        return .wakeBody
      case .finishing(let finishing) where finishing.publisher == .canceller:
        state = .finishing(
          Finishing(wasExecuting: finishing.wasExecuting, publisher: .decider))
        return finishing.wasExecuting ? .publishAndWakeBody : .publish
      case .pending, .starting, .finishing, .finished:
        return .none
      }
    }

    // MARK: Finish

    mutating func finishRequested() -> Action {
      switch state {
      case .pending(false):
        state = .pending(decided: true)
        return .record
      case .starting(let isPublished, false):
        state = .starting(isPublished: isPublished, decided: true)
        return .record
      case .executing:
        return finish(wasExecuting: true) ? .publish : .record
      case .pending(true), .starting(_, true), .finishing, .finished:
        return isCancelled ? .ignoreLate : .reportSecondFinish
      }
    }

    /// The body decides the end and publishes it a little later.
    ///
    /// No cancel and no other end can come in between.
    ///
    /// - Returns: Whether this call decided; `false` if the operation was cancelled.
    mutating func finishRequestedByBody() -> Bool {
      guard case .executing = state, cancellation == .none else { return false }
      state = .finishing(Finishing(wasExecuting: true, publisher: .body))
      return true
    }

    /// The body that decided the end has finished its remaining work.
    mutating func bodyReturned() -> Action {
      guard case .finishing(let finishing) = state, finishing.publisher == .body else {
        return .none
      }
      state = .finishing(Finishing(wasExecuting: finishing.wasExecuting, publisher: .decider))
      return .publish
    }

    /// Decides the end, and returns whether the caller publishes it.
    private mutating func finish(wasExecuting: Bool) -> Bool {
      let isCancelling = cancellation == .inFlight || cancellation == .leavingQueue
      let publisher = isCancelling ? Publisher.canceller : .decider
      state = .finishing(Finishing(wasExecuting: wasExecuting, publisher: publisher))
      return publisher == .decider
    }

    /// The `willFinish` observers have returned: `isFinished` reads true from here on.
    ///
    /// - Returns: Whether `isExecuting` changed as well.
    mutating func finishPublished() -> Bool {
      guard case .finishing(let finishing) = state else { return false }
      state = .finished
      return finishing.wasExecuting
    }
  }
}
