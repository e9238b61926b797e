import Testing

@testable import RowOperations

@Suite("Cells and their hosts as values")
struct CellsTests {
  /// A cell on screen that was bound to a row, and is rendered when it leaves.
  private func displayed(serial: UInt64, seen: UInt64) -> CellState {
    var cell = CellState()
    cell.link(to: RowID(index: 0), before: nil)
    let binding = Cells.Binding(serial: serial, hasNewRow: true, rendersLeaving: true, change: 1)
    cell.bindingBegan(binding, seen: seen)
    _ = cell.moved(to: .displayed, seen: seen)
    return cell
  }

  @Test("A cell leaves with the row that it had when the last turn ended, and with no newer one")
  func leaving() {
    for (serial, isLeaving) in [(4, true), (5, true), (6, false)] as [(UInt64, Bool)] {
      var cell = displayed(serial: serial, seen: 3)
      _ = cell.moved(to: .away, seen: 5)
      #expect(cell.isLeaving == isLeaving, "\(serial)")
    }
  }

  @Test("A cell was displayed once it has been on screen since its binding, not under a cover")
  func wasDisplayed() {
    var cell = displayed(serial: 1, seen: 0)
    #expect(cell.wasDisplayed)
    _ = cell.moved(to: .away, seen: 1)
    #expect(cell.wasDisplayed)
    let binding = Cells.Binding(serial: 2, hasNewRow: true, rendersLeaving: false, change: 1)
    cell.bindingBegan(binding, seen: 1)
    _ = cell.moved(to: .covered, seen: 2)
    #expect(!cell.wasDisplayed)
    _ = cell.moved(to: .away, seen: 2)
    #expect(!cell.wasDisplayed)
  }

  @Test("A host that the list does not know is forgotten when its last view leaves it")
  func unusedHost() {
    var cells = Cells()
    let (host, other) = (cells.add(), cells.add())
    let views = (0..<2).map { _ in cells.add() }
    for view in views { #expect(cells.move(view, into: host) == true) }
    #expect(cells.move(views[0], into: other) == true && !cells.hasUnused)
    #expect(cells.move(views[1], into: other) == true && cells.hasUnused)
    var freed: [CellID] = []
    cells.forget(to: &freed)
    #expect(freed == [host] && !cells.contains(host) && cells.count == 3)
  }
}

@Suite("Rows that appear in a turn")
struct AppearancesTests {
  @Test("Rows are listed in the order of their appearance, without those that were removed")
  func order() {
    var appearances = Appearances()
    let rows = ([2, 0, 1] as [Int32]).map { RowID(index: $0) }
    #expect(rows.map { appearances.append($0) } == [0, 1, 2])
    #expect(appearances.all == rows)
    appearances.remove(at: 0)
    #expect(appearances.all == [rows[1], rows[2]] && !appearances.isEmpty)
  }
}
