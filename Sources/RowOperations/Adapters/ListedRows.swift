/// The row views that report to a list, and the rows that they show.
///
/// A row may have several views: a sheet shows the row that was tapped, and SwiftUI shows a new
/// view before it removes the old one. The oldest one is the row's first.
@MainActor
struct ListedRows<Row: Hashable> {
  private struct Listed {
    let row: Row
    weak var view: (any ListedRow)?
    var isFirst: Bool
  }

  private var entries: [ObjectIdentifier: Listed] = [:]

  /// The views, without those that were released without a report.
  var views: [any ListedRow] { entries.values.compactMap(\.view) }

  /// The row that a view shows as its first view; `nil` if there is none.
  func row(firstIn view: any ListedRow) -> Row? {
    guard let entry = entries[ObjectIdentifier(view)], entry.isFirst else { return nil }
    return entry.row
  }

  /// Adds a view, or changes its row.
  ///
  /// O(views)
  ///
  /// - Returns: Whether no other view shows the row, and this one did not.
  mutating func insert(_ view: any ListedRow, as row: Row) -> Bool {
    if let known = entries[ObjectIdentifier(view)], known.view === view {
      guard known.row != row else { return false }
      remove(view)
    }
    // Views may be released without a report.
    entries = entries.filter { $0.value.view != nil }
    let isFirst = !entries.values.contains { $0.row == row }
    entries[ObjectIdentifier(view)] = Listed(row: row, view: view, isFirst: isFirst)
    return isFirst
  }

  /// Removes a view.
  ///
  /// O(views)
  ///
  /// - Returns: Whether the view was known.
  @discardableResult
  mutating func remove(_ view: any ListedRow) -> Bool {
    guard let old = entries.removeValue(forKey: ObjectIdentifier(view)) else { return false }
    if old.isFirst, let next = entries.first(where: { $0.value.row == old.row }) {
      entries[next.key]?.isFirst = true
    }
    return true
  }
}
