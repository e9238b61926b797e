import Foundation

/// An operation that tries again when its body throws, after delays that a strategy gives.
///
/// ```swift
/// let feed = RetryOperation(.exponential(from: .milliseconds(200), limit: 4)) { attempt in
///   try await fetchFeed(fromMirror: attempt)
/// }
/// let posts = try await queue.value(of: feed)
/// ```
///
/// It keeps its place in its queue while it waits; no thread is blocked.
///
/// **Threading**: the body runs in a task of its own, one attempt after the other. `shouldRetry`
/// runs in that task, between attempts. With the continuous clock, a delay ends on time; the next
/// attempt then needs a thread that runs tasks.
///
/// **Cancellation**: a cancel is final. No attempt begins after it, nor after a timeout: each
/// attempt decides under the operation's lock whether it begins. A cancel also cancels the task of
/// the current attempt and ends a wait at once. The operation finishes when the body has returned
/// or thrown, with that value or error. If it was waiting, it finishes with `CancellationError`.
///
/// **Errors**: when no attempts are left, or `shouldRetry` returns `false`, the operation fails
/// with the error of the last attempt, untouched. After an ``HTTPStatusError`` with the header
/// `Retry-After`, the next attempt waits at least that long. If that is longer than
/// ``RetryStrategy/longestWait``, the operation fails with the error.
///
/// **Cost**: one task for all attempts.
public final class RetryOperation<Value: Sendable>: ResultOperation<Value>, @unchecked Sendable {
  /// The work; it receives the number of the attempt, counted from 0.
  public typealias Body = @Sendable (_ attempt: Int) async throws -> Value

  // Sendable: it never changes.
  private let attempts: RetryAttempts<Value>

  /// Makes an operation that tries `body` until it succeeds or the strategy has no more delays.
  ///
  /// - Parameters:
  ///   - strategy: The delays before new attempts, and the number of attempts.
  ///   - clock: The clock that measures the delays.
  ///   - shouldRetry: Whether an error of an attempt (counted from 0) is worth another one. It is
  ///     called only if an attempt is left. The default tries again after every error except
  ///     `CancellationError`.
  ///   - body: The work. The operation releases it when it has finished.
  public convenience init(
    _ strategy: RetryStrategy, clock: any Clock<Duration> = ContinuousClock(),
    shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool = { error, _ in
      !(error is CancellationError)
    },
    _ body: @escaping Body
  ) {
    self.init(strategy, Stopwatch(clock), shouldRetry, body)
  }

  init(
    _ strategy: RetryStrategy, _ stopwatch: Stopwatch,
    _ shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool,
    _ body: @escaping Body
  ) {
    attempts = RetryAttempts(strategy, stopwatch, shouldRetry, body)
    super.init(hook: attempts)
  }

  /// Begins the first attempt.
  ///
  /// Only `start()` calls it.
  public override func main() { attempts.begin(self) }

  override var workInProgress: String? { attempts.explanation }

  override var lastFailure: (any Error)? { attempts.lastFailure }
}
