/// The rows around the screen that a tracker prefetches, if it knows the list's order.
///
/// The last motion decides the direction.
///
/// ```swift
/// configuration.prefetchWindow = PrefetchWindow(ahead: 4, behind: 1, limit: 80)
/// ```
public struct PrefetchWindow: Hashable, Sendable {
  /// The screens ahead of the motion, from 0 to 100.
  ///
  /// A screen has as many rows as the list shows now.
  public var ahead: Double
  /// The screens behind the motion, from 0 to 100.
  public var behind: Double
  /// The largest number of prefetched rows, announced ones included, from 0 to 1,000.
  ///
  /// Several lists share it, the nearest rows of each first. Beyond it, the rows that
  /// `prefetch(_:)` announced first lose their claims.
  public var limit: Int

  /// Makes a window; values are clamped to their ranges.
  public init(ahead: Double = 2.5, behind: Double = 1.5, limit: Int = 64) {
    self.ahead = ahead
    self.behind = behind
    self.limit = limit
  }

  var clamped: PrefetchWindow {
    func screens(_ value: Double) -> Double { value > 0 ? min(value, 100) : 0 }
    return PrefetchWindow(
      ahead: screens(ahead), behind: screens(behind), limit: min(max(limit, 0), 1_000))
  }
}
