import Foundation

/// The deceleration of a list after a finger lifts.
///
/// For lists that you connect yourself: it gives the place where the list will rest, for
/// ``DisplayTracker/scrollWillEnd(landingOn:)``. `ListTracking` needs none.
///
/// The velocity decays as `v(t) = v0 * d^t` with `t` in milliseconds and `d` the rate; the list
/// rests once it is slower than 0.01 points per millisecond. It fits recorded flings of
/// `UIScrollView` within 1 point and 18 milliseconds.
///
/// ```swift
/// let points = Deceleration.normal.distance(velocity: 2)  // about 993 points
/// ```
public struct Deceleration: Hashable, Sendable {
  /// The remaining share of the velocity after a millisecond.
  public let rate: Double

  /// The rate of `UIScrollView.DecelerationRate.normal`.
  public static let normal = Deceleration(rate: 0.998)
  /// The rate of `UIScrollView.DecelerationRate.fast`.
  public static let fast = Deceleration(rate: 0.99)

  /// The velocity below which a list rests, in points per millisecond.
  private static let restingVelocity = 0.01

  /// Whether a velocity means motion.
  ///
  /// A NaN or infinite one, as from two touches at one moment, counts as rest.
  private static func isMoving(_ velocity: Double) -> Bool {
    velocity.isFinite && abs(velocity) > restingVelocity
  }

  /// Makes a deceleration.
  ///
  /// - Parameter rate: The remaining share of the velocity after a millisecond; more than 0, less
  ///   than 1.
  public init(rate: Double) {
    precondition(rate > 0 && rate < 1, "A deceleration rate lies between 0 and 1.")
    self.rate = rate
  }

  /// The remaining distance of a list, in points, with the sign of the velocity.
  ///
  /// `(v0 - 0.01) * d / (1 - d)`, the decay summed up to rest.
  ///
  /// - Parameter velocity: In points per millisecond.
  public func distance(velocity: Double) -> Double {
    guard Self.isMoving(velocity) else { return 0 }
    let magnitude = (abs(velocity) - Self.restingVelocity) * rate / (1 - rate)
    return velocity < 0 ? -magnitude : magnitude
  }

  /// The remaining time until rest: `ln(0.01 / v0) / ln d` milliseconds.
  ///
  /// - Parameter velocity: In points per millisecond.
  public func duration(velocity: Double) -> Duration {
    guard Self.isMoving(velocity) else { return .zero }
    return .seconds(log(Self.restingVelocity / abs(velocity)) / log(rate) / 1000)
  }

  /// The distance travelled after a time, in points, with the sign of the velocity.
  ///
  /// - Parameters:
  ///   - time: The time since the finger lifted; beyond ``duration(velocity:)`` the list rests.
  ///   - velocity: The velocity when the finger lifted, in points per millisecond.
  public func position(at time: Duration, velocity: Double) -> Double {
    let time = max(time, .zero)
    guard time < duration(velocity: velocity) else { return distance(velocity: velocity) }
    return velocity * rate / (1 - rate) * (1 - pow(rate, time.milliseconds))
  }

  /// The velocity after a time, in points per millisecond; zero at rest.
  ///
  /// - Parameters:
  ///   - time: The time since the finger lifted.
  ///   - velocity: The velocity when the finger lifted, in points per millisecond.
  public func velocity(at time: Duration, initial velocity: Double) -> Double {
    let time = max(time, .zero)
    guard time < duration(velocity: velocity) else { return 0 }
    return velocity * pow(rate, time.milliseconds)
  }
}
