/// The meaning of an error for retries.
package struct FailureCause: Hashable, Sendable {
  /// Equal for errors of one domain and code.
  package let kind: Int
  /// Whether the load may be retried without a request.
  let isRetryable: Bool
  /// The return of the network may cure the failure.
  let isConnectivity: Bool
  /// The least delay that a server has requested.
  let retryAfter: Duration?

  package init(
    kind: Int, isRetryable: Bool = true, isConnectivity: Bool = false, retryAfter: Duration? = nil
  ) {
    self.kind = kind
    self.isRetryable = isRetryable
    self.isConnectivity = isConnectivity
    self.retryAfter = retryAfter
  }

  /// That of the slots, in nanoseconds.
  package var pause: Int64? {
    guard let retryAfter, retryAfter <= .seconds(60) else { return nil }
    return max(retryAfter, .seconds(1)).nanoseconds
  }
}

/// The failed attempts since a load had a value or was retried on request.
struct FailureSeries: Sendable {
  /// A load is given up after so many equal failures in a row.
  private static let repeatLimit = 3

  /// Of the last attempt.
  private(set) var cause = FailureCause(kind: 0)
  private(set) var lastFailure: Int64 = 0
  /// Failed ones since the last display.
  private(set) var attempts = 0
  /// The part of a failed batch that the row loads with; 0 for any row.
  var part: UInt64 = 0
  /// The failure before the last display, and its repeats.
  private var earlier = (kind: 0, repeats: 0)

  init() {}

  /// How many displays in a row ended with this failure; the attempts of one backoff count once.
  var repeats: Int {
    guard attempts > 0 else { return earlier.repeats }
    return cause.kind == earlier.kind ? earlier.repeats + 1 : 1
  }

  var isGivenUp: Bool { !cause.isRetryable || repeats >= Self.repeatLimit }

  /// Whether the attempt after that has failed too.
  var isGivenUpAgain: Bool { repeats > Self.repeatLimit }

  func nextChance(after rest: Int64) -> Int64? { cause.isRetryable ? lastFailure + rest : nil }

  mutating func add(_ cause: FailureCause, at now: Int64) {
    attempts += 1
    self.cause = cause
    lastFailure = now
  }

  /// A batch's failure counts for no single row.
  mutating func addShared(_ cause: FailureCause, part: UInt64) {
    self.cause = cause
    self.part = part
  }

  /// For another display.
  mutating func beginAnew() {
    guard attempts > 0 else { return }
    earlier = (cause.kind, repeats)
    attempts = 0
  }
}
