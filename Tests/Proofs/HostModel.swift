import RowOperationsTesting

@testable import RowOperations

/// The displays of cells and views, computed again from all reports without regard to speed.
package struct HostModel {
  private struct Cell {
    var report: CellState.Report = .none
    var host: Int?
    /// When the cell came into its host.
    var hostedSince = 0
    var isHostGone = false
    var wasDisplayed = false
    /// Whether the cell was on screen after the last change.
    var isOnScreen = false
    var row: Int?
    /// The row that was removed from the cell.
    var removedRow: Int?
    /// The row at the end of the last turn.
    var rowOfLastTurn: Int?
    /// The row of that turn with which the cell left the screen.
    var leftRow: Int?
  }

  private var cells: [Int: Cell] = [:]
  private var lastHosted = 0
  /// Cells that came on screen after their rows were removed, in that order.
  private(set) var lost: [Int] = []
  /// The rows that these cells wait for.
  var lostRows: [Int] { lost.compactMap { cells[$0]?.removedRow } }
  /// Cells that lost their rows off screen, or because their hosts were bound to other rows.
  package private(set) var cleared: Set<Int> = []

  package init() {}

  package func isDisplayed(_ number: Int) -> Bool { presence(of: number) == .displayed }

  /// Where a cell is; a view is nowhere that its host is not.
  private func presence(of number: Int) -> CellState.Presence {
    guard let cell = cells[number], !cell.isHostGone else { return .away }
    let own: CellState.Presence =
      switch cell.report {
      case .displayed: .displayed
      case .covered, .inBackground: .covered
      case .ended: .away
      case .none: cell.host == nil ? .away : .displayed
      }
    return min(own, cell.host.map { presence(of: $0) } ?? .displayed)
  }

  package func isCovered(_ number: Int) -> Bool { presence(of: number) == .covered }

  /// The rows of covered cells whose lists, or those of their hosts, are in the background.
  var rowsInBackground: Set<Int> {
    func isInBackground(_ number: Int) -> Bool {
      cells[number]?.report == .inBackground || (cells[number]?.host).map(isInBackground) ?? false
    }
    return Set(cells.filter { isCovered($0.key) && isInBackground($0.key) }.compactMap(\.value.row))
  }

  /// The rows of the cells with a presence, in the order in which these come on screen together.
  func rows(_ presence: CellState.Presence) -> [Int] {
    inOrder.filter { self.presence(of: $0) == presence }.compactMap { cells[$0]?.row }
  }

  /// Cells come on screen before the views inside them, and the newest view of a host first.
  private var inOrder: [Int] {
    let views = Dictionary(grouping: cells.keys) { cells[$0]?.host }
      .mapValues { $0.sorted { cells[$0]?.hostedSince ?? 0 > cells[$1]?.hostedSince ?? 0 } }
    var (found, hosts) = (views[nil] ?? [], views[nil] ?? [])
    while let host = hosts.popLast() {
      found += views[host] ?? []
      hosts += views[host] ?? []
    }
    return found
  }

  /// The rows of cells that have come on screen and were covered before.
  func rowsUncovered(since before: HostModel) -> Set<Int> {
    let uncovered = cells.filter { number, cell in
      isDisplayed(number) && before.presence(of: number) == .covered
        && before.cells[number]?.row == cell.row
    }
    return Set(uncovered.values.compactMap(\.row))
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
    case .background(let cell): cells[cell, default: Cell()].report = .inBackground
    case .unbind(let cell):
      clearViews(of: cell)
      setRow(nil, of: cell)
    case .rename(let old, let new): rename(old, to: new)
    case .remove(let rows): remove { rows.contains($0) }
    case .removeAll: remove { _ in true }
    case .deallocate(let cell):
      forget(cell)
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
    for cell in inOrder {
      let (wasOnScreen, isOnScreen) = (cells[cell]?.isOnScreen == true, isDisplayed(cell))
      cells[cell]?.isOnScreen = isOnScreen
      if wasOnScreen != isOnScreen { noteLeave(of: cell, isAway: presence(of: cell) == .away) }
      if isOnScreen { cells[cell]?.wasDisplayed = true }
      guard wasOnScreen != isOnScreen, cells[cell]?.removedRow != nil else { continue }
      if isOnScreen {
        lost.append(cell)
      } else {
        lost.removeAll { $0 == cell }
        cleared.insert(cell)
      }
    }
  }

  private mutating func noteLeave(of cell: Int, isAway: Bool) {
    guard let row = cells[cell]?.row, isAway, row == cells[cell]?.rowOfLastTurn else { return }
    cells[cell]?.leftRow = row
  }

  /// Whether the cell has left the screen with the row that it had at the end of a turn before.
  func hasLeft(_ number: Int) -> Bool {
    guard let cell = cells[number], let row = cell.leftRow else { return false }
    return cell.row == row && !isDisplayed(number)
  }

  mutating func turnEnded() {
    cells = cells.mapValues { cell in
      var cell = cell
      cell.rowOfLastTurn = cell.row
      return cell
    }
  }

  /// Binds a cell that waits for its row, unless lists lack the row.
  mutating func bindAnew(_ cell: Int, _ lacks: (Int) -> Bool) {
    guard let row = cells[cell]?.removedRow, !lacks(row) else { return }
    setRow(row, of: cell)
    cleared.remove(cell)
  }

  private mutating func setRow(_ row: Int?, of cell: Int) {
    cells[cell]?.row = row
    cells[cell]?.removedRow = nil
    cells[cell]?.leftRow = nil
    lost.removeAll { $0 == cell }
  }

  private mutating func rename(_ old: Int, to new: Int) {
    func renamed(_ row: Int?) -> Int? { row == old ? new : row }
    cells = cells.mapValues { cell in
      var cell = cell
      cell.row = renamed(cell.row)
      cell.removedRow = renamed(cell.removedRow)
      cell.rowOfLastTurn = renamed(cell.rowOfLastTurn)
      cell.leftRow = renamed(cell.leftRow)
      return cell
    }
  }

  private mutating func remove(_ isGone: (Int) -> Bool) {
    for (cell, state) in cells {
      // The cell waits no longer.
      if let row = state.removedRow, isGone(row) { lost.removeAll { $0 == cell } }
      guard let row = state.row, isGone(row) else { continue }
      cells[cell]?.row = nil
      cells[cell]?.removedRow = row
      if !isDisplayed(cell) { cleared.insert(cell) }
    }
  }

  /// Forgets an unused cell that the engine has forgotten.
  package mutating func forget(_ cell: Int) {
    setRow(nil, of: cell)
    cells[cell] = nil
    cleared.remove(cell)
  }

  /// Forgets the cells without a row, off screen and out of hosts, with no view inside.
  mutating func forgetUnused() {
    let hosts = Set(cells.values.compactMap(\.host))
    cells = cells.filter { number, cell in
      cell.row != nil || cell.removedRow != nil || cell.host != nil || hosts.contains(number)
        || [.displayed, .covered, .inBackground].contains(cell.report)
    }
  }

  private mutating func bind(_ view: Int, to row: Int?, in host: Int?) {
    if let host, cells[host] == nil { cells[host] = Cell() }
    let isCircle = host.map { isInside($0, view) } ?? false
    if row == nil || cells[view]?.row != row { clearViews(of: view) }
    if cells[view] == nil { cells[view] = Cell() }
    setRow(row, of: view)
    cleared.remove(view)
    let newHost = isCircle ? nil : host
    if cells[view]?.host != newHost {
      lastHosted += 1
      cells[view]?.hostedSince = lastHosted
    }
    cells[view]?.host = newHost
    cells[view]?.isHostGone = false
    cells[view]?.wasDisplayed = false
  }

  private mutating func clearViews(of host: Int) {
    for view in cells.keys where view != host && isInside(view, host) {
      if cells[view]?.row != nil { cleared.insert(view) }
      setRow(nil, of: view)
    }
  }

  private func isInside(_ cell: Int, _ other: Int) -> Bool {
    cell == other || (cells[cell]?.host).map { isInside($0, other) } ?? false
  }
}
