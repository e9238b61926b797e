import RowOperations

/// A clock that stands still until it is advanced.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// clock.advance(by: .milliseconds(150))
/// ```
///
/// **Threading**: any thread. **Cancellation**: a cancelled sleep ends at once.
public final class ManualClock: Clock, Sendable {
  /// A moment on the clock.
  public struct Instant: InstantProtocol, Sendable {
    /// The time on the clock.
    public let elapsed: Duration

    /// Makes a moment.
    public init(elapsed: Duration) { self.elapsed = elapsed }

    /// The moment after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(elapsed: elapsed + duration)
    }

    /// The duration to another moment.
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

    /// Whether one moment comes before the other.
    public static func < (a: Instant, b: Instant) -> Bool { a.elapsed < b.elapsed }
  }

  private typealias Sleeper = (
    deadline: Instant, continuation: CheckedContinuation<Void, any Error>
  )

  private struct State {
    var now = Instant(elapsed: .zero)
    var sleepers: [UInt64: Sleeper] = [:]
    var lastSleeper: UInt64 = 0
  }

  private let state = Lock(State())

  /// Makes a clock at zero.
  public init() {}

  /// The current moment.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that sleep on this clock.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock reaches a moment.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.sleepers[id] = (deadline, continuation) }
        // An earlier cancel did not find the sleeper.
        if Task.isCancelled { cancel(id) }
        advance(by: .zero)
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Advances the clock and wakes the sleepers that are due, earliest first.
  ///
  /// It does not wait for their work.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }
}
