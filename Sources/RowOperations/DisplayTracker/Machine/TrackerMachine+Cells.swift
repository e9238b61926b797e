/// Bindings: a cell shows a row, and a display claim exists while the cell is displayed.
extension TrackerMachine {
  /// A cell is mentioned for the first time.
  package mutating func cellAppeared() -> CellID {
    cells.insert(CellState())
  }

  /// A cell was bound to a row.
  ///
  /// Binding a displayed cell anew moves its claim; binding it to the same row keeps everything.
  ///
  /// - Returns: The serial of the binding.
  @usableFromInline
  @discardableResult
  package mutating func cellBound(_ cell: CellID, to row: RowID) -> UInt64 {
    if cells[cell].row != row {
      cellUnbound(cell)
      cells[cell].row = row
      cells[cell].next = rows[row].firstCell
      if let next = rows[row].firstCell { cells[next].previous = cell }
      rows[row].firstCell = cell
      rows[row].bindings += 1
      if cells[cell].isDisplayed { addDisplay(row) }
    }
    // The cell is rendered now, the load's other cells in the next turn; if that finds the load as it
    // was, the cell would be left behind.
    let load = rows[row].load
    if loads[load].phase != loads[load].toldPhase { effects.changed.append(load) }
    cells[cell].serial = nextSerial()
    return cells[cell].serial
  }

  /// A cell no longer shows its row.
  ///
  /// It may still be displayed.
  package mutating func cellUnbound(_ cell: CellID) {
    guard let row = cells[cell].row else { return }
    if cells[cell].isDisplayed { removeDisplay(row) }
    let (previous, next) = (cells[cell].previous, cells[cell].next)
    if let previous { cells[previous].next = next } else { rows[row].firstCell = next }
    if let next { cells[next].previous = previous }
    cells[cell].previous = nil
    cells[cell].next = nil
    cells[cell].row = nil
    cells[cell].serial = 0
    rows[row].bindings -= 1
    touch(row)
  }

  /// A cell came on screen; before or after it was bound.
  package mutating func cellDisplayed(_ cell: CellID) {
    guard !cells[cell].isDisplayed else { return }
    cells[cell].isDisplayed = true
    if let row = cells[cell].row { addDisplay(row) }
  }

  /// A cell left the screen.
  ///
  /// Its binding stays.
  package mutating func cellEnded(_ cell: CellID) {
    guard cells[cell].isDisplayed else { return }
    cells[cell].isDisplayed = false
    if let row = cells[cell].row { removeDisplay(row) }
  }

  /// A cell is no more.
  package mutating func cellVanished(_ cell: CellID) {
    cellUnbound(cell)
    cells.remove(cell)
  }

  private mutating func addDisplay(_ row: RowID) {
    rows[row].displays += 1
    if rows[row].displays == 1 { appearedRows.append(row) }
    loads[rows[row].load].displays += 1
    touch(row)
  }

  private mutating func removeDisplay(_ row: RowID) {
    rows[row].displays -= 1
    loads[rows[row].load].displays -= 1
    touch(row)
  }
}
