import Foundation

/// Remembers the row of each index path at the time of its prefetch.
///
/// A list cancels a prefetch by index path. By then the model may have changed, so that the path
/// names another row, or none; or the path was never prefetched. So the app is not called again: a
/// cancel concerns the row that was announced.
package struct AnnouncedPrefetches<Row: Hashable & Sendable>: Sendable {
  private var rows: [IndexPath: (row: Row, serial: Int)] = [:]
  /// The paths in the order of their announcements, some of them cancelled since.
  private var order: ArraySlice<(path: IndexPath, serial: Int)> = []
  private var lastSerial = 0
  private let limit: Int

  /// - Parameter limit: The largest number of paths to remember. The oldest are forgotten, since
  ///   lists never cancel the prefetch of a displayed row.
  package init(limit: Int = 128) { self.limit = limit }

  package mutating func announced(_ row: Row, at path: IndexPath) {
    lastSerial += 1
    rows[path] = (row, lastSerial)
    order.append((path, lastSerial))
    while rows.count > limit || order.count > 4 * limit, let oldest = order.popFirst() {
      if rows[oldest.path]?.serial == oldest.serial { rows[oldest.path] = nil }
    }
  }

  /// Removes and returns the rows announced at these paths.
  package mutating func takenBack(_ paths: [IndexPath]) -> [Row] {
    paths.compactMap { rows.removeValue(forKey: $0)?.row }
  }

  /// Removes and returns all announced rows.
  package mutating func takeAll() -> [Row] {
    defer { (rows, order) = ([:], []) }
    return rows.values.sorted { $0.serial < $1.serial }.map(\.row)
  }
}
