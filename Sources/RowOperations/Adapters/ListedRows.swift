/// The row views that report to a list, and the rows that they show.
///
/// A row may have several views: a sheet shows the row that was tapped, and SwiftUI shows a new
/// view before it removes the old one. The oldest living one is the row's first.
@MainActor
struct ListedRows<Row: Hashable> {
  struct Listed {
    var row: Row
    weak var view: (any ListedRow)?
    /// Whether the view is inside the list, as the host reported last; once inside, for good.
    var isInside: Bool?
  }

  private(set) var entries: [ObjectIdentifier: Listed] = [:]
  /// The views of each row, the oldest first.
  private var viewsOfRows: [Row: [ObjectIdentifier]] = [:]
  /// The number of entries at which those of released views are removed.
  private var fullCount = 64
  /// Whether the host has reported of any view that it is inside.
  ///
  /// Until then, a host that sees no view inside may not see them at all.
  private var hasInside = false

  /// The views, without those that were released without a report.
  var views: [any ListedRow] { entries.values.compactMap(\.view) }

  /// The row that a view shows as its first view; `nil` if there is none.
  func row(firstIn view: any ListedRow) -> Row? {
    let id = ObjectIdentifier(view)
    guard let entry = entries[id], entry.view === view else { return nil }
    let first = viewsOfRows[entry.row]?.first { entries[$0]?.view != nil }
    return first == id ? entry.row : nil
  }

  /// Whether a view is inside a list; `nil` if the host does not know it.
  mutating func isInside(_ view: any ListedRow, _ list: any RowListing) -> Bool? {
    let id = ObjectIdentifier(view)
    guard let entry = entries[id], entry.view === view else { return nil }
    if entry.isInside != true { entries[id]?.isInside = view.isInside(list) }
    guard let isInside = entries[id]?.isInside else { return nil }
    hasInside = hasInside || isInside
    return isInside || hasInside ? isInside : nil
  }

  /// Adds a view, or changes its row.
  ///
  /// - Returns: Whether no other view shows the row, and this one did not.
  mutating func insert(_ view: any ListedRow, as row: Row) -> Bool {
    let id = ObjectIdentifier(view)
    let known = entries[id]
    if known?.view === view, known?.row == row { return false }
    remove(id)
    let isInside = known?.view === view ? known?.isInside : nil
    entries[id] = Listed(row: row, view: view, isInside: isInside)
    viewsOfRows[row, default: []].append(id)
    removeReleased()
    return self.row(firstIn: view) != nil
  }

  /// Removes a view.
  ///
  /// - Returns: Whether the view was known.
  mutating func remove(_ view: any ListedRow) -> Bool {
    let id = ObjectIdentifier(view)
    guard entries[id]?.view === view else { return false }
    remove(id)
    return true
  }

  private mutating func remove(_ id: ObjectIdentifier) {
    guard let row = entries.removeValue(forKey: id)?.row else { return }
    viewsOfRows[row]?.removeAll { $0 == id }
    if viewsOfRows[row]?.isEmpty == true { viewsOfRows[row] = nil }
  }

  /// Amortized O(1) for each view that was added.
  private mutating func removeReleased() {
    guard entries.count >= fullCount else { return }
    for id in entries.filter({ $0.value.view == nil }).keys { remove(id) }
    fullCount = max(2 * entries.count, 64)
  }
}
