import Foundation

/// An operation that tries again, after a delay, when its body throws.
///
/// ```swift
/// let feed = RetryOperation(.exponential(from: .milliseconds(200), limit: 4)) { attempt in
///   try await fetchFeed(fromMirror: attempt)
/// }
/// let posts = try await queue.value(of: feed)
/// ```
///
/// In a pause it keeps its place in its queue, but not its turn in an exclusive category. Then it
/// gets in line again, before those that have not begun, as they may wait for its place. It takes
/// the priority at which they are awaited. Pass `keepsTurn: true` for a critical section that goes
/// on. A time limit runs on. ``retryNow()`` ends a pause.
///
/// **Threading**: the body and `shouldRetry` run in a task of the operation. No thread blocks.
///
/// **Cancellation**: no attempt begins after a cancel or a timeout. A cancel also cancels the task
/// of the current attempt and ends a wait at once. The operation then finishes with the body's
/// value or error; in a pause, with `CancellationError`.
///
/// **Errors**: when no attempts are left, or `shouldRetry` returns `false`, the operation fails
/// with the error of the last attempt, untouched. A `Retry-After` counts as in ``RetryStrategy``.
///
/// **Cost**: one task for all attempts.
public final class RetryOperation<Value: Sendable>: ResultOperation<Value>, @unchecked Sendable {
  /// The work; attempts are counted from 0.
  public typealias Body = @Sendable (_ attempt: Int) async throws -> Value

  // Sendable: it never changes.
  private let attempts: RetryAttempts<Value>

  /// Makes an operation that tries `body` until it succeeds or no attempt is left.
  ///
  /// - Parameters:
  ///   - strategy: The delays before new attempts, and the number of attempts.
  ///   - clock: The clock that measures the delays.
  ///   - keepsTurn: Whether it keeps its turn in exclusive categories between attempts.
  ///   - shouldRetry: Whether an error of an attempt (counted from 0) is worth another one, if one
  ///     is left. The default is ``RetryStrategy/isTransient(_:)``.
  ///   - body: The work. The operation releases it when it has finished.
  public convenience init(
    _ strategy: RetryStrategy, clock: any Clock<Duration> = ContinuousClock(),
    keepsTurn: Bool = false,
    shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool = { error, _ in
      RetryStrategy.isTransient(error)
    },
    _ body: @escaping Body
  ) {
    self.init(strategy, Stopwatch(clock), keepsTurn: keepsTurn, shouldRetry, body)
  }

  init(
    _ strategy: RetryStrategy, _ stopwatch: Stopwatch, keepsTurn: Bool = false,
    _ shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool,
    _ body: @escaping Body
  ) {
    attempts = RetryAttempts(strategy, stopwatch, keepsTurn: keepsTurn, shouldRetry, body)
    super.init(hook: attempts)
  }

  /// Begins the first attempt; only `start()` calls it.
  public override func main() { attempts.begin(self) }

  /// Ends the pause before the next attempt, if there is one.
  ///
  /// An exclusive operation first waits for its turn.
  ///
  /// **Threading**: any thread.
  public func retryNow() { attempts.endPause() }

  override var workInProgress: String? { attempts.explanation }

  override var lastFailure: (any Error)? { attempts.lastFailure }
}
