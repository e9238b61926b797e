// Transcript.swift explains the letters of events.

import RowOperationsTesting
import Testing

@testable import RowOperations
@testable import TestSupport

@Suite("Events of a simulated list: repeated rows")
@MainActor
struct RepeatedRowTests {
  private let transcript = Transcript()

  private func list(
    _ rows: [Int], change: (inout ListBehavior) -> Void = { _ in }
  ) -> ListSimulator<Int> {
    var behavior = ListBehavior()
    behavior.prefetchDepth = 0
    change(&behavior)
    let list = ListSimulator(
      rows: rows, rowHeight: 100, viewport: 300, behavior: behavior, handle: transcript.handle)
    list.layOut()
    return list
  }

  @Test("A list shows a repeated row in a cell for each of its places")
  func layout() {
    let list = list([7, 7, 8, 7])
    #expect(transcript.take() == "c7(a) W(a) c7(b) W(b) c8(c) W(c)")
    #expect(list.visibleRows == [7, 7, 8])
    #expect(list.visibleCells.map(\.description) == ["a", "b", "c"])
    #expect(list.cell(for: 7)?.description == "a")
    list.drag(by: 100)
    #expect(transcript.take() == "move c7(d) W(d) E(a)@0")
    #expect(list.cell(for: 7)?.description == "b")
  }

  @Test("An update to a repeated row adds a cell, and keeps the cells of the other places")
  func update() {
    let list = list([0, 1, 2])
    _ = transcript.take()
    list.update(to: [0, 0, 1, 2])
    #expect(transcript.take() == "c0(d) W(d) E(c)@2")
    list.update(to: [0, 1, 2])
    #expect(transcript.take() == "c2(c) W(c) E(d)@1")
    list.insert([1, 1], at: 1)
    #expect(list.visibleRows == [0, 1, 1])
    list.delete([1])
    #expect(list.visibleRows == [0, 2])
    list.reload([5, 5])
    #expect(list.visibleCells.count == 2)
  }

  @Test(
    "Lists of all kinds take repeated rows",
    arguments: [ListBehavior.tableView, .collectionView, .gtkListView])
  func kinds(behavior: ListBehavior) {
    let list = list([1, 2, 1, 3, 1]) { $0 = behavior }
    for rows in [[1, 1, 1, 1, 1], [3, 1, 2, 1], [2, 2], [], [4, 4, 4, 4, 5]] {
      list.update(to: rows)
      #expect(list.visibleCells.count == min(rows.count, 3))
      list.reloadRow(1)
      list.reconfigureRow(4)
      list.fling(velocity: 1)
      while list.isMoving { list.advance(by: .milliseconds(16)) }
      #expect(Set(list.visibleCells.map(\.number)).count == list.visibleRows.count)
    }
    list.move(5, to: 0)
    list.jump(to: 4)
    #expect(list.rows == [5, 4, 4, 4, 4])
  }

  @Test("A repeated row is reported, with each change of the model")
  func reported() {
    Misuses.inside { misuses in
      let list = ListSimulator(rows: [1, 2], viewport: 100) { (_: ListEvent<Int>) in }
      #expect(misuses.codes == [])
      list.update(to: [1, 2, 1])
      list.reload([3, 3])
      list.update(to: [3])
      #expect(misuses.codes == [.repeatedRow, .repeatedRow])
    }
  }
}
