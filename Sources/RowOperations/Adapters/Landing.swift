import Foundation

/// A row as the view's layout places it, in points of the content.
package struct PlacedRow: Hashable, Sendable {
  package let path: IndexPath
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double

  package init(path: IndexPath, x: Double, y: Double, width: Double, height: Double) {
    self.path = path
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// The part of the content that will be on screen when the list rests, in points.
package struct RestingFrame: Hashable, Sendable {
  package let origin: ScrollWatch.Offset
  package let width: Double
  package let height: Double

  package init(origin: ScrollWatch.Offset, width: Double, height: Double) {
    (self.origin, self.width, self.height) = (origin, width, height)
  }

  /// The paths of the rows of which any part is to be seen, in reading order.
  ///
  /// Layouts may place rows outside of what they were asked for, in any order, and one row twice.
  package func paths(of rows: [PlacedRow]) -> [IndexPath] {
    var seen: Set<IndexPath> = []
    return rows.filter(shows)
      .sorted { ($0.y, $0.x, $0.path) < ($1.y, $1.x, $1.path) }
      .map(\.path)
      .filter { seen.insert($0).inserted }
  }

  private func shows(_ row: PlacedRow) -> Bool {
    row.x < origin.x + width && row.x + row.width > origin.x
      && row.y < origin.y + height && row.y + row.height > origin.y
  }
}
