/// When a tracker loads a failed row again by itself.
///
/// ```swift
/// configuration.retry = .backoff(.exponential(from: .milliseconds(200), limit: 4))
/// ```
///
/// `retry(_:)`, `invalidate(_:)` and `refresh(_:)` load it again under each policy, when it has a
/// claim. Under each policy but `never`, displayed rows that failed are also loaded again after
/// `resume()` and `networkDidReturn()`.
///
/// Under each policy a row is given up when it fails three times in a row with the same failure, by
/// domain and code of its `NSError`. All attempts of one `backoff` count as one failure, the last.
/// A Swift error that is a struct has one code: conform it to `CustomNSError` where its values
/// differ.
///
/// The last 1,000 failures are remembered.
public enum RetryPolicy: Hashable, Sendable {
  /// Never.
  case never
  /// When the row is displayed the next time.
  case onNextDisplay
  /// After a delay, for as long as the row has a claim; meanwhile it counts as waiting. When the
  /// attempts are used up it has failed; its next display begins a new series.
  case backoff(RetryStrategy)
}
