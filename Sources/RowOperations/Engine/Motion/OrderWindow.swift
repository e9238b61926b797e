/// Which rows of a list the tracker prefetches by itself, as a value.
///
/// Rows are indices in the order of the list. While the list moves, the window reaches ahead as far
/// as the list travels during a load; at rest it reaches to both sides. Each index is requested
/// once, until the list changes its direction or jumps, so that loading ends when the list rests.
package struct OrderWindow: Hashable, Sendable {
  /// The motion of the list, which decides the reach of the window.
  package struct Motion: Hashable, Sendable {
    /// Rows that come on screen per second; 0 at rest.
    package var rate: Double
    /// The time of a load, in seconds; `nil` if none has ended.
    package var loadTime: Double?
    package var isMoving: Bool

    package init(rate: Double = 0, loadTime: Double? = nil, isMoving: Bool = false) {
      self.rate = rate
      self.loadTime = loadTime
      self.isMoving = isMoving
    }
  }

  /// The reach at rest, in screens on each side.
  private static let screensAtRest = 1
  /// The smallest reach ahead while the list moves, in screens.
  private static let screensAhead = 2
  /// The reach ahead while the list moves, as a multiple of the distance it travels during a load.
  private static let loadsAhead = 2.0

  /// The number of rows in the list.
  package let count: Int
  /// The indices on screen at the last move.
  package private(set) var displayed: ClosedRange<Int>?
  package private(set) var isForward = true
  /// The indices displayed or requested since the last change of direction.
  package private(set) var asked: Range<Int> = 0..<0
  /// The edge of the screen at the last change of direction.
  package private(set) var origin = 0
  /// Grows with each change of the ranks of all indices.
  package private(set) var turns: UInt32 = 0

  package init(count: Int) { self.count = count }

  /// Moves the window around the indices on screen.
  ///
  /// O(requested indices).
  ///
  /// - Parameter limit: The largest number of indices to request beside those on screen.
  /// - Returns: The indices to request, nearest first, ahead before behind.
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

  /// The rank of an index by how soon it comes on screen, smallest first; `nil` before the first
  /// move.
  ///
  /// The rank stays the same while the list moves in one direction.
  package func rank(of index: Int) -> UInt64? {
    guard displayed != nil else { return nil }
    let distance = isForward ? index - origin : origin - index
    return UInt64(distance >= 0 ? distance : Int(Int32.max) - distance)
  }

  /// How many rows come on screen before half of an index is on screen, and before half of it has
  /// left; `nil` before the first move.
  package func passing(_ index: Int, isForward: Bool) -> (entry: Double, exit: Double)? {
    guard let displayed else { return nil }
    let (entry, exit) =
      isForward
      ? (index - displayed.upperBound, index - displayed.lowerBound)
      : (displayed.lowerBound - index, displayed.upperBound - index)
    return (Double(entry) - 0.5, Double(exit) + 0.5)
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
    // Where the ends move apart or together, as after a rotation, the direction stays.
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
