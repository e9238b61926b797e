import Foundation

/// The deceleration of a list after a finger lifts.
///
/// The velocity decays as `v(t) = v0 * d^t` with `t` in milliseconds and `d` the rate; the list
/// rests once it is slower than 0.01 points per millisecond. It fits recorded flings of
/// `UIScrollView` within 1 point and 18 milliseconds. Velocities are in points per millisecond.
package struct Deceleration: Hashable, Sendable {
  /// The share of the velocity after a millisecond.
  package let rate: Double

  package static let normal = Deceleration(rate: 0.998)

  private static let restingVelocity = 0.01

  /// A NaN or infinite velocity, as from two touches at one moment, counts as rest.
  private static func isMoving(_ velocity: Double) -> Bool {
    velocity.isFinite && abs(velocity) > restingVelocity
  }

  init(rate: Double) { self.rate = rate }

  /// In points, with the sign of the velocity: `(v0 - 0.01) * d / (1 - d)`.
  package func distance(velocity: Double) -> Double {
    guard Self.isMoving(velocity) else { return 0 }
    let magnitude = (abs(velocity) - Self.restingVelocity) * rate / (1 - rate)
    return velocity < 0 ? -magnitude : magnitude
  }

  /// `ln(0.01 / v0) / ln d` milliseconds.
  package func duration(velocity: Double) -> Duration {
    guard Self.isMoving(velocity) else { return .zero }
    return .seconds(log(Self.restingVelocity / abs(velocity)) / log(rate) / 1000)
  }
}
