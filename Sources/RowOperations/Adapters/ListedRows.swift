/// The row views of a list, and their rows.
///
/// A row may have several views: a sheet shows the row that was tapped, and SwiftUI shows a new
/// view before it removes the old one. The oldest living one is the row's first.
@MainActor
struct ListedRows<Row: Hashable> {
  private var table = ViewTable()
  /// By the numbers of their views in the table.
  private var rows: [Row] = []
  /// The oldest view comes first.
  private var viewsOfRows: [Row: [ObjectIdentifier]] = [:]
  /// At so many views, the released ones are removed.
  private var fullCount = 64

  /// With views that were released without a report.
  var count: Int { rows.count }

  /// Without those.
  var views: [any ListedRow] { table.listed.compactMap(\.view) }

  func row(firstIn view: any ListedRow) -> Row? {
    guard let number = table.number(of: view) else { return nil }
    let first = viewsOfRows[rows[number]]?.first { table[$0]?.view != nil }
    return first == ObjectIdentifier(view) ? rows[number] : nil
  }

  mutating func isInside(_ view: any ListedRow, _ list: any RowListing) -> Bool? {
    table.number(of: view).flatMap { table.isInside($0, list) }
  }

  mutating func rows(in list: any RowListing) -> [Row] {
    let numbers = table.numbers(in: list)
    return numbers.count == rows.count ? rows : numbers.map { rows[$0] }
  }

  mutating func insert(_ view: any ListedRow, as row: Row) {
    let known = table.number(of: view)
    if let known, rows[known] == row { return }
    let isInside = known.flatMap { table.listed[$0].isInside }
    let id = ObjectIdentifier(view)
    remove(id)
    table.append(view, isInside: isInside)
    rows.append(row)
    viewsOfRows[row, default: []].append(id)
    removeReleased()
  }

  /// - Returns: Whether the view was known.
  mutating func remove(_ view: any ListedRow) -> Bool {
    guard table.number(of: view) != nil else { return false }
    remove(ObjectIdentifier(view))
    return true
  }

  private mutating func remove(_ id: ObjectIdentifier) {
    guard let number = table.remove(id) else { return }
    let row = rows[number]
    rows.swapAt(number, rows.count - 1)
    rows.removeLast()
    viewsOfRows[row]?.removeAll { $0 == id }
    if viewsOfRows[row]?.isEmpty == true { viewsOfRows[row] = nil }
  }

  /// Amortized O(1) for each view that was added.
  private mutating func removeReleased() {
    guard count >= fullCount else { return }
    for listed in table.listed where listed.view == nil { remove(listed.id) }
    fullCount = max(2 * count, 64)
  }
}

/// Without the type of the rows, which code would look up at each step.
@MainActor
private struct ViewTable {
  /// An object, so that a read copies no weak reference.
  final class Listed {
    let id: ObjectIdentifier
    private(set) weak var view: (any ListedRow)?
    /// As the host reported last; once inside, for good.
    fileprivate(set) var isInside: Bool?

    init(_ view: any ListedRow, isInside: Bool?) {
      (id, self.view, self.isInside) = (ObjectIdentifier(view), view, isInside)
    }
  }

  private(set) var listed: [Listed] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// Until then the host may see no views at all.
  private var hasInside = false

  /// The identity may be that of a released view.
  subscript(id: ObjectIdentifier) -> Listed? { numbers[id].map { listed[$0] } }

  func number(of view: any ListedRow) -> Int? {
    numbers[ObjectIdentifier(view)].flatMap { listed[$0].view === view ? $0 : nil }
  }

  mutating func append(_ view: any ListedRow, isInside: Bool?) {
    numbers[ObjectIdentifier(view)] = listed.count
    listed.append(Listed(view, isInside: isInside))
  }

  /// The last view gets the number.
  ///
  /// - Returns: The number, if the view is known.
  mutating func remove(_ id: ObjectIdentifier) -> Int? {
    guard let number = numbers.removeValue(forKey: id) else { return nil }
    listed.swapAt(number, listed.count - 1)
    listed.removeLast()
    if number < listed.count { numbers[listed[number].id] = number }
    return number
  }

  mutating func isInside(_ number: Int, _ list: any RowListing) -> Bool? {
    let listed = listed[number]
    if listed.isInside != true, let view = listed.view { listed.isInside = view.isInside(list) }
    guard let isInside = listed.isInside else { return nil }
    hasInside = hasInside || isInside
    return isInside || hasInside ? isInside : nil
  }

  /// Of the living views that are not known to be outside of a list.
  mutating func numbers(in list: any RowListing) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(listed.count)
    for number in listed.indices where listed[number].view != nil {
      if isInside(number, list) != false { numbers.append(number) }
    }
    return numbers
  }
}
