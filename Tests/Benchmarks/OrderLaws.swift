import Foundation
import RowOperations
import RowOperationsTesting

/// B18: a change of a list's data, by the three ways in which a list reports its rows.
///
/// `.ci/cost-laws` counts the instructions of a row that is appended, with the turn that follows.
@MainActor
struct OrderLaw<Row: Hashable & Sendable> {
  /// A row of a list without cells.
  private final class ListedCell: ListedRow {
    func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? { nil }
    func isInside(_ list: any RowListing) -> Bool? { nil }
    func listCovered(_ isCovered: Bool) {}
  }

  private let kind: String
  private let make: (Int) -> Row

  init(_ kind: String, _ make: @escaping (Int) -> Row) { (self.kind, self.make) = (kind, make) }

  /// The number of rows on screen.
  private let shown = 12

  /// A tracker, its cells in the middle of the rows, and the rows before and after the change.
  private struct Scene {
    let tracker: DisplayTracker<Row, Int>
    let cells: [SimulatedCell]
    let first: Int
    let before: [Row]
    let after: [Row]
  }

  private func scene(_ size: Int) -> Scene {
    var configuration = TrackerConfiguration<Row, Int>()
    configuration.clock = ManualClock()
    let tracker = DisplayTracker<Row, Int>(configuration: configuration) { _ in nil }
    let rows = (0..<size).map(make)
    let first = size / 2
    let cells = (0..<shown).map { SimulatedCell(number: $0) }
    for cell in cells {
      tracker.bind(cell, to: rows[first + cell.number]) { _, _ in }
      tracker.willDisplay(cell)
    }
    return Scene(
      tracker: tracker, cells: cells, first: first, before: rows, after: rows + [make(size)])
  }

  private func layout(_ scene: Scene, count: Int) -> ListLayout {
    var layout = ListLayout()
    layout.sectionCount = 1
    layout.itemCount = { _ in count }
    layout.contentSize = ContentSize(width: 320, height: Double(count) * 44)
    layout.cells = scene.cells.map { .init($0, at: .init(row: scene.first + $0.number)) }
    return layout
  }

  func run() {
    measure("setOrder") { scene in
      scene.tracker.setOrder(scene.before)
      return { scene.tracker.setOrder(scene.after) }
    }
    measure("data change of ListRelay") { scene in
      var rows = scene.before
      let relay = ListRelay(trackers: [scene.tracker], rows: .sections { [rows] })
      relay.laidOut(layout(scene, count: rows.count))
      let after = layout(scene, count: scene.after.count)
      return {
        rows = scene.after
        relay.laidOut(after)
      }
    }
    measure("data change in SwiftUI") { scene in
      let list = RowList<Row>()
      let views = scene.cells.map { _ in ListedCell() }
      list.changed(to: RowSource(scene.before), of: [scene.tracker])
      for (cell, view) in zip(scene.cells, views) {
        list.rowAppeared(AnyHashable(scene.before[scene.first + cell.number]), view)
      }
      return {
        withExtendedLifetime(views) { list.orderChanged(to: RowSource(scene.after)) }
      }
    }
  }

  /// - Parameter prepare: Reports the rows, and returns their change.
  private func measure(_ name: String, _ prepare: (Scene) -> @MainActor () -> Void) {
    // The first call of all finds its functions and types.
    for size in [500, 1_000, 1_000_000] {
      let scene = scene(size)
      let change = prepare(scene)
      // A search for the rows on screen takes several turns.
      let row = scene.before[scene.first]
      repeat { scene.tracker.endPass() } while scene.tracker.position(of: row) == nil
      for _ in 0..<3 { scene.tracker.endPass() }
      count {
        change()
        scene.tracker.endPass()
      }
      print(size, "order", "\(name), rows of \(kind)")
    }
  }
}

extension CostLaw {
  static func runOrders() {
    OrderLaw("Int") { $0 }.run()
    OrderLaw("UUID") { number in
      let bytes = withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
      return UUID(
        uuid: (
          0, 1, 2, 3, 4, 5, 6, 7, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
          bytes[6], bytes[7]
        ))
    }.run()
    OrderLaw("String") { "the name of a row, \($0)" }.run()
  }
}
