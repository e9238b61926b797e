/// Finds the landing rows of a fling from a target in an unknown coordinate space.
///
/// A SwiftUI list does not report how a scroll's ends and its rows' frames relate. So the frames
/// are read at rest or at a touch, where the next scroll starts.
struct FlingTarget: Hashable, Sendable {
  private var lines: RowLines?
  /// The offset at which the frames were read.
  private var origin: Double?

  /// The offset is still unknown.
  mutating func rested(_ lines: RowLines?) {
    self.lines = lines
    origin = nil
  }

  /// - Parameters:
  ///   - start: The offset at which the scroll began.
  ///   - target: The offset at which it ends, in the same space.
  /// - Returns: The indices of the landing rows; `nil` if unknown.
  mutating func indices(
    from start: Double, to target: Double, length: Double, count: Int
  ) -> Range<Int>? {
    guard let lines, (target - start).isFinite, length > 0, length.isFinite else { return nil }
    // A finger may begin the next fling before the list has rested.
    let distance = target - (origin ?? start)
    origin = origin ?? start
    return lines.indices(in: distance...distance + length, count: count)
  }
}
