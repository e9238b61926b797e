import Foundation

/// The delays before new attempts, and the number of attempts.
///
/// ```swift
/// let strategy = RetryStrategy.exponential(from: .milliseconds(200), limit: 4)
/// ```
///
/// The header `Retry-After` of an ``HTTPStatusError`` is the least delay. The jitter comes on top:
/// with 0.5, `Retry-After: 60` waits 60 to 90 seconds. Beyond ``longestWait``, there are no more
/// attempts.
public struct RetryStrategy: Hashable, Sendable {
  private enum Delays: Hashable {
    case constant(Duration)
    case exponential(first: Duration, factor: Double, maximum: Duration, jitter: Double)
    case list([Duration])
  }

  private let delays: Delays
  /// The largest number of attempts after the first one.
  public let limit: Int
  /// The longest time that a server may request by `Retry-After`.
  ///
  /// By default it is 60 seconds, or the longest delay if that is longer; with
  /// ``exponential(from:factor:maximum:jitter:limit:)``, the maximum.
  public var longestWait: Duration

  /// Tries again without a delay, at most `limit` times.
  public static func immediate(limit: Int) -> RetryStrategy {
    constant(.zero, limit: limit)
  }

  /// Waits equally long before each new attempt, at most `limit` times.
  public static func constant(_ delay: Duration, limit: Int) -> RetryStrategy {
    RetryStrategy(
      delays: .constant(delay), limit: limit, longestWait: max(delay, defaultLongestWait))
  }

  /// Waits longer before each attempt.
  ///
  /// The delay before new attempt `n` (0, 1, 2 …) is `first * factor^n`, minus a random part.
  ///
  /// - Parameters:
  ///   - first: The first delay.
  ///   - factor: The ratio of each delay to the one before it.
  ///   - maximum: The longest delay without `Retry-After`.
  ///   - jitter: The random part of a delay, from 0 to 1, so that clients do not come back
  ///     together.
  ///   - limit: The largest number of attempts after the first one.
  public static func exponential(
    from first: Duration, factor: Double = 2, maximum: Duration = .seconds(60),
    jitter: Double = 0.5, limit: Int
  ) -> RetryStrategy {
    RetryStrategy(
      delays: .exponential(
        first: max(first, .zero), factor: factor > 1 ? factor : 1, maximum: max(maximum, .zero),
        jitter: part(jitter)),
      limit: limit, longestWait: max(maximum, .zero))
  }

  /// Waits for each delay in turn, with one new attempt after each.
  public static func delays(_ delays: [Duration]) -> RetryStrategy {
    RetryStrategy(
      delays: .list(delays), limit: delays.count,
      longestWait: max(delays.max() ?? .zero, defaultLongestWait))
  }

  var largestCount: Int { limit == .max ? limit : max(limit, 0) + 1 }

  private static let defaultLongestWait = Duration.seconds(60)

  /// The delay before a new attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of the new attempt, counted from 0.
  ///   - chance: A number from 0 to 1, which decides the jitter.
  ///   - retryAfter: The least delay, as a server has requested it.
  /// - Returns: The delay, or `nil` when there are no more attempts.
  public func delay(
    beforeRetry attempt: Int, chance: Double, retryAfter: Duration? = nil
  ) -> Duration? {
    guard attempt >= 0, attempt < limit else { return nil }
    let own = delay(attempt, Self.part(chance))
    guard let retryAfter, retryAfter > own else { return own }
    guard retryAfter <= longestWait else { return nil }
    return retryAfter + retryAfter * (jitter * Self.part(chance))
  }

  private func delay(_ attempt: Int, _ chance: Double) -> Duration {
    switch delays {
    case .constant(let delay):
      return max(delay, .zero)
    case .exponential(let first, let factor, let maximum, let jitter):
      // Zero times infinity is not a number.
      guard first > .zero else { return .zero }
      let delay = min(first.milliseconds * pow(factor, Double(attempt)), maximum.milliseconds)
      return Self.seconds(delay * (1 - jitter * chance) / 1000)
    case .list(let delays):
      return max(delays[attempt], .zero)
    }
  }

  private var jitter: Double {
    guard case .exponential(_, _, _, let jitter) = delays else { return 0 }
    return jitter
  }

  /// A longer duration than the longest one of whole seconds would overflow.
  private static func seconds(_ seconds: Double) -> Duration {
    seconds < Double(Int64.max) ? .seconds(seconds) : .seconds(Int64.max)
  }

  private static func part(_ number: Double) -> Double {
    number > 0 ? min(number, 1) : 0
  }
}
