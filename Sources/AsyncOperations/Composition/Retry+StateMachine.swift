/// The series of attempts of one ``RetryOperation`` as a value.
///
/// Only the task that makes the attempts has it, so it needs no lock. The inputs that depend on
/// chance and on the app (the delay, whether the error is worth another attempt) are passed in.
struct RetryStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// The attempt begins next, after its delay. Goes to `attempting` or `over`.
    case due(Int)
    /// An attempt is being made. Goes to `due` or `over`.
    case attempting(Int)
    /// There are no more attempts. The end.
    case over
  }

  private var state = State.due(0)

  /// The delay is over, or the wait was ended.
  ///
  /// - Parameter isCancelled: Whether the operation was cancelled, or its end is decided.
  /// - Returns: The attempt to make, counted from 0; `nil` ends the series.
  mutating func attemptDue(isCancelled: Bool) -> Int? {
    guard case .due(let attempt) = state, !isCancelled else {
      state = .over
      return nil
    }
    state = .attempting(attempt)
    return attempt
  }

  enum FailedAction: Hashable, Sendable {
    /// Wait so long, then report `attemptDue`.
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
    state = .due(attempt + 1)
    return .wait(delay)
  }
}
