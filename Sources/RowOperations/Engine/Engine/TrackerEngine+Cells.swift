/// Cells: the row of each one, and whether it is on screen.
extension TrackerEngine {
  /// - Returns: Whether the host was accepted.
  mutating func bind(
    _ cell: CellID, to row: RowID?, in host: CellID?, rendersLeaving: Bool, at now: Int64
  ) -> Bool {
    let isSound = host.map { !cells.isInside($0, cell) } ?? true
    let hasNewRow = cells[cell].row != row
    if row == nil || hasNewRow {
      if cells[cell].firstView != nil { unbindViews(of: cell, at: now) }
      unbind(cell, at: now)
    }
    if host != nil || cells[cell].host != .none {
      if cells.move(cell, into: isSound ? host : nil) { updateDisplay(of: cell, at: now) }
    }
    let binding = Cells.Binding(
      serial: nextSerial(), hasNewRow: hasNewRow, rendersLeaving: rendersLeaving,
      change: row.map { rows[$0].change } ?? 0)
    cells.bindingBegan(cell, binding, seen: serialOfLastTurn)
    guard let row else {
      effects.append(.dropRenderer(cell, serial: cells[cell].serial))
      cells.forgetIfUnused(cell)
      return isSound
    }
    if hasNewRow { attach(cell, to: row, at: now) }
    return isSound
  }

  /// Unbinds a cell and all views inside it.
  ///
  /// Nothing is rendered.
  mutating func unbound(_ cell: CellID, at now: Int64) {
    unbindViews(of: cell, at: now)
    if cells[cell].row != nil { rowRemoved(from: cell, at: now) }
  }

  /// Records that a cell came on screen or left it, before or after it was bound.
  ///
  /// Its binding stays.
  mutating func report(_ report: CellState.Report, of cell: CellID, at now: Int64) {
    cells.report(report, of: cell)
    updateDisplay(of: cell, at: now)
  }

  mutating func endedDisplaying(_ cell: CellID, at now: Int64) {
    report(.ended, of: cell, at: now)
    if cells[cell].row == nil { cells.forgetIfUnused(cell) }
  }

  /// Records that a cell was deallocated.
  ///
  /// The views inside it are no longer displayed.
  mutating func vanished(_ cell: CellID, at now: Int64) {
    while let view = cells[cell].firstView {
      cells.hostVanished(of: view)
      updateDisplay(of: view, at: now)
      cells.forgetIfUnused(view)
    }
    cells.removeFromHost(cell)
    report(.none, of: cell, at: now)
    unbind(cell, at: now)
    cells.bindingEnded(cell, serial: nextSerial())
    cells.forgetIfUnused(cell)
  }

  // MARK: Bindings

  private mutating func attach(_ cell: CellID, to row: RowID, at now: Int64) {
    cells.link(cell, to: row, before: rows[row].bind(cell))
    begin(cells[cell].presence, of: row, at: now)
  }

  private mutating func unbind(_ cell: CellID, at now: Int64) {
    guard let row = cells[cell].row else { return }
    end(cells[cell].presence, of: row, at: now)
    let (next, wasFirst) = cells.unlink(cell)
    rows[row].unbind(first: next, ifFirst: wasFirst)
    // If a claim has changed, the end of the turn evaluates the row and then forgets it.
    if !rows[row].needsEvaluation { forgetIfUnused(row) }
  }

  /// Unbinds a cell, as its row was removed or as the app requests it.
  mutating func rowRemoved(from cell: CellID, at now: Int64) {
    unbind(cell, at: now)
    cells.bindingEnded(cell, serial: nextSerial())
    effects.append(.dropRenderer(cell, serial: cells[cell].serial))
    cells.forgetIfUnused(cell)
  }

  private mutating func unbindViews(of host: CellID, at now: Int64) {
    var hosts = [host]
    while let host = hosts.popLast() {
      var view = cells[host].firstView
      while let known = view {
        view = cells[known].nextView
        hosts.append(known)
        guard cells[known].row != nil else { continue }
        unbind(known, at: now)
        // It stays known, as it is still in its host.
        effects.append(.clear(known))
      }
    }
  }

  // MARK: Displays

  private mutating func updateDisplay(of cell: CellID, at now: Int64) {
    guard updateOneDisplay(of: cell, at: now), cells[cell].firstView != nil else { return }
    var hosts = [cell]
    while let host = hosts.popLast() {
      var view = cells[host].firstView
      while let known = view {
        if updateOneDisplay(of: known, at: now) { hosts.append(known) }
        view = cells[known].nextView
      }
    }
  }

  /// - Returns: Whether the cell's presence has changed.
  private mutating func updateOneDisplay(of cell: CellID, at now: Int64) -> Bool {
    guard let old = cells.updatePresence(of: cell, seen: serialOfLastTurn) else { return false }
    guard let row = cells[cell].row else { return true }
    let new = cells[cell].presence
    if cells[cell].isLeaving { leavingCells.append(cell) }
    if old == .covered, new == .displayed, rows[row].displays == 0 {
      rows[row].isReturning = true
    }
    end(old, of: row, at: now)
    begin(new, of: row, at: now)
    if new == .displayed { showAgain(cell, row) }
    return true
  }

  /// Renders a cell that comes on screen with outdated content.
  private mutating func showAgain(_ cell: CellID, _ row: RowID) {
    guard !cells[cell].shows(rows[row].change) else { return }
    effects.append(.render(cell))
    if rows[row].showsNewerValue(than: cells[cell].shownChange) { collectCommit(of: row) }
  }

  private mutating func begin(_ presence: CellState.Presence, of row: RowID, at now: Int64) {
    switch presence {
    case .away: break
    case .covered: addCover(row, 1)
    case .displayed: addDisplay(row, at: now)
    }
  }

  private mutating func end(_ presence: CellState.Presence, of row: RowID, at now: Int64) {
    switch presence {
    case .away: break
    case .covered: addCover(row, -1)
    case .displayed: removeDisplay(row, at: now)
    }
  }

  private mutating func addCover(_ row: RowID, _ change: Int32) {
    rows[row].covers += change
    setNeedsEvaluation(row)
  }

  private mutating func addDisplay(_ row: RowID, at now: Int64) {
    let (isFirst, isMarked) = rows[row].addDisplay()
    if isFirst, rows[row].appearance < 0 { rows[row].appearance = appearedRows.append(row) }
    if isMarked { rowsToEvaluate.append(row) }
    report(.displayed(row), at: now)
  }

  private mutating func removeDisplay(_ row: RowID, at now: Int64) {
    if rows[row].removeDisplay() { rowsToEvaluate.append(row) }
    report(.endedDisplaying(row), at: now)
  }

  // MARK: Renders

  /// Records that a cell is rendered with the current content of its row.
  ///
  /// - Returns: Whether there is anything to render.
  mutating func beginRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), let row = cells[cell].row,
      cells[cell].isDisplayed || !cells[cell].wasDisplayed
    else { return false }
    let change = rows[row].change
    guard !cells[cell].shows(change) else { return false }
    cells.rendered(cell, with: change)
    return true
  }

  /// Records that a cell is rendered since it left the screen.
  ///
  /// - Returns: Whether it is still off screen, with the same binding.
  mutating func beginLeavingRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), cells[cell].isLeaving, cells[cell].row != nil else { return false }
    // If the cell comes back without a binding, it is rendered again.
    cells.leavingRendered(cell)
    return true
  }

  /// Renders a cell once more that the app bound anew during a render, since the rest of that
  /// render may have filled it for the previous row.
  mutating func renderWasOvertaken(_ cell: CellID) {
    guard cells.contains(cell), cells[cell].row != nil else { return }
    cells.renderWasOvertaken(cell)
    effects.append(.render(cell))
  }
}
