import Foundation

/// A row and its frame in the content of a list.
struct RowFrame {
  let path: IndexPath
  let frame: CGRect
}

extension [RowFrame] {
  /// The paths of rows that are at least partly in a part of the content, in reading order.
  ///
  /// A layout may return other rows too, in any order, and one twice.
  func paths(in part: CGRect) -> [IndexPath] {
    var seen: Set<IndexPath> = []
    return filter { row in
      row.frame.minX < part.maxX && row.frame.maxX > part.minX
        && row.frame.minY < part.maxY && row.frame.maxY > part.minY
    }
    .sorted { a, b in
      (a.frame.minY, a.frame.minX, a.path) < (b.frame.minY, b.frame.minX, b.path)
    }
    .map(\.path)
    .filter { seen.insert($0).inserted }
  }
}
