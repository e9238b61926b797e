/// When a row whose load has failed is loaded again without being asked to.
///
/// ```swift
/// configuration.retry = .backoff(.exponential(from: .milliseconds(200), limit: 4))
/// ```
///
/// `retry(_:)`, `invalidate(_:)` and `refresh(_:)` load it again under each policy, when it has a
/// claim. A failure is forgotten with the least recent of the last 1,000.
public enum RetryPolicy: Hashable, Sendable {
  /// Never.
  case never
  /// When the row is displayed the next time.
  case onNextDisplay
  /// After a delay, for as long as the row has a claim; meanwhile it counts as waiting. When the
  /// attempts are used up it has failed; its next display begins a new series.
  case backoff(RetryStrategy)
}
