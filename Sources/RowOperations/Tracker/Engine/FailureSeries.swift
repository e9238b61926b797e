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
package struct FailureSeries: Sendable {
  /// After so many equal failures in a row a load is given up.
  private static let repeatLimit = 3

  /// Why the last attempt failed.
  package private(set) var cause = FailureCause(kind: 0)
  /// How many attempts failed since the last display.
  package private(set) var attempts = 0
  /// How the attempts before the last display ended, and how many in a row ended so.
  private var earlier = (kind: 0, repeats: 0)

  package init() {}

  /// How many displays in a row ended with this failure: the attempts of one backoff count once.
  package var repeats: Int {
    guard attempts > 0 else { return earlier.repeats }
    return cause.kind == earlier.kind ? earlier.repeats + 1 : 1
  }

  package var isGivenUp: Bool { !cause.isRetryable || repeats >= Self.repeatLimit }

  /// Another attempt failed.
  package mutating func add(_ cause: FailureCause) {
    attempts += 1
    self.cause = cause
  }

  /// The next attempt belongs to another display.
  package mutating func beginAnew() {
    guard attempts > 0 else { return }
    earlier = (cause.kind, repeats)
    attempts = 0
  }
}
