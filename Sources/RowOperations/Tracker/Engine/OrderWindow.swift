/// Which rows of a list the tracker prefetches by itself, as a value.
///
/// Rows are places in the order of the list. The window reaches ahead along the direction of travel
/// as far as the list moves while a row loads, and to both sides when the list rests. Each place is
/// asked for once, until the direction changes or the list is elsewhere, so that a list at rest
/// comes to an end with its loads.
package struct OrderWindow: Hashable, Sendable {
  /// The motion of the list, which decides how far the window reaches.
  package struct Motion: Hashable, Sendable {
    /// How many rows come on screen in a second; 0 at rest.
    package var rate: Double
    /// How long a load takes, in seconds; `nil` if none has ended.
    package var loadTime: Double?
    package var isMoving: Bool

    package init(rate: Double = 0, loadTime: Double? = nil, isMoving: Bool = false) {
      self.rate = rate
      self.loadTime = loadTime
      self.isMoving = isMoving
    }
  }

  /// At rest, how many screens on each side.
  private static let screensAtRest = 1
  /// While the list moves, how many screens ahead at least.
  private static let screensAhead = 2
  /// While the list moves, how many times as far as it goes while a row loads.
  private static let loadsAhead = 2.0

  /// How many rows the list has.
  package let count: Int
  /// The places on screen when the window last moved.
  package private(set) var displayed: ClosedRange<Int>?
  package private(set) var isForward = true
  /// The places that were on screen or asked for since the direction last changed.
  package private(set) var asked: Range<Int> = 0..<0
  /// The edge of the screen from which the list set out when the direction last changed.
  package private(set) var origin = 0
  /// Grows whenever the ranks of all places change.
  package private(set) var turns: UInt32 = 0

  package init(count: Int) { self.count = count }

  /// The places on screen are these now.
  ///
  /// O(places that are asked for).
  ///
  /// - Parameter limit: How many places may be asked for beside those on screen.
  /// - Returns: The places to ask for, nearest first, ahead before behind.
  package mutating func move(
    to displayed: ClosedRange<Int>, _ motion: Motion, limit: Int
  ) -> [Int] {
    let displayed = displayed.clamped(to: 0...max(count - 1, 0))
    turn(to: displayed)
    self.displayed = displayed
    let (ahead, behind) = reach(displayed.count, motion, limit)
    let forward = isForward ? ahead : behind
    let backward = isForward ? behind : ahead
    let up = min(displayed.upperBound + forward, count - 1)
    let down = max(displayed.lowerBound - backward, 0)
    let above = asked.upperBound <= up ? Array(asked.upperBound...up) : []
    let below = down < asked.lowerBound ? Array((down..<asked.lowerBound).reversed()) : []
    asked = min(asked.lowerBound, down)..<max(asked.upperBound, up + 1)
    return isForward ? above + below : below + above
  }

  /// How soon a place comes on screen, the smallest first; `nil` if it is not known where the list
  /// is.
  ///
  /// It stays the same while the list moves in one direction.
  package func rank(of index: Int) -> UInt64? {
    guard displayed != nil else { return nil }
    let distance = isForward ? index - origin : origin - index
    return UInt64(distance >= 0 ? distance : Int(Int32.max) - distance)
  }

  private mutating func start(from shown: ClosedRange<Int>) {
    asked = shown.lowerBound..<shown.upperBound + 1
    origin = isForward ? shown.lowerBound : shown.upperBound
    turns &+= 1
  }

  private mutating func turn(to new: ClosedRange<Int>) {
    guard let old = displayed else { return start(from: new) }
    guard old != new else { return }
    let wasForward = isForward
    // Where the ends move apart or together, as when the list is rotated, it goes on as it did.
    if new.lowerBound >= old.lowerBound, new.upperBound >= old.upperBound {
      isForward = true
    } else if new.lowerBound <= old.lowerBound, new.upperBound <= old.upperBound {
      isForward = false
    }
    let shown = new.lowerBound..<new.upperBound + 1
    if isForward != wasForward || !asked.overlaps(shown) { return start(from: new) }
    asked = min(asked.lowerBound, shown.lowerBound)..<max(asked.upperBound, shown.upperBound)
  }

  private func reach(_ shown: Int, _ motion: Motion, _ limit: Int) -> (ahead: Int, behind: Int) {
    guard motion.isMoving else {
      let side = min(Self.screensAtRest * shown, limit / 2)
      return (side, side)
    }
    let passing = min(motion.rate * (motion.loadTime ?? 0) * Self.loadsAhead, Double(limit))
    return (min(max(Self.screensAhead * shown, Int(passing.rounded(.up))), limit), 0)
  }
}
