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
/// code: conform it to `CustomNSError` to tell its values apart.
///
/// The last 1,000 failures are remembered.
public enum RetryPolicy: Hashable, Sendable {
  /// Never retries by itself.
  case never
  /// Retries on the next display of the row.
  case onNextDisplay
  /// Retries after a delay while the row has a claim, and shows it as waiting.
  ///
  /// After the last attempt the row has failed; its next display begins anew. After an
  /// `HTTPStatusError` with `Retry-After`, the row waits at least that long, or fails at once if
  /// the strategy's `longestWait` is shorter.
  case backoff(RetryStrategy)
}

extension RetryPolicy {
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
