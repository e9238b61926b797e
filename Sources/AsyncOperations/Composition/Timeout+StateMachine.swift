/// One operation's time limit as a value.
///
/// The operation's end and the passing of time race. Each is one step under a lock.
struct TimeoutStateMachine: Hashable, Sendable {
  private enum State: Hashable {
    /// The operation has not started. Goes to `running` or `over`.
    case idle
    /// Time passes. Goes to `over`.
    case running
    /// Time ran out, or the operation has ended.
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

  /// - Returns: Whether to end the operation.
  mutating func timePassed() -> Bool {
    guard state == .running else { return false }
    state = .over
    return true
  }

  /// - Returns: Whether to end a wait.
  mutating func operationEnded() -> Bool {
    defer { state = .over }
    return state == .running
  }
}
