/// The series of attempts of one ``RetryOperation`` as a value.
///
/// Only the task that makes the attempts has it, so it needs no lock. The inputs that depend on
/// chance and on the app (the delay, whether the error is worth another attempt) are passed in.
struct RetryStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// An attempt is being made. Goes to `waiting` or `over`.
    case attempting(Int)
    /// The previous attempt has failed. Goes to `attempting` or `over`.
    case waiting(next: Int)
    /// There are no more attempts. The end.
    case over
  }

  private var state = State.attempting(0)

  /// The current attempt, counted from 0; `nil` between attempts and in the end.
  var attempt: Int? {
    switch state {
    case .attempting(let attempt): attempt
    case .waiting, .over: nil
    }
  }

  enum FailedAction: Hashable, Sendable {
    /// Wait so long, then report `waitEnded`.
    case wait(Duration)
    /// End with the error of the failed attempt.
    case giveUp
  }

  /// - Parameter delay: How long to wait; `nil` when there is no further attempt.
  mutating func attemptFailed(isCancelled: Bool, delay: Duration?) -> FailedAction {
    guard case .attempting(let attempt) = state, !isCancelled, let delay else {
      state = .over
      return .giveUp
    }
    state = .waiting(next: attempt + 1)
    return .wait(delay)
  }

  enum WaitedAction: Hashable, Sendable {
    case attempt(Int)
    /// End with the cancellation.
    case giveUp
  }

  /// The time is over, or the wait was cancelled.
  mutating func waitEnded(isCancelled: Bool) -> WaitedAction {
    guard case .waiting(let next) = state, !isCancelled else {
      state = .over
      return .giveUp
    }
    state = .attempting(next)
    return .attempt(next)
  }
}
