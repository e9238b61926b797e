import Testing

@testable import RowOperations
@testable import RowOperationsTesting

@Suite("Positions of a fling")
struct FlingPositionTests {
  private let law = Deceleration.normal
  static let velocities = [0.011, 0.2, 1, 3, 40, -0.2, -3]

  @Test("The list moves on, ever more slowly, until it rests", arguments: velocities)
  func monotone(velocity: Double) {
    let duration = law.duration(velocity: velocity)
    let positions = (0...100).map { law.position(at: duration * $0 / 100, velocity: velocity) }
    let steps = zip(positions, positions.dropFirst()).map { abs($1) - abs($0) }
    #expect(steps.allSatisfy { $0 > 0 })
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test("The position reaches the distance at the end, without a jump", arguments: velocities)
  func end(velocity: Double) {
    let distance = law.distance(velocity: velocity)
    let duration = law.duration(velocity: velocity)
    #expect(law.position(at: .zero, velocity: velocity) == 0)
    #expect(law.position(at: duration, velocity: velocity) == distance)
    #expect(law.position(at: duration + .seconds(9), velocity: velocity) == distance)
    let justBefore = law.position(at: duration - .nanoseconds(1), velocity: velocity)
    #expect(abs(justBefore - distance) < 0.000_001)
  }

  @Test("A velocity that is no motion moves nothing", arguments: [0, 0.01, .nan, .infinity])
  func resting(velocity: Double) {
    #expect(law.position(at: .seconds(1), velocity: velocity) == 0)
  }
}
