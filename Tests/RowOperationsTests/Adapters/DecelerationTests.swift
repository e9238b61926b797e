import Testing

@testable import RowOperations

@Suite("Deceleration")
struct DecelerationTests {
  static let velocities = [0.011, 0.02, 0.2, 0.4, 1, 2, 3, 4.6, 5, 40]
  static let kinds = [Deceleration.normal, Deceleration(rate: 0.99)]

  /// Velocity in points per millisecond, distance in points and time in milliseconds, as measured.
  static let measuredFlings = [(1.0, 494.0, 2300.0), (2, 993, 2650), (5, 2490, 3100)]

  @Test(
    "The model agrees with measured flings within 1 point and 18 milliseconds",
    arguments: measuredFlings)
  func measured(velocity: Double, distance: Double, time: Double) {
    #expect(abs(Deceleration.normal.distance(velocity: velocity) - distance) <= 1)
    #expect(abs(Deceleration.normal.duration(velocity: velocity).milliseconds - time) <= 18)
  }

  @Test("The distance is the sum of the decaying velocity", arguments: kinds, velocities)
  func sum(kind: Deceleration, velocity: Double) {
    var (rest, distance, milliseconds) = (velocity, 0.0, 0)
    while rest > 0.01 {
      rest *= kind.rate
      distance += rest
      milliseconds += 1
    }
    // The last step is shorter than a millisecond.
    #expect(abs(kind.distance(velocity: velocity) - distance) <= 0.01)
    #expect(abs(kind.duration(velocity: velocity).milliseconds - Double(milliseconds)) <= 1)
  }

  @Test(
    "A velocity below the resting threshold, or one that is not finite, moves nothing",
    arguments: kinds, [0, -0.0, 0.005, 0.01, -0.01, .nan, .infinity, -.infinity])
  func resting(kind: Deceleration, velocity: Double) {
    #expect(kind.distance(velocity: velocity) == 0)
    #expect(kind.duration(velocity: velocity) == .zero)
  }
}
