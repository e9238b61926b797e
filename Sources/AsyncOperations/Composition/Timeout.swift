import Foundation

extension ResultOperation {
  /// Ends the operation if it executes for too long.
  ///
  /// The operation is then cancelled and fails with `OperationError` of the code `timedOut`, in one
  /// step, without waiting for its work (``cancel(throwing:)``).
  ///
  /// ```swift
  /// let feed = TaskOperation { try await fetchFeed() }
  /// feed.timeout(after: .seconds(10))
  /// let posts = try await queue.value(of: feed)
  /// ```
  ///
  /// The time counts from the start, and includes the pauses of a ``RetryOperation``. The error
  /// then quotes its last failure.
  ///
  /// **Threading**: any thread, before the operation starts; later it has no effect. With the
  /// continuous clock, the operation ends on time even if blocked bodies hold all threads that run
  /// tasks; another clock needs one of them. Limits that run out together end their operations one
  /// after the other. A callback or an observer that blocks delays the next end by up to 0.1
  /// seconds.
  ///
  /// **Cancellation**: a timeout also ends a cancelled operation that goes on.
  ///
  /// **Cost**: O(limits that run).
  ///
  /// - Parameters:
  ///   - duration: For how long the operation may execute. With zero or less, it fails when it
  ///     starts, without its body. More than 36 years count as no limit.
  ///   - clock: The clock that measures the time.
  @discardableResult
  public func timeout(
    after duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Self {
    timeout(after: duration, Stopwatch(clock))
  }

  @discardableResult
  func timeout(after duration: Duration, _ stopwatch: Stopwatch) -> Self {
    guard duration <= .longestWait else { return self }
    let limit = TimeLimit(duration, stopwatch)
    addObserver(
      OperationObserver(
        started: { ($0 as? Self).map(limit.started) }, didFinish: { limit.ended($0) }))
    return self
  }
}

/// Holds the operation weakly while it waits.
private final class TimeLimit: Sendable {
  private let duration: Duration
  private let stopwatch: Stopwatch
  /// `nil` before the start and after the end.
  private let wait = Lock<Stopwatch.Wait?>(nil)

  init(_ duration: Duration, _ stopwatch: Stopwatch) {
    self.duration = duration
    self.stopwatch = stopwatch
  }

  private func error(of operation: AsyncOperation) -> OperationError {
    let name = operation.name.map { " '\($0)'" } ?? ""
    let failure = operation.lastFailure.map { " Its last attempt failed: \($0.words)" }
    return OperationError(
      code: .timedOut,
      description: """
        The operation\(name) was cancelled because it had not finished \(duration) after its start. \
        Give it more time, or find out what it waits for.\(failure ?? "")
        """)
  }

  /// An end is published after this: it ends the wait.
  func started<Value>(_ operation: ResultOperation<Value>) {
    guard duration > .zero else { return ranOut(operation) }
    wait.exchange(
      stopwatch.wait(for: duration) { [weak operation, self] in
        if let operation { ranOut(operation) }
      })
  }

  private func ranOut<Value>(_ operation: ResultOperation<Value>) {
    operation.cancel(throwing: error(of: operation))
  }

  func ended(_ operation: AsyncOperation) { wait.exchange(nil)?.end(for: operation) }
}
