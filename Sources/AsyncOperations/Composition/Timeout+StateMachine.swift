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
    case ranOut
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
    state = .ranOut
    return true
  }

  /// The operation tells that it was cancelled.
  ///
  /// - Returns: Whether time has run out, so that it is to fail with the library's error before its
  ///   work hears of the cancel and could end it otherwise.
  mutating func operationCancelled() -> Bool {
    guard state == .ranOut else { return false }
    state = .over
    return true
  }

  /// - Returns: Whether there is a wait to be ended.
  mutating func operationEnded() -> Bool {
    defer { state = .over }
    return state == .running
  }

  /// The thread that ran the time out is back from cancelling the operation.
  ///
  /// - Returns: Whether the operation is to fail now: somebody else had cancelled it before. Its work
  ///   was told of that, or will be when that cancel's observers have returned.
  mutating func cancelReturned() -> Bool {
    guard state == .ranOut else { return false }
    state = .over
    return true
  }
}
