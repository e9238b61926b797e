import Foundation

/// How long to wait before each new attempt, and how many attempts there are.
///
/// ```swift
/// let strategy = RetryStrategy.exponential(from: .milliseconds(200), limit: 4)
/// ```
public struct RetryStrategy: Hashable, Sendable {
  private enum Delays: Hashable {
    case constant(Duration)
    case exponential(first: Duration, factor: Double, maximum: Duration, jitter: Double)
    case list([Duration])
  }

  private let delays: Delays
  /// How many attempts follow the first one at most.
  public let limit: Int

  /// Tries again without a delay.
  ///
  /// - Parameter limit: How many attempts follow the first one at most.
  public static func immediate(limit: Int) -> RetryStrategy {
    constant(.zero, limit: limit)
  }

  /// Waits equally long before each attempt.
  ///
  /// - Parameters:
  ///   - delay: Before each attempt.
  ///   - limit: How many attempts follow the first one at most.
  public static func constant(_ delay: Duration, limit: Int) -> RetryStrategy {
    RetryStrategy(delays: .constant(delay), limit: limit)
  }

  /// Waits longer before each attempt.
  ///
  /// The delay before new attempt `n` (0, 1, 2 …) is `first * factor^n`, less what is left to
  /// chance.
  ///
  /// - Parameters:
  ///   - first: The first delay.
  ///   - factor: By how much each delay exceeds the one before it; 2 doubles them.
  ///   - maximum: No delay is longer.
  ///   - jitter: Which part of a delay is left to chance, from 0 to 1, so that many clients do not
  ///     come back at the same moment.
  ///   - limit: How many attempts follow the first one at most.
  public static func exponential(
    from first: Duration, factor: Double = 2, maximum: Duration = .seconds(60),
    jitter: Double = 0.5, limit: Int
  ) -> RetryStrategy {
    RetryStrategy(
      delays: .exponential(
        first: max(first, .zero), factor: factor > 1 ? factor : 1, maximum: max(maximum, .zero),
        jitter: part(jitter)),
      limit: limit)
  }

  /// Waits for each of these in turn; there are as many new attempts as delays.
  public static func delays(_ delays: [Duration]) -> RetryStrategy {
    RetryStrategy(delays: .list(delays), limit: delays.count)
  }

  /// How long to wait before a new attempt.
  ///
  /// - Parameters:
  ///   - attempt: Which new attempt, counted from 0.
  ///   - chance: A number from 0 to 1, which decides on the jitter.
  /// - Returns: The delay, or `nil` when there are no more attempts.
  public func delay(beforeRetry attempt: Int, chance: Double) -> Duration? {
    guard attempt >= 0, attempt < limit else { return nil }
    switch delays {
    case .constant(let delay):
      return max(delay, .zero)
    case .exponential(let first, let factor, let maximum, let jitter):
      // Endlessly many times nothing would be no number.
      guard first > .zero else { return .zero }
      let delay = min(first.milliseconds * pow(factor, Double(attempt)), maximum.milliseconds)
      return .seconds(delay * (1 - jitter * Self.part(chance)) / 1000)
    case .list(let delays):
      return max(delays[attempt], .zero)
    }
  }

  /// A number as a part of a whole, from 0 to 1; what is no number is no part.
  private static func part(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
  }
}
