/// What becomes of one operation's time limit, as a value.
///
/// The operation's end, its cancelling by others and the passing of time race; each is one step
/// under a lock, and the action is carried out after it.
struct TimeoutStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// The operation has not started. Goes to `running` or `over`.
    case idle
    /// Time passes. Goes to `ranOut` or `over`.
    case running
    /// Time ran out and the operation is being cancelled. Goes to `over`.
    case ranOut(isFailed: Bool)
    /// The operation has ended, or has been made to. The end.
    case over
  }

  private var state = State.idle

  /// Whether time passes.
  var isRunning: Bool { state == .running }

  /// - Returns: Whether to begin to wait.
  mutating func operationStarted() -> Bool {
    guard state == .idle else { return false }
    state = .running
    return true
  }

  /// - Returns: Whether to cancel the operation, and to report `cancelReturned` after that.
  mutating func timePassed() -> Bool {
    guard state == .running else { return false }
    state = .ranOut(isFailed: false)
    return true
  }

  /// The operation tells that it was cancelled.
  ///
  /// - Returns: Whether time has run out, so that it is to fail with the library's error before its
  ///   work hears of the cancel and could end it otherwise. The thread that ran it out knows at once:
  ///   it may be on its way to `cancelReturned`, as it need not be the one that cancels.
  mutating func operationCancelled() -> Bool {
    guard state == .ranOut(isFailed: false) else { return false }
    state = .ranOut(isFailed: true)
    return true
  }

  /// The operation had its result before it could take the library's error.
  mutating func errorCameTooLate() {
    if state == .ranOut(isFailed: true) { state = .ranOut(isFailed: false) }
  }

  /// - Returns: Whether there is a wait to be ended.
  mutating func operationEnded() -> Bool {
    switch state {
    case .idle, .over:
      state = .over
      return false
    case .running:
      state = .over
      return true
    case .ranOut(let isFailed):
      // The thread that cancels is on its way to `cancelReturned`, and has nothing left to do there
      // if the work came to its end just then.
      if !isFailed { state = .over }
      return false
    }
  }

  enum CancelReturnedAction: Hashable, Sendable {
    /// The result was set before the work could hear of the cancel: tell it now.
    case wakeWork
    /// The work was told before, by somebody else, and goes on: end the operation.
    case fail
    case none
  }

  mutating func cancelReturned() -> CancelReturnedAction {
    guard case .ranOut(let isFailed) = state else { return .none }
    state = .over
    return isFailed ? .wakeWork : .fail
  }
}
