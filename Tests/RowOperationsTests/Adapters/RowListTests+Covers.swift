import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

extension Adapters.RowListTests {
  @Test("Rows of a covered list are covered until one of its rows appears")
  func covered() {
    let rows = show(0..<3)
    list.listAppeared()
    list.listDisappeared()
    #expect(rows.allSatisfy { $0.isCovered })
    list.rowAppeared(3, ScreenRow(3))
    #expect(!rows.contains { $0.isCovered })
  }

  @Test("A row that disappears from a covered list is displayed when it appears elsewhere")
  func leftCover() {
    let row = EvaluatedRow(5, in: rig)
    list.listAppeared()
    row.appear()
    list.rowAppeared(5, row)
    list.listDisappeared()
    row.disappear()
    list.rowDisappeared(row)
    row.appear()
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
    list.targetChanged(.init(start: 0, end: 1_000, length: 500))
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
    list.changed(to: RowSource(Array(0..<501)), of: [rig.tracker])
    list.rowAppeared(stranger.row, stranger)
    #expect(!rows.contains { $0.isCovered }, "the order came after the row")
    list.listDisappeared()
    #expect(stranger.isCovered)
  }

  @Test("Any row belongs to a list whose order is still empty")
  func emptyOrder() {
    list.changed(to: RowSource([]), of: [rig.tracker])
    let rows = show(0..<3)
    list.listAppeared()
    list.listDisappeared()
    #expect(rows.allSatisfy { $0.isCovered })
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
    list.targetChanged(.init(start: 0, end: 1_000, length: 500))
    rig.tracker.endPass()
    #expect(landing == Array(20..<30), "its frame does not count")
    list.rowDisappeared(guest)
    list.listDisappeared()
    #expect(rows.allSatisfy { $0.isCovered }, "it takes no other view of the row with it")
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

  @Test("The oldest living view of a row is its first, also after one that was released")
  func releasedView() {
    var views = [0, 1, 2].map { _ in ScreenRow(0) }
    for view in views { list.rowAppeared(0, view) }
    views.removeFirst()
    list.listAppeared()
    list.listDisappeared()
    #expect(views.map(\.isCovered) == [true, false])
  }

  @Test("A covered list prefetches nothing, and prefetches again when it is back")
  func coveredPrefetch() {
    let row = EvaluatedRow(5, in: rig)
    list.listAppeared()
    row.appear()
    list.rowAppeared(5, row)
    rig.tracker.endPass()
    #expect(!rig.tracker.core.engine.claims.expected.isEmpty)
    list.listDisappeared()
    rig.tracker.endPass()
    #expect(rig.tracker.core.engine.claims.expected.isEmpty)
    list.listAppeared()
    rig.tracker.endPass()
    #expect(!rig.tracker.core.engine.claims.expected.isEmpty)
    #expect(rig.violations == [])
  }

  @Test("A cover ends the scroll of a list, which can scroll in the same way when it is back")
  func coveredWhileMoving() {
    list.listAppeared()
    for _ in 0..<2 {
      list.phaseChanged(to: .dragged)
      #expect(rig.tracker.core.engine.gate.isMoving)
      list.listDisappeared()
      #expect(!rig.tracker.core.engine.gate.isMoving)
      list.listAppeared()
      list.offsetChanged(x: 0, y: 20)
      #expect(!rig.tracker.core.engine.gate.isMoving, "a layout moves it")
    }
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
