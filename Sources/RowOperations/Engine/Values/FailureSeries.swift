/// The properties of an error that decide about retries.
@usableFromInline
package struct FailureCause: Hashable, Sendable {
  /// Equal for errors of one domain and code.
  package let kind: Int
  /// Whether the load may be retried without a request.
  package let isRetryable: Bool
  /// Whether the return of the network may cure the failure.
  package let isConnectivity: Bool
  /// The least delay before the next attempt, as a server has requested it.
  package let retryAfter: Duration?

  package init(
    kind: Int, isRetryable: Bool = true, isConnectivity: Bool = false, retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.isRetryable = isRetryable
    self.isConnectivity = isConnectivity
    self.retryAfter = retryAfter
  }
}

/// The failed attempts of a load since it had a value or was retried on request.
package struct FailureSeries: Sendable {
  /// The number of equal failures in a row after which a load is given up.
  private static let repeatLimit = 3

  /// The cause of the last failed attempt.
  package private(set) var cause = FailureCause(kind: 0)
  /// The number of failed attempts since the last display.
  package private(set) var attempts = 0
  /// The part of a failed batch with which the row loads again; 0 if it may load with any row.
  package internal(set) var part: UInt64 = 0
  /// The failure before the last display, and its number of repeats.
  private var earlier = (kind: 0, repeats: 0)

  package init() {}

  /// The number of displays in a row that ended with this failure.
  ///
  /// The attempts of one backoff count once.
  package var repeats: Int {
    guard attempts > 0 else { return earlier.repeats }
    return cause.kind == earlier.kind ? earlier.repeats + 1 : 1
  }

  var isGivenUp: Bool { !cause.isRetryable || repeats >= Self.repeatLimit }

  /// Adds a failed attempt.
  package mutating func add(_ cause: FailureCause) {
    attempts += 1
    self.cause = cause
  }

  /// Adds a failure of a batch, which counts for no single row.
  mutating func addShared(_ cause: FailureCause, part: UInt64) {
    self.cause = cause
    self.part = part
  }

  /// Begins the attempts of another display.
  package mutating func beginAnew() {
    guard attempts > 0 else { return }
    earlier = (cause.kind, repeats)
    attempts = 0
  }
}
