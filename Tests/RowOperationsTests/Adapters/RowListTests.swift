import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("A list without cells", .timeLimit(.minutes(10)))
  @MainActor
  struct RowListTests {
    /// A row of the list, 50 points long, on a screen of 500 points.
    final class ScreenRow: ListedRow {
      let row: Int
      let axis: ScrollAxis
      var offset = 0.0
      /// The place of the row across the axis, 100 points each; `nil` if it takes the whole width.
      var column: Int?
      /// Whether the host reports that the row is inside the list.
      var isInside: Bool?
      private(set) var isCovered = false

      init(_ row: Int, along axis: ScrollAxis = .vertical) { (self.row, self.axis) = (row, axis) }

      func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? {
        guard axis == self.axis else {
          return column.map { Double($0) * 100...Double($0) * 100 + 100 } ?? 0...300
        }
        return Double(row) * 50 - offset...Double(row) * 50 - offset + 50
      }

      func isInside(_ list: any RowListing) -> Bool? { isInside }

      func listCovered(_ isCovered: Bool) { self.isCovered = isCovered }
    }

    let rig = TrackerRig()
    let list = RowList<Int>()

    init() {
      list.changed(to: RowSource(Array(0..<100)), of: [rig.tracker])
    }

    /// Rows on screen, which the list holds weakly.
    let kept = Box<[ScreenRow]>([])

    @discardableResult
    func show(_ rows: Range<Int>, along axis: ScrollAxis = .vertical) -> [ScreenRow] {
      let screenRows = rows.map { ScreenRow($0, along: axis) }
      kept.change { $0 += screenRows }
      for screenRow in screenRows { list.rowAppeared(screenRow.row, screenRow) }
      return screenRows
    }

    var landing: [Int] {
      rig.recorder.rows { if case .landing = $0 { true } else { false } }
    }

    // MARK: Order

    @Test("A list whose body is evaluated with the same ids prefetches no row again")
    func order() throws {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      list.rowAppeared(5, row)
      rig.tracker.endPass()
      let prefetched = rig.recorder.rows { if case .prefetched = $0 { true } else { false } }
      #expect(prefetched == [6, 7, 8, 4, 3])
      for _ in 0..<3 {
        list.orderChanged(to: RowSource(Array(0..<100)))
        rig.tracker.endPass()
      }
      #expect(prefetched == rig.recorder.rows { if case .prefetched = $0 { true } else { false } })
      list.orderChanged(to: RowSource(Array(3..<9)))
      rig.tracker.endPass()
      #expect(rig.tracker.position(of: 5, inList: 1) == 2)
      #expect(rig.violations == [])
    }

    @Test("A list at rest requests no turn once its rows are read")
    func noTurns() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      list.rowAppeared(5, row)
      for _ in 0..<3 { rig.tracker.endPass() }
      #expect(rig.tracker.position(of: 5, inList: 1) == 5)
      #expect(!rig.tracker.core.engine.turns.isRequested)
    }

    @Test("Each list has its own order, which ends with the list")
    func orders() async {
      var other: RowList<Int>? = RowList()
      other?.changed(to: RowSource(Array(200..<300)), of: [rig.tracker])
      #expect(rig.tracker.core.lists.lists.keys.sorted() == [1, 2])
      let row = EvaluatedRow(207, in: rig)
      row.appear()
      other?.rowAppeared(207, row)
      let first = EvaluatedRow(7, in: rig)
      first.appear()
      list.rowAppeared(7, first)
      rig.tracker.endPass()
      #expect(rig.tracker.position(of: 7, inList: 1) == 7)
      #expect(rig.tracker.position(of: 207, inList: 2) == 7)
      other = nil
      await rig.tracker.waitUntil { $0.core.lists.lists.keys.sorted() == [1] }
      #expect(rig.tracker.position(of: 207, inList: 2) == nil)
      #expect(rig.tracker.position(of: 7, inList: 1) == 7)
    }

    @Test("A list that gets another tracker moves its order there")
    func otherTracker() {
      let other = TrackerRig()
      list.changed(to: RowSource(Array(0..<100)), of: [other.tracker])
      #expect(rig.tracker.core.lists.lists.isEmpty)
      #expect(rig.tracker.core.followed.isEmpty)
      #expect(other.tracker.core.followed.keys.sorted() == [1])
      list.changed(to: RowSource(Array(0..<100)), of: [other.tracker, rig.tracker])
      #expect(rig.tracker.core.followed.keys.sorted() == [1])
      #expect(other.tracker.core.lists.lists.count == 1, "it is followed once")
    }

    // MARK: Landing

    @Test("A fling lands on the rows of its target, in reading order")
    func fling() {
      let rows = show(0..<10)
      list.phaseChanged(to: .touched)
      list.phaseChanged(to: .dragged)
      for row in rows { row.offset = 120 }
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
    }

    @Test("A target that SwiftUI gives at rest, when the size changes, is no landing")
    func resize() {
      show(0..<10)
      list.phaseChanged(to: .touched)
      list.phaseChanged(to: .resting)
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("Without a target, as in a List, the velocity gives the landing of a fling")
    func velocity() {
      show(0..<10)
      let extent = ScrollExtent(offset: 0, length: 500, contentLength: 5_000)
      list.phaseChanged(to: .dragged)
      list.phaseChanged(to: .decelerating, velocity: 2_040, extent: extent)
      rig.tracker.endPass()
      // The distance is 1,013 points.
      #expect(landing == Array(20..<31))
    }

    @Test("A target takes precedence over the velocity")
    func targetFirst() {
      show(0..<10)
      let extent = ScrollExtent(offset: 0, length: 500, contentLength: 5_000)
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(start: 0, end: 500, length: 500))
      list.phaseChanged(to: .decelerating, velocity: 2_040, extent: extent)
      rig.tracker.endPass()
      #expect(landing == Array(10..<20))
    }

    @Test("Without frames no row lands")
    func noFrames() {
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      list.phaseChanged(
        to: .decelerating, velocity: 2_000,
        extent: .init(offset: 0, length: 500, contentLength: 5_000))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("Rows that disappeared and views that were released do not count for a landing")
    func gone() {
      for row in show(0..<10).suffix(5) { list.rowDisappeared(row) }
      kept.change { $0.removeFirst(5) }
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("A view on screen that gets another row counts at that row's index")
    func changed() {
      let screenRows = show(0..<10)
      list.changed(to: RowSource(Array((0..<100).reversed())), of: [rig.tracker])
      for screenRow in screenRows {
        list.rowChanged(to: 99 - screenRow.row, screenRow)
      }
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array((70..<80).reversed()))
    }

    @Test(
      "The last change of the offset decides the direction of a fling",
      arguments: [(40.0, -2_040.0, 20..<31), (-40, 2_040, 0..<10)])
    func direction(offset: Double, velocity: Double, rows: Range<Int>) {
      show(0..<10)
      let extent = ScrollExtent(offset: 0, length: 500, contentLength: 5_000)
      list.phaseChanged(to: .dragged)
      list.offsetChanged(x: 0, y: 0)
      list.offsetChanged(x: 0, y: offset)
      list.phaseChanged(to: .decelerating, velocity: velocity, extent: extent)
      rig.tracker.endPass()
      #expect(landing == Array(rows))
    }

    // MARK: The axis

    @Test("A fling of a horizontal list lands")
    func horizontal() async {
      show(0..<10, along: .horizontal)
      let extent = ScrollExtent(offset: 0, length: 500, contentLength: 5_000)
      list.phaseChanged(to: .dragged, along: .horizontal)
      list.offsetChanged(x: 0, y: 7)
      list.offsetChanged(x: 20, y: 0)
      list.phaseChanged(
        to: .decelerating, along: .horizontal, velocity: -2_040, extent: extent)
      rig.tracker.endPass()
      #expect(landing == Array(20..<31))
      list.phaseChanged(to: .dragged, along: .horizontal)
      list.targetChanged(.init(axis: .horizontal, start: 0, end: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing.suffix(10) == Array(20..<30)[...])
    }

    @Test("A fling of a carousel inside a row changes nothing in the list around it")
    func nestedCarousel() {
      show(0..<10)
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(axis: .horizontal, start: 0, end: 700, length: 300))
      rig.tracker.endPass()
      #expect(landing == [])
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      list.targetChanged(.init(axis: .horizontal, start: 0, end: 700, length: 300))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
    }

    @Test("Without phases a list does not move, and no row lands")
    func withoutPhases() {
      show(0..<10)
      list.targetChanged(.init(start: 0, end: 1_000, length: 500))
      for row in 10..<20 { show(row..<row + 1) }
      rig.tracker.endPass()
      #expect(landing == [] && !rig.tracker.core.engine.gate.isMoving)
    }
  }
}
