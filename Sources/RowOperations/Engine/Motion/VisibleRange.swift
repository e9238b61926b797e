/// Finds the part of a list that is on screen among the positions of rows on screen.
///
/// Not every such position counts. A pinned or a dragged cell is on screen far from its
/// neighbours. And a row that the list repeats may be on screen at another of its positions.
enum VisibleRange {
  /// The positions on screen, from the first to the last one; `nil` if there are none.
  ///
  /// O(positions).
  ///
  /// - Parameters:
  ///   - positions: The positions of rows on screen, each once, in ascending order.
  ///   - displays: The number of views on screen that show such a row.
  ///   - last: The first position that was on screen before.
  static func of(_ positions: [Int], displays: Int, near last: Int) -> Range<Int>? {
    // Mostly no row is repeated, and all of them lie together.
    if let first = positions.first, let end = positions.last, displays >= positions.count,
      end - first < positions.count
    {
      return first..<end + 1
    }
    var candidates = positions[...]
    if displays < positions.count {
      // Some rows are repeated, so that nobody knows which of their positions are on screen.
      let starts = 0...positions.count - displays
      let start = starts.min { abs(positions[$0] - last) < abs(positions[$1] - last) } ?? 0
      candidates = positions[start..<start + displays]
    }
    return clusters(of: candidates).max { a, b in
      a.count != b.count ? a.count < b.count : distance(b, last) < distance(a, last)
    }.map { $0[$0.startIndex]..<$0[$0.endIndex - 1] + 1 }
  }

  /// Splits positions where more are off screen than there are on it.
  private static func clusters(of positions: ArraySlice<Int>) -> [ArraySlice<Int>] {
    var clusters: [ArraySlice<Int>] = []
    var start = positions.startIndex
    for index in positions.indices.dropFirst()
    where positions[index] - positions[index - 1] > positions.count {
      clusters.append(positions[start..<index])
      start = index
    }
    if start < positions.endIndex { clusters.append(positions[start...]) }
    return clusters
  }

  private static func distance(_ cluster: ArraySlice<Int>, _ last: Int) -> Int {
    abs(cluster[cluster.startIndex] - last)
  }
}
