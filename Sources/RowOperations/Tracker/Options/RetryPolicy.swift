/// The rule by which a tracker retries failed rows by itself.
///
/// ```swift
/// configuration.retry = .backoff(.exponential(from: .milliseconds(200), limit: 4))
/// ```
///
/// `retry(_:)`, `invalidate(_:)` and `refresh(_:)` load a claimed row again under each policy;
/// `resume()` and `networkDidReturn()` load failed displayed rows except under `never`.
///
/// A row is given up after three equal failures in a row, by domain and code of its `NSError`. All
/// attempts of one `backoff` count as one. A Swift error that is a struct has one code, unless it
/// is a `CustomNSError`. A display 30 seconds later makes one more attempt, unless `shouldRetry`
/// refuses the error.
///
/// A `Retry-After` of up to a minute pauses the ``UpdateSlots`` instead, except under `never`.
///
/// The last 1,000 failures are remembered.
public enum RetryPolicy: Hashable, Sendable {
  case never
  /// Retries on the next display of the row.
  case onNextDisplay
  /// Retries after a delay while the row has a claim.
  ///
  /// After the last attempt the row has failed; its next display begins anew. A `Retry-After` is
  /// the least delay; beyond the strategy's `longestWait` the row fails at once.
  case backoff(RetryStrategy)
}

extension RetryPolicy {
  var engine: TrackerEngine.Retry {
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
