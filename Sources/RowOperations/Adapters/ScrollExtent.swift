/// A list along one axis, in points.
package struct ScrollExtent: Hashable, Sendable {
  let offset: Double
  let length: Double
  let contentLength: Double
  var leadingInset = 0.0
  var trailingInset = 0.0

  /// The offset of rest after the finger lifts, within the ends of the content.
  ///
  /// - Parameter velocity: Of the offset, in points per millisecond.
  func rest(
    velocity: Double, _ deceleration: Deceleration = .normal, isPaged: Bool = false
  ) -> Double {
    let free =
      isPaged ? pageRest(velocity: velocity) : offset + deceleration.distance(velocity: velocity)
    // Content that fits does not scroll.
    let end = contentLength + trailingInset - length
    let last = end.isFinite ? max(end, -leadingInset) : -leadingInset
    return min(max(free, -leadingInset), last)
  }

  /// The slowest velocity that turns a page.
  private static let slowest = 0.1

  /// At rest, the nearest page.
  private func pageRest(velocity: Double) -> Double {
    guard length > 0 else { return offset }
    let pages = offset / length
    if abs(velocity) < Self.slowest { return length * pages.rounded() }
    return length * pages.rounded(velocity > 0 ? .up : .down)
  }
}
