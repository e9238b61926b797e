import Foundation
import RowOperations
import RowOperationsTesting

extension Family {
  /// A row that is appended to a list, with the turn that follows.
  static let dataChanges = Family("B18") {
    let counts = try Callgrind.run([CountedWork.dataChanges.rawValue], .eachCall)
    // Three counts for each way; the first call of all finds its functions and types.
    let ways = stride(from: 0, to: counts.count, by: 3).map { (counts[$0 + 1], counts[$0 + 2]) }
    return [
      Figure(
        "B18a", "instructions of a data change with 1,000,000 ids / 1,000, in the worst way",
        ways.map { $1 / $0 }.max() ?? .nan, limit: 2),
      Figure("B18b", "the most of them", ways.map { max($0, $1) }.max() ?? .nan, limit: 100_000),
    ]
  }
}

/// B18: a change of a list's data, by the three ways in which a list reports its rows.
@MainActor
struct DataChange<Row: Hashable & Sendable> {
  /// A row of a list without cells.
  private final class ListedCell: ListedRow {
    func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? { nil }
    func isInside(_ list: any RowListing) -> Bool? { nil }
    func listCovered(_ isCovered: Bool) {}
  }

  private let tracker: DisplayTracker<Row, Int>
  private let cells = (0..<12).map { SimulatedCell(number: $0) }
  private let before: [Row]
  private let after: [Row]

  /// Cells in the middle of the rows.
  private init(_ rows: [Row]) {
    var configuration = TrackerConfiguration<Row, Int>()
    configuration.clock = ManualClock()
    tracker = DisplayTracker<Row, Int>(configuration: configuration) { _ in nil }
    (before, after) = (rows.dropLast(), rows)
    for cell in cells {
      tracker.bind(cell, to: before[first + cell.number]) { _, _ in }
      tracker.willDisplay(cell)
    }
  }

  private var first: Int { before.count / 2 }

  private func layout(_ rows: [Row]) -> ListLayout {
    var layout = ListLayout()
    layout.sectionCount = 1
    layout.itemCount = { _ in rows.count }
    layout.contentSize = CGSize(width: 320, height: Double(rows.count) * 44)
    layout.cells = cells.map { .init($0, at: .init(row: first + $0.number)) }
    return layout
  }

  private func setOrder() -> @MainActor () -> Void {
    tracker.setOrder(before)
    return { [tracker, after] in tracker.setOrder(after) }
  }

  private func changeWatchedList() -> @MainActor () -> Void {
    var rows = before
    let relay = ListRelay(tracker, ids: .sections { [rows] })
    relay.laidOut(layout(before))
    let layout = layout(after)
    return { [after] in
      rows = after
      relay.laidOut(layout)
    }
  }

  private func changeList() -> @MainActor () -> Void {
    let list = RowList<Row>()
    let views = cells.map { _ in ListedCell() }
    list.changed(to: RowSource(before), of: tracker)
    for (cell, view) in zip(cells, views) {
      list.rowAppeared(AnyHashable(before[first + cell.number]), view)
    }
    return { [after] in
      withExtendedLifetime(views) { list.orderChanged(to: RowSource(after)) }
    }
  }

  /// - Parameter prepare: Reports the rows, and returns their change.
  private func measure(_ prepare: (DataChange) -> @MainActor () -> Void) {
    let change = prepare(self)
    // A search for the rows on screen takes several turns.
    repeat { tracker.endPass() } while tracker.position(of: before[first]) == nil
    for _ in 0..<3 { tracker.endPass() }
    counted {
      change()
      tracker.endPass()
    }
    print(before.count)
  }

  private static func run(_ make: (Int) -> Row) {
    let rows = [500, 1_000, 1_000_000].map { size in (0...size).map(make) }
    for way in [
      { $0.setOrder() }, { $0.changeWatchedList() }, { $0.changeList() },
    ] as [(DataChange) -> @MainActor () -> Void] {
      for rows in rows { DataChange(rows).measure(way) }
    }
  }
}

extension DataChange<Int> {
  static func runAll() {
    run { $0 }
    DataChange<String>.run { "the name of a row, \($0)" }
  }
}
