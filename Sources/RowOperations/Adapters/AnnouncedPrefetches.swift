import Foundation

/// Which row each index path named when it was prefetched.
///
/// A list takes a prefetch back by index path. By then the model may have changed, so that the path
/// names another row, or none; and it may never have been prefetched at all. So the app is not asked
/// again: what is taken back is what was announced.
package struct AnnouncedPrefetches<Row: Hashable & Sendable>: Sendable {
  private var rows: [IndexPath: (row: Row, serial: Int)] = [:]
  /// In the order in which they were announced, some of them taken back meanwhile.
  private var order: ArraySlice<(path: IndexPath, serial: Int)> = []
  private var lastSerial = 0
  private let limit: Int

  /// - Parameter limit: How many paths are remembered; the oldest are forgotten, as rows that come to
  ///   be displayed are never taken back.
  package init(limit: Int = 128) { self.limit = limit }

  package mutating func announced(_ row: Row, at path: IndexPath) {
    lastSerial += 1
    rows[path] = (row, lastSerial)
    order.append((path, lastSerial))
    while rows.count > limit || order.count > 4 * limit, let oldest = order.popFirst() {
      if rows[oldest.path]?.serial == oldest.serial { rows[oldest.path] = nil }
    }
  }

  /// The rows that were announced at these paths, and are taken back now.
  package mutating func takenBack(_ paths: [IndexPath]) -> [Row] {
    paths.compactMap { rows.removeValue(forKey: $0)?.row }
  }

  /// All rows that were announced and not taken back.
  package mutating func takeAll() -> [Row] {
    defer { (rows, order) = ([:], []) }
    return rows.values.sorted { $0.serial < $1.serial }.map(\.row)
  }
}
