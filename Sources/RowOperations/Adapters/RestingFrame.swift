import Foundation

/// In points of the content.
struct RowFrame: Hashable, Sendable {
  let path: IndexPath
  let x: Double
  let y: Double
  let width: Double
  let height: Double

  init(path: IndexPath, x: Double, y: Double, width: Double, height: Double) {
    self.path = path
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// The part of the content on screen when the list rests, in points.
struct RestingFrame: Hashable, Sendable {
  package let origin: ScrollWatch.Offset
  let width: Double
  let height: Double

  init(origin: ScrollWatch.Offset, width: Double, height: Double) {
    (self.origin, self.width, self.height) = (origin, width, height)
  }

  /// The paths of rows that are at least partly visible, in reading order.
  ///
  /// A layout may return other rows too, in any order, and one twice.
  func paths(of rows: [RowFrame]) -> [IndexPath] {
    var seen: Set<IndexPath> = []
    return rows.filter(shows)
      .sorted { ($0.y, $0.x, $0.path) < ($1.y, $1.x, $1.path) }
      .map(\.path)
      .filter { seen.insert($0).inserted }
  }

  private func shows(_ row: RowFrame) -> Bool {
    row.x < origin.x + width && row.x + row.width > origin.x
      && row.y < origin.y + height && row.y + row.height > origin.y
  }
}

/// The range of offsets of a scroll view, in points.
struct ScrollLimits: Hashable, Sendable {
  let x: ClosedRange<Double>
  let y: ClosedRange<Double>
  /// `nil` if the view is not paged.
  let page: ContentSize?

  /// Content that fits does not scroll.
  init(
    content: ContentSize, viewport: ContentSize,
    insets: (left: Double, right: Double, top: Double, bottom: Double), isPaged: Bool = false
  ) {
    x = Self.range(content.width, viewport.width, insets.left, insets.right)
    y = Self.range(content.height, viewport.height, insets.top, insets.bottom)
    page = isPaged ? viewport : nil
  }

  private static func range(
    _ content: Double, _ viewport: Double, _ before: Double, _ after: Double
  ) -> ClosedRange<Double> {
    let end = content + after - viewport
    return -before...(end.isFinite ? max(end, -before) : -before)
  }

  /// The offset of rest after the finger lifts.
  ///
  /// - Parameter velocity: Of the content's offset, in points per millisecond.
  func rest(
    from offset: ScrollWatch.Offset, velocity: ScrollWatch.Offset, _ deceleration: Deceleration
  ) -> ScrollWatch.Offset {
    ScrollWatch.Offset(
      x: Self.rest(offset.x, velocity.x, deceleration, in: x, page?.width),
      y: Self.rest(offset.y, velocity.y, deceleration, in: y, page?.height))
  }

  private static func rest(
    _ offset: Double, _ velocity: Double, _ deceleration: Deceleration,
    in range: ClosedRange<Double>, _ page: Double?
  ) -> Double {
    let free =
      page.map { pageRest(offset, velocity, $0) }
      ?? offset + deceleration.distance(velocity: velocity)
    return min(max(free, range.lowerBound), range.upperBound)
  }

  /// The slowest velocity that turns a page, in points per millisecond.
  private static let slowest = 0.1

  /// At rest, the nearest page.
  private static func pageRest(_ offset: Double, _ velocity: Double, _ page: Double) -> Double {
    guard page > 0 else { return offset }
    let pages = offset / page
    if abs(velocity) < slowest { return page * pages.rounded() }
    return page * pages.rounded(velocity > 0 ? .up : .down)
  }
}
