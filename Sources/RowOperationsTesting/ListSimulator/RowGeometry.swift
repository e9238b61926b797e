/// The extents of a list's rows along its scrolling axis.
struct RowGeometry: Sendable {
  /// In points from the top of the content.
  private let ends: [Double]

  /// - Parameter heights: In points, none negative.
  init(heights: some Sequence<Double>) {
    var end = 0.0
    ends = heights.map { height in
      precondition(height >= 0, "No row has a negative height.")
      end += height
      return end
    }
  }

  var count: Int { ends.count }

  /// In points.
  var contentHeight: Double { ends.last ?? 0 }

  /// In points from the top of the content.
  func extent(of row: Int) -> Range<Double> { (row == 0 ? 0 : ends[row - 1])..<ends[row] }

  /// - Parameter stretch: In points from the top; it may reach beyond either end.
  func rows(in stretch: Range<Double>) -> Range<Int> {
    guard !stretch.isEmpty else { return 0..<0 }
    let first = firstRow { $0 > stretch.lowerBound }
    guard stretch.upperBound > 0 else { return first..<first }
    // The last row is the first one that ends at or after the end of the stretch.
    let last = firstRow { $0 >= stretch.upperBound }
    return first..<min(last + 1, count)
  }

  /// The condition holds from some offset on.
  private func firstRow(whereEnd isFar: (Double) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isFar(ends[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
