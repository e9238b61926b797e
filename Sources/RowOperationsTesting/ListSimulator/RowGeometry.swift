/// The extents of a list's rows along its scrolling axis.
///
/// **Cost**: O(log n) to find rows. Making a geometry is O(1) with a fixed height and O(n) with
/// individual ones.
struct RowGeometry: Hashable, Sendable {
  private enum Layout: Hashable {
    case fixed(count: Int, height: Double)
    /// The offset of each row's end.
    case varying(ends: [Double])
  }

  private let layout: Layout

  /// - Parameter height: In points; more than 0.
  init(count: Int, height: Double) {
    precondition(count >= 0 && height > 0, "Rows have a positive height and no negative count.")
    layout = .fixed(count: count, height: height)
  }

  /// - Parameter heights: In points, none negative.
  init(heights: some Sequence<Double>) {
    var end = 0.0
    layout = .varying(
      ends: heights.map { height in
        precondition(height >= 0, "No row has a negative height.")
        end += height
        return end
      })
  }

  var count: Int {
    switch layout {
    case .fixed(let count, _): count
    case .varying(let ends): ends.count
    }
  }

  /// In points.
  var contentHeight: Double {
    switch layout {
    case .fixed(let count, let height): Double(count) * height
    case .varying(let ends): ends.last ?? 0
    }
  }

  /// In points from the top of the content.
  func extent(of row: Int) -> Range<Double> {
    precondition((0..<count).contains(row), "Row \(row) is not one of the \(count) rows.")
    switch layout {
    case .fixed(_, let height):
      return Double(row) * height..<Double(row + 1) * height
    case .varying(let ends):
      return (row == 0 ? 0 : ends[row - 1])..<ends[row]
    }
  }

  /// The rows that lie at least partly in a stretch.
  ///
  /// - Parameter stretch: In points from the top of the content; it may reach beyond either end.
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
      if isFar(end(of: middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func end(of row: Int) -> Double {
    switch layout {
    case .fixed(_, let height): Double(row + 1) * height
    case .varying(let ends): ends[row]
    }
  }
}
