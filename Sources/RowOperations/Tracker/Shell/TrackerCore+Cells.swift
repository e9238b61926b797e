extension TrackerCore {
  func row(of cell: AnyObject) -> RowID? {
    state.knownID(of: cell).flatMap { state.engine.row(of: $0) }
  }

  func soughtRow(of cell: AnyObject) -> RowID? {
    state.knownID(of: cell).flatMap { state.engine.soughtRow(of: $0) }
  }

  func displayedViews(of row: RowID) -> [AnyObject] {
    var views: [AnyObject] = []
    var cell = state.engine.rows[row].firstCell
    while let bound = cell {
      if state.engine.cells[bound].isDisplayed, let view = state.cells[bound]?.cell {
        views.append(view)
      }
      cell = state.engine.cells[bound].next
    }
    return views
  }

  /// Checks a few cells for an unreported deallocation.
  func forgetDeadCells(at now: Int64) {
    var dead: [(id: CellID, entry: CellTable.Entry)] = []
    var left = state.cells.checksInTurn
    for _ in 0..<8 * left where left > 0 {
      guard let next = state.cells.nextToCheck() else { continue }
      left -= 1
      if next.entry.cell == nil { dead.append(next) }
    }
    if !dead.isEmpty { state.cells.checkAll() }
    // A deinit during the checks may have changed the table.
    for (id, entry) in dead where state.cells[id] === entry { state.forgetDead(id, at: now) }
  }
}
