/// Finds the part of a list on screen by the positions of displayed rows.
///
/// A pinned or dragged cell is far from its neighbours. A repeated row may be on screen at another
/// of its positions.
enum VisibleRange {
  /// From the first to the last position; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - positions: Each once, ascending.
  ///   - displays: The number of views on screen that show these rows.
  ///   - last: The first position on screen before.
  static func of(_ positions: [Int], displays: Int, near last: Int) -> Range<Int>? {
    // Mostly no row is repeated, and all lie together.
    if let first = positions.first, let end = positions.last, displays >= positions.count,
      end - first < positions.count
    {
      return first..<end + 1
    }
    var candidates = positions[...]
    if displays < positions.count {
      // Some rows are repeated: nobody knows which of their positions are on screen.
      let starts = 0...positions.count - displays
      let start = starts.min { abs(positions[$0] - last) < abs(positions[$1] - last) } ?? 0
      candidates = positions[start..<start + displays]
    }
    return clusters(of: candidates).max { a, b in
      a.count != b.count ? a.count < b.count : distance(b, last) < distance(a, last)
    }.map { $0[$0.startIndex]..<$0[$0.endIndex - 1] + 1 }
  }

  /// Splits where more positions are off screen than on it.
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
