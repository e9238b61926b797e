/// A moment of the continuous clock, with a layout that the compiler knows.
///
/// `ContinuousClock.Instant` may grow with the system, so code that stores one copies it with calls
/// of the runtime (figure B13).
struct Moment: InstantProtocol {
  private static let origin = ContinuousClock.now

  private let sinceOrigin: Duration

  static var now: Moment { Moment(sinceOrigin: origin.duration(to: .now)) }

  func advanced(by duration: Duration) -> Moment { Moment(sinceOrigin: sinceOrigin + duration) }

  func duration(to other: Moment) -> Duration { other.sinceOrigin - sinceOrigin }

  static func < (a: Moment, b: Moment) -> Bool { a.sinceOrigin < b.sinceOrigin }
}
