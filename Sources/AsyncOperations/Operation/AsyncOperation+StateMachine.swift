extension AsyncOperation {
  /// The life of one operation as a value: events go in, the one thing to do next comes out.
  ///
  /// Each event is one atomic step; the shell takes it under its lock, then carries out the action
  /// with the lock released. Of all threads that start, cancel and finish at once, exactly one is
  /// handed each action.
  ///
  /// Callbacks are told in one order (started, cancelled, will finish) and none after `isFinished`
  /// was published. Since they run outside the lock, a thread that meets another one's callbacks in
  /// flight does not wait for them: it records what it decided and leaves the rest to that thread.
  ///
  /// - Thread A starts and is telling that it executes; thread B cancels or finishes. B records it.
  ///   A looks again when it is back, skips the body, and publishes.
  /// - Thread A cancels and is telling its observers; thread B finishes. B decides the result and
  ///   returns. A publishes it when the observers are back, and wakes the body up: it need not be the
  ///   body that has finished.
  struct StateMachine: Hashable, Sendable {
    private enum State: Hashable {
      /// Not started. Goes to `starting`, or to `finishing` when the start finds it cancelled or
      /// already decided.
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
      /// Whether the cancelling thread publishes, because its callbacks were in flight.
      var isLeftToCancel: Bool
    }

    private enum Cancellation: Hashable {
      case none
      /// Not a cancel: the end was decided before, and a thread is asking the queue for an early
      /// start. Goes back to `none`.
      case leavingQueue
      /// Requested while starting; the starting thread tells the observers.
      case recorded
      /// The cancelling thread is telling the observers.
      case inFlight
      case told
    }

    private var state: State = .pending(decided: false)
    private var cancellation: Cancellation = .none

    // MARK: What others read

    var isCancelled: Bool {
      switch cancellation {
      case .none, .leavingQueue: false
      case .recorded, .inFlight, .told: true
      }
    }

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

    /// Whether the result is settled: nothing that happens from now on changes it.
    var isDecided: Bool {
      switch state {
      case .pending(let decided), .starting(_, let decided): decided
      case .executing: false
      case .finishing, .finished: true
      }
    }

    /// Whether a thread has taken it upon itself to publish the end, or has done so: nobody who
    /// comes from now on is told of anything.
    var isEnding: Bool {
      switch state {
      case .pending, .starting, .executing: false
      case .finishing(let finishing): !finishing.isLeftToCancel
      case .finished: true
      }
    }

    // MARK: Start

    enum StartAction: Hashable, Sendable {
      /// Publish that it executes, then report `startCallbacksReturned`.
      case announce
      /// The body is not to run: publish the end.
      case publish
      /// The body is not to run, and the thread whose cancel is in flight publishes the end.
      case leaveToCancel
      /// Somebody else started it.
      case reportSecondStart
    }

    mutating func startRequested() -> StartAction {
      switch state {
      case .pending(let decided):
        guard decided || isCancelled else {
          state = .starting(isPublished: false, decided: false)
          return .announce
        }
        return finish(wasExecuting: false) ? .publish : .leaveToCancel
      case .starting, .executing, .finishing, .finished:
        return .reportSecondStart
      }
    }

    /// `isExecuting` reads true from here on.
    mutating func executingPublished() {
      guard case .starting(false, let decided) = state else { return }
      state = .starting(isPublished: true, decided: decided)
    }

    enum StartedAction: Hashable, Sendable {
      /// Nobody is starting it: nothing to do.
      case none
      case runBody
      case publish
      /// The cancel came while starting: tell its observers, then publish the end.
      case tellCancelledAndPublish
    }

    /// The start's emission and its observers are back.
    mutating func startCallbacksReturned() -> StartedAction {
      guard case .starting(_, let decided) = state else { return .none }
      guard decided || isCancelled else {
        state = .executing
        return .runBody
      }
      let mustTell = cancellation == .recorded
      if mustTell { cancellation = .told }
      state = .finishing(Finishing(wasExecuting: true, isLeftToCancel: false))
      return mustTell ? .tellCancelledAndPublish : .publish
    }

    // MARK: Cancel

    enum CancelAction: Hashable, Sendable {
      /// Nothing to do: it was cancelled or decided before, or the starting thread takes over.
      case none
      /// Its end is decided but it was not started: only ask the queue for an early start, then
      /// report `cancelCallbacksReturned`.
      case leaveQueue
      /// Tell the queue if it still waits there, then the observers; then report
      /// `cancelCallbacksReturned`.
      case tell(isPending: Bool)
    }

    mutating func cancelRequested() -> CancelAction {
      switch (state, cancellation) {
      case (.pending(false), .none):
        cancellation = .inFlight
        return .tell(isPending: true)
      case (.executing, .none):
        cancellation = .inFlight
        return .tell(isPending: false)
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

    enum CancelledAction: Hashable, Sendable {
      case none
      /// The body runs and may not have noticed: wake it up.
      case wakeBody
      /// It was decided meanwhile: publish the end.
      case publish
      /// It was decided meanwhile, perhaps by somebody else than the body that runs: publish the end,
      /// then wake the body up.
      case publishAndWakeBody
    }

    /// The cancel's announcement and its observers are back.
    mutating func cancelCallbacksReturned() -> CancelledAction {
      switch cancellation {
      case .leavingQueue: cancellation = .none
      case .inFlight: cancellation = .told
      case .none, .recorded, .told: return .none
      }
      switch state {
      case .executing:
        return .wakeBody
      case .finishing(let finishing) where finishing.isLeftToCancel:
        state = .finishing(Finishing(wasExecuting: finishing.wasExecuting, isLeftToCancel: false))
        return finishing.wasExecuting ? .publishAndWakeBody : .publish
      case .pending, .starting, .finishing, .finished:
        return .none
      }
    }

    // MARK: Finish

    enum FinishAction: Hashable, Sendable {
      /// This call decided. Publish the end.
      case publish
      /// This call decided. `start()`, or the thread that is busy with callbacks, publishes.
      case record
      /// Another call decided before; that is legal because the operation was cancelled.
      case ignoreLate
      /// Another call decided before.
      case reportSecondFinish
    }

    mutating func finishRequested() -> FinishAction {
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

    /// Decides the end, and says whether the caller is the one to publish it.
    private mutating func finish(wasExecuting: Bool) -> Bool {
      let isLeftToCancel = cancellation == .inFlight || cancellation == .leavingQueue
      state = .finishing(Finishing(wasExecuting: wasExecuting, isLeftToCancel: isLeftToCancel))
      return !isLeftToCancel
    }

    /// The "will finish" observers are back: `isFinished` reads true from here on.
    ///
    /// - Returns: Whether `isExecuting` changed as well.
    mutating func finishPublished() -> Bool {
      guard case .finishing(let finishing) = state else { return false }
      state = .finished
      return finishing.wasExecuting
    }
  }
}
