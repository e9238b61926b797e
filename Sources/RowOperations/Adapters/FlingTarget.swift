import Foundation

/// Finds the rows on which a fling lands, from a target in an unknown coordinate space.
///
/// A SwiftUI list reports where a scroll began and where it will end, and the frames of its rows on
/// screen, but not how the two relate. So the rows are looked at when the list rests or is touched;
/// the next scroll began there.
package struct FlingTarget: Hashable, Sendable {
  private var lines: RowLines?
  /// The offset at which the rows lay so.
  private var origin: Double?

  package init() {}

  package var hasSeenRows: Bool { lines != nil }

  /// The rows on screen lie so, at an offset that is not known yet.
  package mutating func rested(_ lines: RowLines?) {
    self.lines = lines
    origin = nil
  }

  /// A finger lets go of the list, which will come to rest at a target.
  ///
  /// - Parameters:
  ///   - start: The offset at which the scroll began.
  ///   - target: The offset at which it ends, in the same space.
  ///   - length: The extent of the screen.
  ///   - count: How many rows the list has.
  /// - Returns: The places of the rows that will be on screen; `nil` if that is not known.
  package mutating func indices(
    from start: Double, to target: Double, length: Double, count: Int
  ) -> Range<Int>? {
    guard let lines, (target - start).isFinite, length > 0, length.isFinite else { return nil }
    // A finger may catch one fling and begin the next before the list has rested.
    let distance = target - (origin ?? start)
    origin = origin ?? start
    return lines.indices(in: distance...distance + length, count: count)
  }
}

/// What a scroll view reports of its geometry, along the axis on which it scrolls.
package struct ScrollExtent: Hashable, Sendable {
  package let offset: Double
  package let length: Double
  package let contentLength: Double
  package let leadingInset: Double
  package let trailingInset: Double

  package init(
    offset: Double, length: Double, contentLength: Double, leadingInset: Double = 0,
    trailingInset: Double = 0
  ) {
    self.offset = offset
    self.length = length
    self.contentLength = contentLength
    self.leadingInset = leadingInset
    self.trailingInset = trailingInset
  }

  /// How far a fling goes, not beyond the ends of the content.
  ///
  /// - Parameter velocity: In points per second.
  package func distance(velocity: Double) -> Double {
    let free = Deceleration.normal.distance(velocity: velocity / 1000)
    let toStart = -leadingInset - offset
    let toEnd = contentLength + trailingInset - length - offset
    return max(min(free, toEnd), min(toStart, 0))
  }
}

extension Deceleration {
  /// How long a list travels that comes to rest after a distance in points.
  package func duration(distance: Double) -> Duration {
    guard distance.isFinite else { return .zero }
    return duration(velocity: abs(distance) * (1 - rate) / rate + 0.01)
  }
}
