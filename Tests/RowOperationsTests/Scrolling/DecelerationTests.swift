import Testing

@testable import RowOperations

@Suite("Deceleration")
struct DecelerationTests {
  static let velocities = [0.011, 0.02, 0.2, 0.4, 1, 2, 3, 4.6, 5, 40]
  static let kinds = [Deceleration.normal, .fast]

  /// Velocity in points per millisecond, distance in points and time in milliseconds, as measured.
  static let measuredFlings = [(1.0, 494.0, 2300.0), (2, 993, 2650), (5, 2490, 3100)]

  @Test("A rate of 0 or 1 is refused")
  func refusedRates() async {
    await #expect(processExitsWith: .failure) { _ = Deceleration(rate: 0) }
    await #expect(processExitsWith: .failure) { _ = Deceleration(rate: 1) }
  }

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
    "A fast deceleration stops the same fling after less distance and less time",
    arguments: velocities)
  func fast(velocity: Double) {
    let (normal, fast) = (Deceleration.normal, Deceleration.fast)
    #expect(fast.distance(velocity: velocity) < normal.distance(velocity: velocity))
    #expect(fast.duration(velocity: velocity) < normal.duration(velocity: velocity))
  }

  @Test("With the fast rate a fling of 2 points per millisecond travels 197 points in 527 ms")
  func fastFling() {
    #expect(abs(Deceleration.fast.distance(velocity: 2) - 197.01) < 0.001)
    #expect(abs(Deceleration.fast.duration(velocity: 2).milliseconds - 527.2) < 0.1)
  }

  @Test("A fling up mirrors a fling down", arguments: kinds, velocities)
  func symmetry(kind: Deceleration, velocity: Double) {
    #expect(kind.distance(velocity: -velocity) == -kind.distance(velocity: velocity))
    #expect(kind.duration(velocity: -velocity) == kind.duration(velocity: velocity))
    for milliseconds in stride(from: 0, through: 5000, by: 250) {
      let time = Duration.milliseconds(milliseconds)
      let (down, up) = (velocity, -velocity)
      #expect(kind.position(at: time, velocity: up) == -kind.position(at: time, velocity: down))
      #expect(kind.velocity(at: time, initial: up) == -kind.velocity(at: time, initial: down))
    }
  }

  @Test("A faster fling travels further and takes longer", arguments: kinds)
  func monotoneInVelocity(kind: Deceleration) {
    for (slow, quick) in zip(Self.velocities, Self.velocities.dropFirst()) {
      #expect(kind.distance(velocity: slow) < kind.distance(velocity: quick))
      #expect(kind.duration(velocity: slow) < kind.duration(velocity: quick))
    }
  }

  @Test("The list moves on, ever more slowly, until it rests", arguments: kinds, velocities)
  func monotoneInTime(kind: Deceleration, velocity: Double) {
    let duration = kind.duration(velocity: velocity)
    let times = (0...100).map { duration * $0 / 100 }
    for (early, late) in zip(times, times.dropFirst()) {
      #expect(
        kind.position(at: early, velocity: velocity) < kind.position(at: late, velocity: velocity))
      #expect(
        kind.velocity(at: early, initial: velocity) > kind.velocity(at: late, initial: velocity))
    }
  }

  @Test(
    "The position reaches the distance at the end of the duration", arguments: kinds, velocities)
  func end(kind: Deceleration, velocity: Double) {
    let distance = kind.distance(velocity: velocity)
    let duration = kind.duration(velocity: velocity)
    #expect(kind.position(at: .zero, velocity: velocity) == 0)
    #expect(kind.position(at: duration, velocity: velocity) == distance)
    #expect(kind.position(at: duration + .seconds(9), velocity: velocity) == distance)
    // The position does not jump at the end.
    let justBefore = duration - .nanoseconds(1)
    #expect(abs(kind.position(at: justBefore, velocity: velocity) - distance) < 0.000_001)
    #expect(abs(kind.velocity(at: justBefore, initial: velocity) - 0.01) < 0.000_001)
    #expect(kind.velocity(at: duration, initial: velocity) == 0)
  }

  @Test("Before the finger lifts, position and velocity are those of the start")
  func before() {
    #expect(Deceleration.normal.position(at: .milliseconds(-5), velocity: 2) == 0)
    #expect(Deceleration.normal.velocity(at: .milliseconds(-5), initial: 2) == 2)
  }

  @Test(
    "A velocity below the resting threshold, or one that is not finite, moves nothing",
    arguments: kinds, [0, -0.0, 0.005, 0.01, -0.01, .nan, .infinity, -.infinity])
  func resting(kind: Deceleration, velocity: Double) {
    #expect(kind.distance(velocity: velocity) == 0)
    #expect(kind.duration(velocity: velocity) == .zero)
    for time in [Duration.milliseconds(-5), .zero, .seconds(1)] {
      #expect(kind.position(at: time, velocity: velocity) == 0)
      #expect(kind.velocity(at: time, initial: velocity) == 0)
    }
  }
}
