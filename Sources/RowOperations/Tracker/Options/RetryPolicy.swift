/// The rule by which a tracker retries failed rows by itself.
///
/// ```swift
/// configuration.retry = .backoff(.exponential(from: .milliseconds(200), limit: 4))
/// ```
///
/// `retry(_:)`, `invalidate(_:)` and `refresh(_:)` load a claimed row again under each policy.
/// Except under `never`, `resume()` and `networkDidReturn()` also load failed displayed rows again.
///
/// A row is given up after three equal failures in a row, by domain and code of its `NSError`. All
/// attempts of one `backoff` count as one failure, the last. A Swift error that is a struct has one
/// code: conform it to `CustomNSError` if its values should differ.
///
/// The last 1,000 failures are remembered.
public enum RetryPolicy: Hashable, Sendable {
  /// Never retries by itself.
  case never
  /// Retries on the next display of the row.
  case onNextDisplay
  /// Retries after a delay while the row has a claim, and shows it as waiting.
  ///
  /// After the last attempt the row has failed; its next display begins a new series. After an
  /// `HTTPStatusError` with `Retry-After`, the row waits at least that long. It fails at once if
  /// that is longer than the strategy's `longestWait`.
  case backoff(RetryStrategy)
}

extension RetryPolicy {
  /// The engine's form of the policy, with the delays of the strategy.
  package var engine: TrackerEngine.Retry {
    switch self {
    case .never: .never
    case .onNextDisplay: .onNextDisplay
    case .backoff(let strategy):
      .backoff { retry, chance, least in
        strategy.delay(beforeRetry: retry, chance: chance, retryAfter: least)?.nanoseconds
      }
    }
  }
}
