/// The rows on screen, grouped into lines along the scrolling axis.
///
/// Rows with one index are in one line. The mean extent of lines estimates the frames off screen.
/// Lengths are in points from the edge of the screen.
struct RowLines: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    let index: Int
    let start: Double
    let end: Double

    fileprivate var middle: Double { (start + end) / 2 }
    fileprivate var mirrored: Row { Row(index: index, start: -end, end: -start) }
  }

  private struct Line: Hashable {
    let index: Int
    var start: Double
    var end: Double
    var lastIndex: Int
  }

  private let lines: [Line]
  /// From the start of one line to that of the next; infinite if unknown.
  private let stride: Double
  private let columns: Int
  /// Whether indices grow against the axis, as from right to left.
  private let isMirrored: Bool

  /// - Returns: `nil` for rows that take no space or form no lines.
  init?(_ rows: some Sequence<Row>) {
    let rows = rows.filter { $0.end > $0.start && ($0.end - $0.start).isFinite }
    guard let first = rows.item(at: rows.map(\.index).min()),
      let last = rows.item(at: rows.map(\.index).max())
    else { return nil }
    isMirrored = last.middle < first.middle && !(first.start...first.end).contains(last.middle)
    let ordered = (isMirrored ? rows.map(\.mirrored) : rows)
      .sorted(byNumber: \.start).sorted(byNumber: { Double($0.index) })
    var lines: [Line] = []
    var mayBeCut = false
    for row in ordered {
      if let line = lines.last,
        row.index == line.lastIndex || (line.start...line.end).contains(row.middle)
      {
        // One below the other, of which some may be off screen.
        mayBeCut = mayBeCut || row.start >= line.end
        lines[lines.count - 1].end = max(line.end, row.end)
        lines[lines.count - 1].lastIndex = row.index
      } else {
        guard row.start >= lines.last?.start ?? -.infinity else { return nil }
        lines.append(Line(index: row.index, start: row.start, end: row.end, lastIndex: row.index))
      }
    }
    let steps = zip(lines, lines.dropFirst()).map { $1.index - $0.index }.sorted()
    columns = steps.isEmpty ? last.index - first.index + 1 : steps[steps.count / 2]
    // A line that may be cut has no known ends.
    let starts = (mayBeCut ? lines.dropFirst() : lines[...]).map(\.start)
    if starts.count > 1 {
      stride = (starts[starts.count - 1] - starts[0]) / Double(starts.count - 1)
    } else {
      stride = mayBeCut ? .infinity : lines[0].end - lines[0].start
    }
    guard stride >= 1 else { return nil }
    if mayBeCut, stride.isFinite {
      lines[0].start = min(lines[0].start, lines[1].start - stride)
      let bottom = lines.count - 1
      lines[bottom].end = max(lines[bottom].end, lines[bottom].start + stride)
    }
    self.lines = lines
  }

  /// The rows at least partly in a stretch; empty beyond the list.
  func indices(in stretch: ClosedRange<Double>, count: Int) -> Range<Int> {
    let (low, high) =
      isMirrored
      ? (-stretch.upperBound, -stretch.lowerBound) : (stretch.lowerBound, stretch.upperBound)
    let first = min(max(firstIndex(from: low), 0), count)
    let end = min(max(endIndex(to: high), first), count)
    return first..<end
  }

  private func firstIndex(from low: Double) -> Int {
    let (top, bottom) = (lines[0], lines[lines.count - 1])
    if low < top.start {
      return top.index - wholeLines((top.start - low) / stride, .up) * columns
    }
    if let line = lines.first(where: { $0.end > low }) { return line.index }
    return bottom.index + max(wholeLines((low - bottom.start) / stride, .down), 1) * columns
  }

  private func endIndex(to high: Double) -> Int {
    let (top, bottom) = (lines[0], lines[lines.count - 1])
    if high > bottom.end {
      let end = bottom.index + wholeLines((high - bottom.start) / stride, .up) * columns
      return max(end, bottom.lastIndex + 1)
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

extension [RowLines.Row] {
  fileprivate func item(at index: Int?) -> RowLines.Row? {
    let rows = filter { $0.index == index }
    guard let index, let start = rows.map(\.start).min(), let end = rows.map(\.end).max() else {
      return nil
    }
    return RowLines.Row(index: index, start: start, end: end)
  }
}
