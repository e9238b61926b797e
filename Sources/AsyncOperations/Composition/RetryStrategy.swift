import Foundation

/// The delays before new attempts, and the number of attempts.
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
  /// The largest number of attempts after the first one.
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
  ///   - delay: The delay before each attempt.
  ///   - limit: The largest number of attempts after the first one.
  public static func constant(_ delay: Duration, limit: Int) -> RetryStrategy {
    RetryStrategy(delays: .constant(delay), limit: limit)
  }

  /// Waits longer before each attempt.
  ///
  /// The delay before new attempt `n` (0, 1, 2 …) is `first * factor^n`, less a random part.
  ///
  /// - Parameters:
  ///   - first: The first delay.
  ///   - factor: The ratio of each delay to the one before it; 2 doubles them.
  ///   - maximum: The longest delay.
  ///   - jitter: The part of a delay that is random, from 0 to 1, so that many clients do not come
  ///     back at the same moment.
  ///   - limit: The largest number of attempts after the first one.
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

  /// Waits for each delay in turn, with one new attempt after each.
  public static func delays(_ delays: [Duration]) -> RetryStrategy {
    RetryStrategy(delays: .list(delays), limit: delays.count)
  }

  /// The delay before a new attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of the new attempt, counted from 0.
  ///   - chance: A number from 0 to 1, which decides the jitter.
  /// - Returns: The delay, or `nil` when there are no more attempts.
  public func delay(beforeRetry attempt: Int, chance: Double) -> Duration? {
    guard attempt >= 0, attempt < limit else { return nil }
    switch delays {
    case .constant(let delay):
      return max(delay, .zero)
    case .exponential(let first, let factor, let maximum, let jitter):
      // Zero times infinity is not a number.
      guard first > .zero else { return .zero }
      let delay = min(first.milliseconds * pow(factor, Double(attempt)), maximum.milliseconds)
      return .seconds(delay * (1 - jitter * Self.part(chance)) / 1000)
    case .list(let delays):
      return max(delays[attempt], .zero)
    }
  }

  /// A number limited to 0 through 1; 0 for NaN.
  private static func part(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
  }
}
