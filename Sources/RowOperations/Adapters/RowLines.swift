/// The rows on screen, grouped into lines along the scrolling axis: one row per line in a list,
/// several in a grid.
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
  private let columns: Int
  /// Whether indices grow against the axis, as in a horizontal list from right to left.
  private let isMirrored: Bool

  /// O(rows log rows).
  ///
  /// - Returns: `nil` without a row that takes space, and for rows that form no lines.
  init?(_ rows: some Sequence<Row>) {
    let rows = rows.filter { $0.end > $0.start && ($0.end - $0.start).isFinite }
      .sorted { $0.index < $1.index }
    guard let first = rows.first, let last = rows.last else { return nil }
    isMirrored = last.middle < first.middle && !(first.start...first.end).contains(last.middle)
    var lines: [Line] = []
    for row in isMirrored ? rows.map(\.mirrored) : rows {
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
    columns = steps.isEmpty ? last.index - first.index + 1 : steps[steps.count / 2]
    stride =
      lines.count > 1
      ? (lines[lines.count - 1].start - lines[0].start) / Double(lines.count - 1)
      : lines[0].end - lines[0].start
    guard stride >= 1 else { return nil }
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
      return top.index - wholeLines((top.start - low) / stride, .up) * columns
    }
    if let line = lines.first(where: { $0.end > low }) { return line.index }
    return bottom.index + max(wholeLines((low - bottom.start) / stride, .down), 1) * columns
  }

  /// The index after the last line that begins before an offset.
  private func endIndex(to high: Double) -> Int {
    let (top, bottom) = (lines[0], lines[lines.count - 1])
    if high > bottom.end {
      return bottom.index + wholeLines((high - bottom.start) / stride, .up) * columns
    }
    guard let line = lines.lastIndex(where: { $0.start < high }) else {
      return top.index - wholeLines((top.start - high) / stride, .down) * columns
    }
    return line + 1 < lines.count
      ? lines[line + 1].index : max(lines[line].index + columns, lines[line].lastIndex + 1)
  }

  private func wholeLines(_ lines: Double, _ rule: FloatingPointRoundingRule) -> Int {
    // Clamps very long lists, and handles NaN.
    guard lines < 1e9 else { return 1_000_000_000 }
    return Int(lines.rounded(rule))
  }
}
