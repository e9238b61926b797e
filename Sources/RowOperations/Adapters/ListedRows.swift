/// The row views of a list, and their rows.
///
/// A row may have several views: in a sheet, and when SwiftUI shows a new view before it removes
/// the old one. The oldest living one is the first.
@MainActor
struct ListedRows<Row: Hashable> {
  private var listed: [KnownView] = []
  /// By the numbers of their views.
  private var rows: [Row] = []
  private var byIdentity: [ObjectIdentifier: KnownView] = [:]
  /// The oldest view comes first.
  private var viewsOfRows: [Row: [KnownView]] = [:]
  /// At so many views, the released ones are removed.
  private var fullCount = 64
  /// Until then the host may see no views at all.
  private var hasInside = false

  /// With views that were released without a report.
  var count: Int { rows.count }

  /// Without those.
  var views: [any ListedRow] { listed.compactMap(\.view) }

  func row(firstIn view: any ListedRow) -> Row? {
    guard let known = known(view) else { return nil }
    let row = rows[known.number]
    return viewsOfRows[row]?.first { $0.view != nil } === known ? row : nil
  }

  /// The identity may be that of a released view.
  private func known(_ view: any ListedRow) -> KnownView? {
    byIdentity[ObjectIdentifier(view)].flatMap { $0.view === view ? $0 : nil }
  }

  mutating func isInside(_ view: any ListedRow, _ list: any RowListing) -> Bool? {
    known(view).flatMap { isInside($0, list) }
  }

  private mutating func isInside(_ listed: KnownView, _ list: any RowListing) -> Bool? {
    if listed.isInside != true, let view = listed.view { listed.isInside = view.isInside(list) }
    hasInside = hasInside || listed.isInside == true
    return hasInside ? listed.isInside : nil
  }

  /// Of the living views that are not known to be outside of a list.
  mutating func rows(in list: any RowListing) -> [Row] {
    var numbers: [Int] = []
    numbers.reserveCapacity(listed.count)
    for number in listed.indices where listed[number].view != nil {
      if isInside(listed[number], list) != false { numbers.append(number) }
    }
    return numbers.count == rows.count ? rows : numbers.map { rows[$0] }
  }

  mutating func insert(_ view: any ListedRow, as row: Row) {
    let known = known(view)
    if let known, rows[known.number] == row { return }
    if let old = byIdentity[ObjectIdentifier(view)] { remove(old) }
    let new = KnownView(view, number: rows.count, isInside: known?.isInside)
    listed.append(new)
    rows.append(row)
    byIdentity[new.id] = new
    viewsOfRows[row, default: []].append(new)
    removeReleased()
  }

  /// - Returns: Whether the view was known.
  mutating func remove(_ view: any ListedRow) -> Bool {
    guard let known = known(view) else { return false }
    remove(known)
    return true
  }

  /// The last view gets the number.
  private mutating func remove(_ gone: KnownView) {
    let (number, row) = (gone.number, rows[gone.number])
    listed[listed.count - 1].number = number
    listed.swapAt(number, listed.count - 1)
    listed.removeLast()
    rows.swapAt(number, rows.count - 1)
    rows.removeLast()
    byIdentity[gone.id] = nil
    viewsOfRows[row]?.removeAll { $0 === gone }
    if viewsOfRows[row]?.isEmpty == true { viewsOfRows[row] = nil }
  }

  private mutating func removeReleased() {
    guard count >= fullCount else { return }
    for view in listed where view.view == nil { remove(view) }
    fullCount = max(2 * count, 64)
  }
}

/// An object, so that a read copies no weak reference.
///
/// Without the type of the row, which code would look up at each step.
@MainActor
private final class KnownView {
  let id: ObjectIdentifier
  private(set) weak var view: (any ListedRow)?
  var number: Int
  /// As the host reported last; once inside, for good.
  var isInside: Bool?

  init(_ view: any ListedRow, number: Int, isInside: Bool?) {
    (id, self.view, self.number, self.isInside) = (ObjectIdentifier(view), view, number, isInside)
  }
}
