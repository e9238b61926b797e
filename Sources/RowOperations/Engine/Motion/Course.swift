/// The way that a moving list still has before it, in rows.
///
/// A list with the usual deceleration loses its speed with a time constant `τ` of half a second, so
/// it travels `D · (1 - exp(-t / τ))` rows in a time `t`. `D`, all the way, is known where the list
/// says where it will rest. Otherwise it is the pace times `τ`.
struct Course: Hashable, Sendable {
  /// `-1 / ln 0.998` milliseconds, in nanoseconds.
  static let timeConstant = 499_500_000.0

  /// The number of rows that still come on screen; 0 if the list rests or its pace is unknown.
  let distance: Double

  init(distance: Double) { self.distance = max(distance, 0) }

  /// - Parameter pace: The rows that come on screen per nanosecond.
  init(pace: Double) { self.init(distance: pace * Self.timeConstant) }

  /// The time until some rows have come on screen, in nanoseconds; infinite if the list rests
  /// before.
  func time(toPass rows: Double) -> Double {
    guard rows > 0 else { return 0 }
    guard rows < distance else { return .infinity }
    return -Self.timeConstant * (1 - rows / distance).naturalLogarithm
  }
}
