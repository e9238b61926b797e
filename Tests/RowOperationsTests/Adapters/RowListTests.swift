import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters {
  @Suite("A list without cells", .timeLimit(.minutes(10)))
  @MainActor
  struct RowListTests {
    /// A row of the list, 50 points long, on a screen of 500 points.
    private final class ScreenRow: ListedRow {
      let row: Int
      let axis: ScrollAxis
      var offset = 0.0
      /// Whether the host reports that the row is inside the list.
      var isInside: Bool?
      private(set) var isCovered = false

      init(_ row: Int, along axis: ScrollAxis = .vertical) { (self.row, self.axis) = (row, axis) }

      func stretch(along axis: ScrollAxis) -> ClosedRange<Double>? {
        guard axis == self.axis else { return 0...300 }
        return Double(row) * 50 - offset...Double(row) * 50 - offset + 50
      }

      func isInside(_ list: any RowListing) -> Bool? { isInside }

      func listCovered(_ isCovered: Bool) { self.isCovered = isCovered }
    }

    private let rig = TrackerRig()
    private let clock = ManualClock()
    private let list: RowList<Int>

    init() {
      list = RowList(clock: clock)
      list.changed(to: Array(0..<100), of: [rig.tracker])
    }

    /// Rows on screen, which the list holds weakly.
    private let kept = Box<[ScreenRow]>([])

    @discardableResult
    private func show(_ rows: Range<Int>, along axis: ScrollAxis = .vertical) -> [ScreenRow] {
      let screenRows = rows.map { ScreenRow($0, along: axis) }
      kept.change { $0 += screenRows }
      for screenRow in screenRows { list.rowAppeared(screenRow.row, screenRow) }
      return screenRows
    }

    private var landing: [Int] {
      rig.recorder.rows { if case .landing = $0 { true } else { false } }
    }

    /// Lets time pass until the list has looked at its rows.
    private func rest() async {
      await rig.tracker.waitUntil { _ in
        clock.advance(by: .milliseconds(50))
        return list.hasSeenRows
      }
    }

    // MARK: Order

    @Test("A list passes its order to its trackers exactly when the order changes")
    func order() throws {
      let inputs = Box<[String]>([])
      rig.tracker.recordEvents { line in inputs.change { $0.append(line) } }
      list.changed(to: Array(0..<100), of: [rig.tracker])
      rig.tracker.endPass()
      #expect(inputs.value.joined().contains("O[") == false)
      list.changed(to: Array(0..<3), of: [rig.tracker])
      rig.tracker.endPass()
      #expect(inputs.value.joined().contains("O["))
    }

    @Test("Rows on screen cause the rows ahead to load without a further call")
    func prefetch() {
      let row = EvaluatedRow(5, in: rig)
      row.appear()
      row.load()
      #expect(rig.starts(of: 4) == 1 && rig.starts(of: 6) == 1)
      #expect(rig.violations == [])
    }

    @Test("Each list has its own order, which ends with the list")
    func orders() async {
      var other: RowList<Int>? = RowList(clock: clock)
      other?.changed(to: Array(200..<300), of: [rig.tracker])
      #expect(rig.tracker.core.lists.lists.keys.sorted() == [1, 2])
      #expect(rig.tracker.index(of: 7, inList: 1) == 7)
      #expect(rig.tracker.index(of: 207, inList: 2) == 7)
      other = nil
      await rig.tracker.waitUntil { $0.core.lists.lists.keys.sorted() == [1] }
      #expect(rig.tracker.index(of: 207, inList: 2) == nil)
      #expect(rig.tracker.index(of: 7, inList: 1) == 7)
    }

    @Test("A list that gets another tracker moves its order there")
    func otherTracker() {
      let other = TrackerRig()
      list.changed(to: Array(0..<100), of: [other.tracker])
      #expect(rig.tracker.core.lists.lists.isEmpty)
      #expect(rig.tracker.index(of: 7, inList: 1) == nil)
      #expect(other.tracker.index(of: 7, inList: 1) == 7)
      list.changed(to: Array(0..<100), of: [other.tracker, rig.tracker])
      #expect(rig.tracker.index(of: 7, inList: 1) == 7)
      #expect(other.tracker.core.lists.lists.count == 1, "it is followed once")
    }

    // MARK: Landing

    @Test("A fling lands on the rows of its target, in reading order")
    func fling() {
      let rows = show(0..<10)
      list.phaseChanged(to: .touched)
      list.phaseChanged(to: .dragged)
      for row in rows { row.offset = 120 }
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
    }

    @Test("A target that SwiftUI gives at rest, when the size changes, is no landing")
    func resize() {
      show(0..<10)
      list.phaseChanged(to: .touched)
      list.phaseChanged(to: .resting)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
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
      list.targetChanged(.init(from: 0, to: 500, length: 500))
      list.phaseChanged(to: .decelerating, velocity: 2_040, extent: extent)
      rig.tracker.endPass()
      #expect(landing == Array(10..<20))
    }

    @Test("Without frames no row lands")
    func noFrames() {
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      list.phaseChanged(
        to: .decelerating, velocity: 2_000,
        extent: .init(offset: 0, length: 500, contentLength: 5_000))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("Rows that disappeared and views that were released do not count for a landing")
    func gone() {
      for row in show(0..<10).suffix(5) { list.rowDisappeared(row) }
      kept.set([])
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("A view on screen that gets another row counts at that row's index")
    func changed() {
      let screenRows = show(0..<10)
      list.changed(to: Array((0..<100).reversed()), of: [rig.tracker])
      for screenRow in screenRows {
        list.rowChanged(to: 99 - screenRow.row, screenRow)
      }
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
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

    @Test("A fling of a horizontal list lands, with phases and without")
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
      list.targetChanged(.init(along: .horizontal, from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing.suffix(10) == Array(20..<30)[...])
    }

    @Test("Without phases, the first fling of a horizontal list shows its axis")
    func inferredAxis() async {
      show(0..<10, along: .horizontal)
      list.targetChanged(.init(along: .horizontal, from: 0, to: 1_000, length: 500))
      await rest()
      list.targetChanged(.init(along: .horizontal, from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
    }

    @Test("A fling of a carousel inside a row changes nothing in the list around it")
    func nestedCarousel() async {
      show(0..<10)
      await rest()
      list.targetChanged(.init(along: .horizontal, from: 0, to: 700, length: 300))
      #expect(list.hasSeenRows)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      list.targetChanged(.init(along: .horizontal, from: 0, to: 700, length: 300))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
    }

    // MARK: Systems without phases

    @Test("Without phases a list at rest is measured, and its next fling lands")
    func inferred() async {
      let rows = show(0..<10)
      await rest()
      for row in rows { row.offset = 200 }
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30))
      #expect(rig.tracker.core.engine.gate.isMoving)
    }

    @Test("Without phases a target is a landing only if the list is thrown")
    func inferredResize() async {
      show(0..<10)
      await rest()
      list.targetChanged(.init(from: 0, to: 1_000, length: 500, isThrown: false))
      rig.tracker.endPass()
      #expect(landing == [])
    }

    @Test("Without phases, rows that appear one after another are a scroll that settles")
    func inferredScroll() async {
      for row in 0..<3 {
        show(row..<row + 1)
        clock.advance(by: .milliseconds(50))
      }
      #expect(rig.tracker.core.engine.gate.isMoving)
      await rig.tracker.waitUntil { [rig] _ in
        clock.advance(by: .milliseconds(50))
        return !rig.tracker.core.engine.gate.isMoving
      }
    }

    // MARK: Covers

    @Test("Rows of a covered list are covered until one of its rows appears")
    func covered() {
      let rows = show(0..<3)
      list.listAppeared()
      list.listDisappeared()
      #expect(rows.allSatisfy { $0.isCovered })
      list.rowAppeared(3, ScreenRow(3))
      #expect(!rows.contains { $0.isCovered })
    }

    @Test("Rows that disappear while the list is covered are displayed when they appear again")
    func coveredRows() {
      let row = EvaluatedRow(5, in: rig)
      list.listAppeared()
      row.appear()
      list.rowAppeared(5, row)
      list.listDisappeared()
      #expect(rig.displayed == [])
      row.disappear()
      list.rowDisappeared(row)
      row.appear()
      list.rowAppeared(5, row)
      #expect(rig.displayed == [5])
      list.listDisappeared()
      list.listAppeared()
      #expect(rig.displayed == [5])
    }

    /// Signs of a list in sight, beside its own `onAppear`.
    private static let signs: [@MainActor @Sendable (RowList<Int>, ScreenRow) -> Void] = [
      { list, _ in list.phaseChanged(to: .touched) },
      { list, _ in list.phaseChanged(to: .dragged) },
      { list, _ in list.phaseChanged(to: .decelerating) },
      { list, row in list.rowAppeared(row.row, row) },
    ]

    @Test(
      "A list that comes back without onAppear is uncovered by a finger or a visible row",
      arguments: 0..<4)
    func backWithoutAppearance(sign: Int) {
      let rows = show(0..<3)
      list.listAppeared()
      for _ in 0..<2 {
        list.listDisappeared()
        #expect(rows.allSatisfy { $0.isCovered }, "also the second time")
        Self.signs[sign](list, rows[1])
        #expect(!rows.contains { $0.isCovered })
        list.phaseChanged(to: .resting)
      }
    }

    @Test("What a covered list does by itself does not uncover it")
    func staysCovered() {
      let rows = show(0..<3)
      list.listAppeared()
      list.listDisappeared()
      list.phaseChanged(to: .animated)
      list.offsetChanged(x: 0, y: 10)
      list.offsetChanged(x: 0, y: 20)
      list.phaseChanged(to: .resting)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      #expect(rows.allSatisfy { $0.isCovered })
    }

    @Test("Rows of a sheet, which are not in the order, do not uncover the list")
    func sheet() {
      let rows = show(0..<3)
      list.listAppeared()
      list.listDisappeared()
      let stranger = ScreenRow(500)
      list.rowAppeared(500, stranger)
      #expect(rows.allSatisfy { $0.isCovered })
      list.changed(to: Array(0..<501), of: [rig.tracker])
      list.rowAppeared(stranger.row, stranger)
      #expect(!rows.contains { $0.isCovered }, "the order came after the row")
      list.listDisappeared()
      #expect(stranger.isCovered)
    }

    @Test(
      "A sheet that shows a row of the list neither uncovers it nor is covered with it",
      arguments: [false, nil])
    func sheetOfRow(isInside: Bool?) {
      let rows = show(0..<10)
      list.listAppeared()
      list.listDisappeared()
      let guest = ScreenRow(3)
      (guest.isInside, guest.offset) = (isInside, 300)
      list.rowAppeared(3, guest)
      #expect(rows.allSatisfy { $0.isCovered })
      list.listAppeared()
      list.listDisappeared()
      #expect(!guest.isCovered)
      list.listAppeared()
      list.phaseChanged(to: .dragged)
      list.targetChanged(.init(from: 0, to: 1_000, length: 500))
      rig.tracker.endPass()
      #expect(landing == Array(20..<30), "its frame does not count")
      list.rowDisappeared(guest)
      list.listDisappeared()
      #expect(rows.allSatisfy { $0.isCovered }, "it takes no other view of the row with it")
    }

    @Test("A row of a sheet is none of the list, also when the list's view of the row is gone")
    func sheetOfLostRow() {
      let rows = show(0..<3)
      for row in rows { row.isInside = true }
      list.listAppeared()
      list.listDisappeared()
      list.rowDisappeared(rows[1])
      let guest = ScreenRow(1)
      guest.isInside = false
      list.rowAppeared(1, guest)
      #expect(rows[0].isCovered && rows[2].isCovered)
    }

    @Test("A list is covered although the host sees none of its rows inside")
    func noRowInside() {
      let rows = show(0..<3)
      for row in rows { row.isInside = false }
      list.listAppeared()
      list.listDisappeared()
      #expect(rows.allSatisfy { $0.isCovered })
      list.rowAppeared(1, rows[1])
      #expect(!rows.contains { $0.isCovered })
    }

    @Test("A row that was seen inside the list once stays inside")
    func insideOnce() {
      let rows = show(0..<3)
      for row in rows { row.isInside = true }
      list.listAppeared()
      list.listDisappeared()
      list.listAppeared()
      for row in rows { row.isInside = false }
      list.listDisappeared()
      #expect(rows.allSatisfy { $0.isCovered })
    }

    @Test("A list inside a row is covered with the list around it, in the order or not")
    func innerRows() {
      show(0..<3)
      let inner = [ScreenRow(1), ScreenRow(700)]
      for row in inner {
        row.isInside = true
        list.rowAppeared(row.row, row)
      }
      list.listAppeared()
      list.listDisappeared()
      #expect(inner.allSatisfy { $0.isCovered })
      list.listAppeared()
      #expect(!inner.contains { $0.isCovered })
    }

    @Test("A new view of a row takes the place of the old one, which disappears later")
    func newView() {
      let old = show(0..<1)[0]
      let new = ScreenRow(0)
      list.rowAppeared(0, new)
      list.rowDisappeared(old)
      list.listAppeared()
      list.listDisappeared()
      #expect(new.isCovered && !old.isCovered)
    }

    @Test("The oldest living view of a row is its first, also after one that was released")
    func releasedView() {
      var views = [0, 1, 2].map { _ in ScreenRow(0) }
      for view in views { list.rowAppeared(0, view) }
      views.removeFirst()
      list.listAppeared()
      list.listDisappeared()
      #expect(views.map(\.isCovered) == [true, false])
    }

    @Test("Released views of a long scroll are forgotten")
    func forgotten() {
      var rows = ListedRows<Int>()
      for start in stride(from: 0, to: 10_000, by: 500) {
        let views = (start..<start + 500).map { ScreenRow($0) }
        for view in views { _ = rows.insert(view, as: view.row) }
      }
      #expect(rows.entries.count <= 1_000)
    }

    @Test("A covered list prefetches nothing, and prefetches again when it is back")
    func coveredPrefetch() {
      let row = EvaluatedRow(5, in: rig)
      list.listAppeared()
      row.appear()
      list.rowAppeared(5, row)
      rig.tracker.endPass()
      #expect(rig.tracker.core.engine.prefetchedRows.count(in: .prefetched) > 0)
      list.listDisappeared()
      rig.tracker.endPass()
      #expect(rig.tracker.core.engine.prefetchedRows.count(in: .prefetched) == 0)
      list.listAppeared()
      rig.tracker.endPass()
      #expect(rig.tracker.core.engine.prefetchedRows.count(in: .prefetched) > 0)
      #expect(rig.violations == [])
    }

    @Test("A cover ends the scroll of a list")
    func coveredWhileMoving() {
      list.phaseChanged(to: .dragged)
      #expect(rig.tracker.core.engine.gate.isMoving)
      list.listAppeared()
      list.listDisappeared()
      #expect(!rig.tracker.core.engine.gate.isMoving)
    }

    @Test("A replaced list is not covered if the new list appears before it disappears")
    func replaced() {
      var cover = ListCover()
      #expect(cover.appeared() == false)
      #expect(cover.appeared() == false)
      #expect(cover.disappeared() == false)
      #expect(cover.disappeared() == true)
      #expect(cover.disappeared() == false)
      #expect(cover.appeared() == true)
    }

    @Test(
      "A row that shows that a list is back counts as its appearance", arguments: [false, true])
    func backByRow(isReplaced: Bool) {
      var cover = ListCover()
      #expect(cover.appeared() == false)
      #expect(cover.disappeared() == true)
      #expect(cover.isSeen() == true)
      #expect(cover.appeared() == false, "its own, in the same turn or later")
      if isReplaced {
        #expect(cover.appeared() == false)
        #expect(cover.disappeared() == false)
      }
      #expect(cover.disappeared() == true)
    }
  }
}
