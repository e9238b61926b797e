/// Maps rows to heights, leaving out long stretches of rows that nothing happened to.
struct RowScale {
  /// Rows that belong together, and where the first of them is drawn.
  struct Band: Hashable {
    let rows: ClosedRange<Int>
    let top: Double
  }

  /// Between two bands, in the unit of the height.
  static let gap = 14.0
  /// Fewer rows than this are not worth a gap.
  private static let shortest = 60

  let bands: [Band]
  /// The height of one row.
  let rowHeight: Double

  /// - Parameters:
  ///   - positions: The rows that something happened to, in any order.
  ///   - height: The room for all of them.
  init(_ positions: some Sequence<Int>, height: Double) {
    let ranges = positions.ranges(holes: Self.shortest)
    let rows = ranges.reduce(0) { $0 + $1.count }
    let gaps = Double(max(ranges.count - 1, 0)) * Self.gap
    let rowHeight = max(height - gaps, 1) / Double(max(rows, 1))
    var top = 0.0
    bands = ranges.map { range in
      defer { top += Double(range.count) * rowHeight + Self.gap }
      return Band(rows: range, top: top)
    }
    self.rowHeight = rowHeight
  }

  /// Where a row is drawn; `nil` for a row that was not mentioned.
  func top(of position: Int) -> Double? {
    guard let band = bands.last(where: { $0.rows.lowerBound <= position }),
      position <= band.rows.upperBound
    else { return nil }
    return band.top + Double(position - band.rows.lowerBound) * rowHeight
  }
}

extension Sequence<Int> {
  /// The numbers as ranges, in order, with no hole as long as `limit` in any of them.
  fileprivate func ranges(holes limit: Int) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for number in Set(self).sorted() {
      if let last = ranges.last, number - last.upperBound < limit {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }
}
