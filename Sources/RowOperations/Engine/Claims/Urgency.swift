/// When a row is on screen, in nanoseconds from now; infinite for never.
struct Visit: Hashable, Sendable {
  let begin: Double
  let end: Double
  /// The row's list moves, so the scroll policy may hold the row back.
  let isInMotion: Bool

  init(begin: Double, end: Double, isInMotion: Bool = true) {
    self.begin = begin
    self.end = end
    self.isInMotion = isInMotion
  }

  /// Never on screen, unless the list turns around.
  static let away = Visit(begin: .infinity, end: .infinity)

  /// Of two visits of one row, whether it is on screen first, or longest, at this one.
  func comesBefore(_ other: Visit) -> Bool {
    if begin != other.begin { return begin < other.begin }
    if end != other.end { return end > other.end }
    return !isInMotion && other.isInMotion
  }

  /// On screen for good, or not at all.
  static func resting(isDisplayed: Bool) -> Visit {
    Visit(begin: isDisplayed ? 0 : .infinity, end: .infinity, isInMotion: false)
  }
}

/// How much is lost if a waiting row does not get the next slot.
///
/// A load that starts now shows its value from `max(L, begin)` on, with the time `L` of a load. One
/// that waits for `H` more shows it from `max(H + L, begin)` on. So waiting keeps the row blank for
/// longer by `min(H + L, end) - max(L, begin)`. The urgency is this loss as a share of `H`: 1 for a
/// row on screen that stays, less for one that comes later or leaves soon. Without a loss it is
/// negative, and falls with the distance from the screen.
package struct Urgency: Hashable, Comparable, Sendable {
  let share: Double

  init(share: Double) { self.share = share }

  /// For a row that is on screen while the list rests.
  static let highest = Urgency(share: 1)
  /// For a row that loses nothing by waiting.
  package static let zero = Urgency(share: 0)
  /// For a row that is not on screen unless the list moves.
  static let lowest = Urgency(share: -.infinity)

  /// Whether a running prefetch with this loss gives its slot to a row with another one.
  ///
  /// That row loses at least half a wait more; else the two would exchange the slot again and
  /// again.
  func yields(to other: Urgency) -> Bool { share + 0.5 <= other.share }

  package static func < (a: Urgency, b: Urgency) -> Bool { a.share < b.share }
}

/// The time of a load, and until the slot after the next one is free, in nanoseconds.
struct Wait: Hashable, Sendable {
  let load: Double
  let wait: Double

  init(load: Double, due: Int, slots: Int) {
    self.load = load
    wait = load * Double(max((due + slots - 1) / slots, 1))
  }

  /// - Parameter elapsed: How long the load has run.
  func urgency(of visit: Visit, elapsed: Double = 0) -> Urgency {
    let left = max(load - elapsed, 0)
    // Exact: rows that stay are equally urgent.
    if elapsed == 0, visit.begin <= load, visit.end >= wait + load { return .highest }
    return Urgency(share: (min(wait + load, visit.end) - max(left, visit.begin)) / wait)
  }
}
