// Transcript.swift explains the letters of events.

import RowOperationsTesting
import Testing

@testable import RowOperations

@Suite("Events of a simulated list: changes of the model")
@MainActor
struct ListUpdateTests {
  private let transcript = Transcript()

  /// A list with rows 0, 1 and 2 on screen in the cells a, b and c.
  private func laidOut(change: (inout ListBehavior) -> Void = { _ in }) -> ListSimulator<Int> {
    var behavior = ListBehavior()
    behavior.prefetchDepth = 0
    change(&behavior)
    let list = makeList(100, behavior, in: transcript)
    list.layOut()
    _ = transcript.take()
    return list
  }

  @Test("After a reload old cells leave with old indices, before or after new cells come")
  func reload() {
    laidOut().reload([7, 8])
    #expect(transcript.take() == "E(a)@0 E(b)@1 E(c)@2 c7(c) W(c) c8(b) W(b)")
    laidOut { $0.reloadEndsFirst = false }.reload([7, 8])
    #expect(transcript.take() == "c7(d) W(d) c8(e) W(e) E(a)@0 E(b)@1 E(c)@2")
  }

  @Test("A deleted row's end has the old index, which is now that of a neighbour")
  func delete() {
    let list = laidOut()
    list.delete([1])
    #expect(transcript.take() == "c3(d) W(d) E(b)@1")
    #expect(list.visibleRows == [0, 2, 3])
    #expect(list.cell(for: 2)?.description == "c", "rows that stay keep their cells")
  }

  @Test("After an insertion at the top the last row leaves, and the others keep their cells")
  func insert() {
    let list = laidOut()
    list.insert([100], at: 0)
    #expect(transcript.take() == "c100(d) W(d) E(c)@2")
    #expect(list.visibleRows == [100, 0, 1])
  }

  @Test("A moved row keeps its cell or changes it")
  func move() {
    let list = laidOut()
    list.move(0, to: 2)
    #expect(transcript.take() == "")
    #expect(list.visibleRows == [1, 2, 0])
    let other = laidOut { $0.movedRowsChangeCells = true }
    other.move(0, to: 1)
    #expect(transcript.take() == "c0(d) W(d) E(a)@1")
    #expect(Set(other.visibleCells.map(\.number)).count == 3)
  }

  @Test("As few rows as possible change their cells when several rows move")
  func moveFar() {
    let list = laidOut { $0.movedRowsChangeCells = true }
    let before = list.visibleRows
    list.move(0, to: 2)
    #expect(transcript.take() == "c0(d) W(d) E(a)@2")
    #expect(list.visibleRows == [before[1], before[2], before[0]])
  }

  @Test("A reloaded row gets a new cell, and the old cell leaves, on some lists twice")
  func reloadRow() {
    laidOut().reloadRow(1)
    #expect(transcript.take() == "c1(d) W(d) E(b)@1")
    laidOut { $0.endsReloadedCellsTwice = true }.reloadRow(1)
    #expect(transcript.take() == "c1(d) W(d) E(b)@1 E(b)@-1")
  }

  @Test("A reconfigured row causes a call for its cell, if it has one")
  func reconfigure() {
    let list = laidOut()
    list.reconfigureRow(1)
    list.reconfigureRow(50)
    #expect(transcript.take() == "c1(b)")
  }

  @Test("A GTK list binds far more rows than it shows, and at first shows all for a moment")
  func binding() {
    let list = makeList(1000, .gtkListView, in: transcript)
    list.layOut()
    let told = transcript.events
    #expect(told.count { $0.hasPrefix("c") } == 103)
    #expect(told.count { $0.hasPrefix("W") } == 103)
    #expect(told.count { $0.hasPrefix("E") } == 100)
    #expect(list.visibleCells.count == 3)
  }

  @Test("A GTK list unbinds and binds an item at once, and binds all items after an insertion")
  func rebinding() {
    var behavior = ListBehavior()
    behavior.boundMargin = 1
    behavior.prefetchDepth = 0
    let list = makeList(100, behavior, in: transcript)
    list.layOut()
    list.drag(by: 200)
    _ = transcript.take()
    list.drag(by: 100)
    #expect(transcript.take() == "move u(b) c6(b) W(e) E(c)@2")
    list.insert([200], at: 3)
    let told = transcript.take()
    #expect(told.hasPrefix("u(a) c4(a) u(b) c6(b) u(c) c2(c) u(d) c3(d) u(e) c5(e)"))
    #expect(list.visibleRows == [200, 3, 4])
    #expect(list.visibleCells.count == 3)
    list.reloadRow(4)
    #expect(transcript.take() == "u(a) c4(a)", "the row keeps its item")
  }
}
