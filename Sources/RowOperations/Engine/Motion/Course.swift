/// The way that is left for a moving list, in rows.
///
/// With the usual deceleration, speed falls with a time constant `τ` of half a second. So a list
/// travels `D · (1 - exp(-t / τ))` rows in a time `t`. `D`, all the way, is known if the list says
/// where it will rest. Otherwise it is the pace times `τ`.
struct Course: Hashable, Sendable {
  /// `-1 / ln 0.998` milliseconds, in nanoseconds.
  static let timeConstant = 499_500_000.0

  /// Rows that still come on screen; 0 at rest or without a known pace.
  let distance: Double

  init(distance: Double) { self.distance = max(distance, 0) }

  /// - Parameter pace: Rows per nanosecond.
  init(pace: Double) { self.init(distance: pace * Self.timeConstant) }

  /// In nanoseconds; infinite if the list rests before.
  func time(toPass rows: Double) -> Double {
    guard rows > 0 else { return 0 }
    guard rows < distance else { return .infinity }
    return -Self.timeConstant * (1 - rows / distance).naturalLogarithm
  }
}
