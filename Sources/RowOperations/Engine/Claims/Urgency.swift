/// When a row is on screen, in nanoseconds from now; infinite for never.
struct Visit: Hashable, Sendable {
  package let begin: Double
  package let end: Double
  /// Whether the row's list moves, so that the scroll policy may hold the row back.
  let isInMotion: Bool

  init(begin: Double, end: Double, isInMotion: Bool = true) {
    self.begin = begin
    self.end = end
    self.isInMotion = isInMotion
  }

  /// Never on screen, unless the list turns around.
  static let away = Visit(begin: .infinity, end: .infinity)

  /// Whether a row that has both visits is on screen first, or longest, at this one.
  func comesBefore(_ other: Visit) -> Bool {
    if begin != other.begin { return begin < other.begin }
    if end != other.end { return end > other.end }
    return !isInMotion && other.isInMotion
  }

  /// In a list at rest: on screen for good, or not at all.
  static func resting(isDisplayed: Bool) -> Visit {
    Visit(begin: isDisplayed ? 0 : .infinity, end: .infinity, isInMotion: false)
  }
}

/// How much is lost if a waiting row does not get the next slot.
///
/// A load that starts now shows its value from `max(L, begin)` on, where `L` is the time of a load.
/// One that waits for `H` more shows it from `max(H + L, begin)` on. By waiting, the row is blank
/// for longer by `min(H + L, end) - max(L, begin)`. The urgency is this loss as a share of `H`: 1
/// for a row that is on screen and stays, and less for one that comes later or leaves soon. A row
/// that loses nothing by waiting has a negative urgency, which falls with its distance from the
/// screen.
///
/// Exchanging two loads of equal length shows the rule: the sum of both blank times is smaller if
/// the one that loses more by waiting goes first.
package struct Urgency: Hashable, Comparable, Sendable {
  let share: Double

  init(share: Double) { self.share = share }

  /// The urgency of a row that is on screen for as long as the list rests.
  static let highest = Urgency(share: 1)
  /// The urgency of a row that loses nothing by waiting.
  package static let zero = Urgency(share: 0)
  /// The urgency of a row that does not come on screen unless the list moves.
  package static let lowest = Urgency(share: -.infinity)

  /// Whether a running prefetch with this loss gives its slot to a row with another one.
  ///
  /// The other row loses at least half a wait more. With less, the two would exchange their slot
  /// again and again.
  func yields(to other: Urgency) -> Bool { share + 0.5 <= other.share }

  package static func < (a: Urgency, b: Urgency) -> Bool { a.share < b.share }
}

/// The time of a load, and the time until the slot after the next one is free, in nanoseconds.
struct Wait: Hashable, Sendable {
  package let load: Double
  let wait: Double

  /// - Parameters:
  ///   - load: The time of a load.
  ///   - waiting: The number of waiting rows that are due.
  ///   - slots: The number of slots.
  init(load: Double, due: Int, slots: Int) {
    self.load = load
    wait = load * Double(max((due + slots - 1) / slots, 1))
  }

  /// - Parameter elapsed: How long the load has run already.
  func urgency(of visit: Visit, elapsed: Double = 0) -> Urgency {
    let left = max(load - elapsed, 0)
    // Exact, so that rows that stay are equally urgent.
    if elapsed == 0, visit.begin <= load, visit.end >= wait + load { return .highest }
    return Urgency(share: (min(wait + load, visit.end) - max(left, visit.begin)) / wait)
  }
}
