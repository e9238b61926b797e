/// The rows on screen, grouped into lines along the scrolling axis: one row per line in a list,
/// several in a grid.
///
/// An item with several rows has one index. If these lie one below the other, it has several lines.
///
/// The mean extent of the lines estimates the frames of rows off screen. All lengths are in points
/// from the edge of the screen.
struct RowLines: Hashable, Sendable {
  /// A row on screen: its index in the order of the list, and its extent.
  struct Row: Hashable, Sendable {
    let index: Int
    let start: Double
    package let end: Double

    init(index: Int, start: Double, end: Double) {
      (self.index, self.start, self.end) = (index, start, end)
    }

    fileprivate var middle: Double { (start + end) / 2 }
    /// The row on the reversed axis.
    fileprivate var mirrored: Row { Row(index: index, start: -end, end: -start) }
  }

  private struct Line: Hashable {
    let index: Int
    let start: Double
    var end: Double
    var lastIndex: Int
  }

  /// The lines in the order of the list and of their starts.
  private let lines: [Line]
  private let stride: Double
  /// How many items a line has; a fraction if an item has several lines.
  private let itemsPerLine: Double
  /// Whether indices grow against the axis, as in a horizontal list from right to left.
  private let isMirrored: Bool

  /// O(rows log rows).
  ///
  /// - Returns: `nil` without a row that takes space, and for rows that form no lines.
  init?(_ rows: some Sequence<Row>) {
    let rows = rows.filter { $0.end > $0.start && ($0.end - $0.start).isFinite }
    guard let first = rows.min(by: { $0.index < $1.index }),
      let last = rows.max(by: { $0.index < $1.index })
    else { return nil }
    isMirrored =
      last.index > first.index && last.middle < first.middle
      && !(first.start...first.end).contains(last.middle)
    let ordered = (isMirrored ? rows.map(\.mirrored) : rows)
      .sorted { ($0.index, $0.start) < ($1.index, $1.start) }
    var lines: [Line] = []
    for row in ordered {
      if let line = lines.last, (line.start...line.end).contains(row.middle) {
        lines[lines.count - 1].end = max(line.end, row.end)
        lines[lines.count - 1].lastIndex = row.index
      } else {
        guard row.start >= lines.last?.start ?? -.infinity else { return nil }
        lines.append(Line(index: row.index, start: row.start, end: row.end, lastIndex: row.index))
      }
    }
    self.lines = lines
    let steps = zip(lines, lines.dropFirst()).map { $1.index - $0.index }.sorted()
    let hasLongItems = steps.first == 0
    let step = steps.isEmpty ? last.index - first.index + 1 : steps[steps.count / 2]
    itemsPerLine = hasLongItems ? Self.itemsPerLine(lines) : Double(step)
    stride =
      lines.count > 1
      ? (lines[lines.count - 1].start - lines[0].start) / Double(lines.count - 1)
      : lines[0].end - lines[0].start
    // A single item with several lines tells nothing about its neighbours.
    guard stride >= 1, !hasLongItems || last.index > first.index else { return nil }
  }

  /// The mean for items with several lines.
  ///
  /// The first and the last item may be partly off screen, so others count if there are any.
  private static func itemsPerLine(_ lines: [Line]) -> Double {
    let inner = lines.filter {
      $0.index != lines[0].index && $0.index != lines[lines.count - 1].index
    }
    let whole = inner.isEmpty ? lines : inner
    return Double(whole[whole.count - 1].index - whole[0].index + 1) / Double(whole.count)
  }

  /// The indices of the rows that lie at least partly in a stretch; empty beyond the ends of the
  /// list.
  ///
  /// - Parameter count: The number of rows in the list.
  func indices(in stretch: ClosedRange<Double>, count: Int) -> Range<Int> {
    let (low, high) =
      isMirrored
      ? (-stretch.upperBound, -stretch.lowerBound) : (stretch.lowerBound, stretch.upperBound)
    let first = min(max(firstIndex(from: low), 0), count)
    let end = min(max(endIndex(to: high), first), count)
    return first..<end
  }

  /// The first index of the line that ends after an offset.
  private func firstIndex(from low: Double) -> Int {
    let (top, bottom) = (lines[0], lines[lines.count - 1])
    if low < top.start {
      return top.index - items((top.start - low) / stride, .up)
    }
    if let line = lines.first(where: { $0.end > low }) { return line.index }
    return bottom.index + items(max((low - bottom.start) / stride, 1), .down)
  }

  /// The index after the last line that begins before an offset.
  private func endIndex(to high: Double) -> Int {
    let (top, bottom) = (lines[0], lines[lines.count - 1])
    if high > bottom.end {
      return bottom.index + items((high - bottom.start) / stride, .up)
    }
    guard let line = lines.lastIndex(where: { $0.start < high }) else {
      return top.index - items((top.start - high) / stride, .down)
    }
    let next =
      line + 1 < lines.count ? lines[line + 1].index : lines[line].index + items(1, .down)
    return max(next, lines[line].lastIndex + 1)
  }

  /// The number of items of some lines, of which whole ones count.
  private func items(_ lines: Double, _ rule: FloatingPointRoundingRule) -> Int {
    // Clamps very long lists, and handles NaN.
    guard lines < 1e9 else { return 1_000_000_000 }
    return Int((lines.rounded(rule) * itemsPerLine).rounded(rule))
  }
}
