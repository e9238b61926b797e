/// Why an attempt to load failed, as far as it decides what follows.
@usableFromInline
package struct FailureCause: Hashable, Sendable {
  /// Equal for errors of one domain and code.
  package let kind: Int
  /// Whether the load may be tried again without being asked to.
  package let isRetryable: Bool
  /// Whether a network that comes back may mend it.
  package let isConnectivity: Bool

  package init(kind: Int, isRetryable: Bool = true, isConnectivity: Bool = false) {
    self.kind = kind
    self.isRetryable = isRetryable
    self.isConnectivity = isConnectivity
  }
}

/// The failed attempts of a load since it had a value or was retried on request.
package struct FailureSeries: Hashable, Sendable {
  /// After so many equal failures in a row a load is given up.
  private static let repeatLimit = 3

  /// Why the last attempt failed.
  package private(set) var cause = FailureCause(kind: 0)
  /// How many attempts failed since the last display.
  package private(set) var attempts = 0
  /// How many displays in a row ended with this failure: the attempts of one backoff count once.
  package private(set) var repeats = 0

  package init() {}

  package var isGivenUp: Bool { !cause.isRetryable || repeats >= Self.repeatLimit }

  /// Another attempt failed.
  package mutating func add(_ cause: FailureCause) {
    attempts += 1
    if cause.kind != self.cause.kind {
      repeats = 1
    } else if attempts == 1 {
      repeats += 1
    }
    self.cause = cause
  }

  /// The next attempt belongs to another display.
  package mutating func beginAnew() { attempts = 0 }
}
