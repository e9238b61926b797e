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
/// runs in that task, between attempts.
///
/// **Cancellation**: cancelling the operation cancels the current attempt, ends a wait at once, and
/// prevents further attempts. The operation finishes when the body has returned or thrown, with
/// that value or error. If it was waiting, it finishes with `CancellationError`.
///
/// **Errors**: when no attempts are left, or `shouldRetry` returns `false`, the operation fails
/// with the error of the last attempt, untouched.
///
/// **Cost**: one task for all attempts.
public final class RetryOperation<Value: Sendable>: ResultOperation<Value>, @unchecked Sendable {
  /// The work; it receives the number of the attempt, counted from 0.
  public typealias Body = @Sendable (_ attempt: Int) async throws -> Value

  // Sendable: all mutable state is behind the lock.
  /// The attempts, until the operation has finished.
  private let series: Lock<TaskOperation<Value>?>

  /// Makes an operation that tries `body` until it succeeds or the strategy has no more delays.
  ///
  /// - Parameters:
  ///   - strategy: The delays before new attempts, and the number of attempts.
  ///   - clock: The clock that measures the delays.
  ///   - shouldRetry: Whether an error of an attempt (counted from 0) is worth another one. It is
  ///     called only if an attempt is left. The default tries again after every error except
  ///     `CancellationError`.
  ///   - body: The work. The operation releases it when it has finished.
  public init(
    _ strategy: RetryStrategy, clock: any Clock<Duration> = ContinuousClock(),
    shouldRetry: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Bool = { error, _ in
      !(error is CancellationError)
    },
    _ body: @escaping Body
  ) {
    series = Lock(
      TaskOperation { try await Self.attempts(body, strategy, clock, shouldRetry) })
    super.init()
  }

  /// Begins the first attempt.
  ///
  /// Only `start()` calls it.
  public override func main() {
    guard let series = series.withLock({ $0 }) else { return }
    series.qualityOfService = effectiveQualityOfService
    // The operation may have been ended from outside by then.
    series.onResult { [self] in finishIfUndecided(with: $0) }
    series.start()
  }

  /// Ends the wait or the attempt.
  ///
  /// Only `cancel()` calls it.
  public override func didCancel() { series.withLock { $0 }?.cancel() }

  /// Cancels and releases the attempts after any end, also after a timeout or before the start.
  override func didPublishFinish() {
    super.didPublishFinish()
    series.exchange(nil)?.cancel()
  }

  override func awaited(at priority: TaskPriority) {
    series.withLock { $0 }?.awaited(at: priority)
  }

  private static func attempts(
    _ body: Body, _ strategy: RetryStrategy, _ clock: any Clock<Duration>,
    _ shouldRetry: (any Error, Int) -> Bool
  ) async throws -> Value {
    var machine = RetryStateMachine()
    while let attempt = machine.attempt {
      do {
        return try await body(attempt)
      } catch {
        var delay: Duration?
        if !Task.isCancelled {
          delay = strategy.delay(beforeRetry: attempt, chance: .random(in: 0...1))
        }
        if delay != nil, !shouldRetry(error, attempt) { delay = nil }
        switch machine.attemptFailed(isCancelled: Task.isCancelled, delay: delay) {
        case .giveUp: throw error
        case .wait(let delay): if delay > .zero { try? await clock.pause(for: delay) }
        }
      }
      if machine.waitEnded(isCancelled: Task.isCancelled) == .giveUp { break }
    }
    throw CancellationError()
  }
}
