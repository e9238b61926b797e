import RowOperations
import RowOperationsTesting

/// The displays of cells and views, computed again from all reports without regard to speed.
package struct HostModel {
  private struct Cell {
    var report: CellState.Report = .none
    var host: Int?
    var isHostGone = false
    var wasDisplayed = false
    var row: Int?
  }

  private var cells: [Int: Cell] = [:]
  /// Views that lost their rows because their hosts were bound to other rows.
  package private(set) var cleared: Set<Int> = []

  package init() {}

  package func isDisplayed(_ number: Int) -> Bool {
    guard let cell = cells[number], !cell.isHostGone else { return false }
    guard let host = cell.host else { return cell.report == .displayed }
    return cell.report != .ended && cell.report != .covered && isDisplayed(host)
  }

  /// Whether the cell was on screen since its last bind.
  package func wasDisplayed(_ number: Int) -> Bool { cells[number]?.wasDisplayed ?? false }

  package mutating func apply(_ step: EventScript.Step) {
    switch step {
    case .cellFor(let row, let cell): bind(cell, to: row, in: nil)
    case .viewFor(let row, let view, let host): bind(view, to: row, in: host)
    case .willDisplay(_, let cell): cells[cell, default: Cell()].report = .displayed
    case .didEndDisplaying(_, let cell): cells[cell]?.report = .ended
    case .cover(let cell): cells[cell, default: Cell()].report = .covered
    case .unbind(let cell):
      clearViews(of: cell)
      cells[cell]?.row = nil
    case .remove(let rows):
      for (cell, state) in cells where state.row.map(rows.contains) ?? false {
        cells[cell]?.row = nil
      }
    case .removeAll:
      for cell in cells.keys { cells[cell]?.row = nil }
    case .deallocate(let cell):
      cells[cell] = nil
      cleared.remove(cell)
      for view in cells.keys where cells[view]?.host == cell {
        cells[view]?.host = nil
        cells[view]?.isHostGone = true
      }
    case .reconcile(let shown):
      for cell in shown { cells[cell, default: Cell()].report = .displayed }
      // Views come on screen with a host that then leaves.
      noteDisplays()
      for (cell, state) in cells where state.host == nil && !state.isHostGone {
        if !shown.contains(cell), state.report == .displayed { cells[cell]?.report = .ended }
      }
    default: break
    }
    noteDisplays()
  }

  private mutating func noteDisplays() {
    for cell in cells.keys where isDisplayed(cell) { cells[cell]?.wasDisplayed = true }
  }

  /// Forgets an unused cell that the engine has forgotten.
  package mutating func forget(_ cell: Int) { cells[cell] = nil }

  private mutating func bind(_ view: Int, to row: Int?, in host: Int?) {
    if let host, cells[host] == nil { cells[host] = Cell() }
    let isCircle = host.map { isInside($0, view) } ?? false
    if row == nil || cells[view]?.row != row { clearViews(of: view) }
    cells[view, default: Cell()].row = row
    cleared.remove(view)
    cells[view, default: Cell()].host = isCircle ? nil : host
    cells[view]?.isHostGone = false
    cells[view]?.wasDisplayed = false
  }

  private mutating func clearViews(of host: Int) {
    for view in cells.keys where view != host && isInside(view, host) {
      if cells[view]?.row != nil { cleared.insert(view) }
      cells[view]?.row = nil
    }
  }

  private func isInside(_ cell: Int, _ other: Int) -> Bool {
    cell == other || (cells[cell]?.host).map { isInside($0, other) } ?? false
  }
}
