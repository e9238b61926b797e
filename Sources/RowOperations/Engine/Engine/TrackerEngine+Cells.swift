extension TrackerEngine {
  /// A bind in a circle of renders is refused: the cell keeps its row.
  ///
  /// - Returns: Whether the host was accepted.
  @discardableResult
  mutating func bind(
    _ cell: CellID, to row: RowID?, in host: CellID? = nil, rendersLeaving: Bool = false,
    at now: Int64
  ) -> Bool {
    let isSound = host.map { !cells.isInside($0, cell) } ?? true
    let hasNewRow = cells[cell].row != row
    if refuses(row, in: cell) { return true }
    if row == nil || hasNewRow {
      if cells[cell].firstView != nil { unbindViews(of: cell, at: now) }
      unbind(cell, at: now)
      forgetRemovedRow(of: cell)
    }
    if host != nil || cells[cell].host != .none {
      if cells.move(cell, into: isSound ? host : nil) { updateDisplay(of: cell, at: now) }
    }
    if !hasNewRow, cells[cell].isBeingRendered {
      cells[cell].renderReplaced(rendersLeaving: rendersLeaving)
      if row == nil {
        effects.append(.dropRenderer(cell, serial: cells[cell].serial))
        cells.forgetIfUnused(cell)
      }
      return isSound
    }
    beginBinding(of: cell, to: row, hasNewRow: hasNewRow, rendersLeaving: rendersLeaving)
    guard let row else {
      bindingEnded(cell, showsIdle: false)
      cells.forgetIfUnused(cell)
      return isSound
    }
    if hasNewRow { attach(cell, to: row, at: now) }
    return isSound
  }

  private mutating func beginBinding(
    of cell: CellID, to row: RowID?, hasNewRow: Bool, rendersLeaving: Bool
  ) {
    let change = row.map { rows[$0].change } ?? 0
    cells[cell].rendered(with: change)
    cells[cell].bindingBegan(nextSerial(), hasNewRow: hasNewRow, seen: serialOfLastTurn)
    cells[cell].renderReplaced(rendersLeaving: rendersLeaving)
  }

  /// Unbinds a cell and all views inside it, without a render.
  ///
  /// In a circle of renders the cell keeps its row.
  mutating func unbound(_ cell: CellID, at now: Int64) {
    if refuses(nil, in: cell) { return }
    unbindViews(of: cell, at: now)
    guard cells[cell].row != nil || cells[cell].removedRow != nil else { return }
    unbind(cell, at: now)
    forgetRemovedRow(of: cell)
    endBinding(of: cell, showsIdle: false)
    cells.forgetIfUnused(cell)
  }

  /// Records that a cell, bound or not, came on screen or left it.
  mutating func report(_ report: CellState.Report, of cell: CellID, at now: Int64) {
    cells[cell].report = report
    updateDisplay(of: cell, at: now)
  }

  mutating func endedDisplaying(_ cell: CellID, at now: Int64) {
    report(.ended, of: cell, at: now)
    if cells[cell].row == nil { cells.forgetIfUnused(cell) }
  }

  /// The views inside a deallocated cell are no longer displayed.
  mutating func vanished(_ cell: CellID, at now: Int64) {
    while let view = cells[cell].firstView {
      cells.hostVanished(of: view)
      updateDisplay(of: view, at: now)
      cells.forgetIfUnused(view)
    }
    cells.removeFromHost(cell)
    forgetRemovedRow(of: cell)
    report(.none, of: cell, at: now)
    unbind(cell, at: now)
    cells[cell].serial = nextSerial()
    cells.forgetIfUnused(cell)
  }

  // MARK: Bindings

  func cells(of row: RowID) -> [CellID] {
    var found: [CellID] = []
    var cell = rows[row].firstCell
    while let bound = cell {
      found.append(bound)
      cell = cells[bound].next
    }
    return found
  }

  private mutating func attach(_ cell: CellID, to row: RowID, at now: Int64) {
    cells.link(cell, to: row, before: rows[row].bind(cell))
    begin(cells[cell].presence, of: row, at: now)
  }

  private mutating func unbind(_ cell: CellID, at now: Int64) {
    guard let row = cells[cell].row else { return }
    end(cells[cell].presence, of: row, at: now)
    let (next, wasFirst) = cells.unlink(cell)
    rows[row].unbind(first: next, ifFirst: wasFirst)
    // After a change of claims, the end of the turn evaluates the row and then forgets it.
    if !rows[row].needsEvaluation { forgetIfUnused(row) }
  }

  /// Unbinds a cell from a row that was removed.
  ///
  /// On screen it keeps its content. It remembers the row, since a list may show it again without a
  /// binding.
  mutating func rowRemoved(_ row: RowID, from cell: CellID, at now: Int64) {
    cells[cell].removedRow = row
    rows[row].removals += 1
    unbind(cell, at: now)
    cells[cell].serial = nextSerial()
    if !cells[cell].isDisplayed { bindingEnded(cell, showsIdle: true) }
  }

  /// - Returns: Whether the cell had a removed row, and so still has its renderer.
  @discardableResult
  private mutating func forgetRemovedRow(of cell: CellID) -> Bool {
    guard let row = cells[cell].removedRow else { return false }
    cells[cell].removedRow = nil
    rows[row].removals -= 1
    if !cellsToBindAnew.isEmpty { cellsToBindAnew.removeAll { $0 == cell } }
    if !rows[row].needsEvaluation { forgetIfUnused(row) }
    return true
  }

  /// A render in progress does so at its end instead.
  private mutating func showBinding(of cell: CellID) {
    guard !cells[cell].isRendering else { return }
    cells[cell].bindingUnshown()
    effects.append(.render(cell))
  }

  /// Binds the cells that came on screen after their rows were removed, unless the lists with an
  /// order lack the rows.
  mutating func bindAnew(at now: Int64) {
    for cell in cellsToBindAnew {
      guard let row = cells[cell].removedRow,
        rows[row].places > 0 || windows.isEmpty && !hasOrder
      else { continue }
      forgetRemovedRow(of: cell)
      beginBinding(
        of: cell, to: row, hasNewRow: true, rendersLeaving: cells[cell].rendersLeaving)
      attach(cell, to: row, at: now)
      showBinding(of: cell)
    }
  }

  /// The row is removed again, so its cells on screen no longer wait for it.
  mutating func dropLostCells(of row: RowID) {
    cellsToBindAnew.removeAll { cells[$0].removedRow == row }
  }

  /// A cell whose row was removed has come on screen or left it.
  private mutating func lostCellMoved(_ cell: CellID, from old: CellState.Presence, _ row: RowID) {
    if cells[cell].isDisplayed {
      cellsToBindAnew.append(cell)
      setNeedsEvaluation(row)
    } else if let index = cellsToBindAnew.firstIndex(of: cell) {
      cellsToBindAnew.remove(at: index)
    } else if old == .displayed {
      bindingEnded(cell, showsIdle: true)
    }
  }

  private mutating func endBinding(of cell: CellID, showsIdle: Bool) {
    cells[cell].serial = nextSerial()
    bindingEnded(cell, showsIdle: showsIdle)
  }

  private mutating func bindingEnded(_ cell: CellID, showsIdle: Bool) {
    // The render in progress renders the cell as idle at its end.
    guard !cells[cell].isRendering else { return }
    effects.append(showsIdle ? .clear(cell) : .dropRenderer(cell, serial: cells[cell].serial))
  }

  private mutating func unbindViews(of host: CellID, at now: Int64) {
    var hosts = [host]
    while let host = hosts.popLast() {
      var view = cells[host].firstView
      while let known = view {
        view = cells[known].nextView
        hosts.append(known)
        guard forgetRemovedRow(of: known) || cells[known].row != nil else { continue }
        unbind(known, at: now)
        // It stays known, as it is still in its host.
        endBinding(of: known, showsIdle: true)
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

  private mutating func updateOneDisplay(of cell: CellID, at now: Int64) -> Bool {
    guard let old = cells.updatePresence(of: cell, seen: serialOfLastTurn) else { return false }
    guard let row = cells[cell].row else {
      if let removed = cells[cell].removedRow { lostCellMoved(cell, from: old, removed) }
      return true
    }
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

  mutating func addCover(_ row: RowID, _ change: Int32) {
    rows[row].covers += change
    setNeedsEvaluation(row)
  }

  mutating func addDisplay(_ row: RowID, at now: Int64) {
    let (isFirst, isMarked) = rows[row].addDisplay()
    if isFirst { appearedRows.append(row) }
    if isMarked { rowsToEvaluate.append(row) }
    report(.displayed(row), at: now)
  }

  mutating func removeDisplay(_ row: RowID, at now: Int64) {
    if rows[row].removeDisplay() { rowsToEvaluate.append(row) }
    report(.endedDisplaying(row), at: now)
  }

  // MARK: Renders

  /// A bound cell for the caller to render.
  struct Binding: Sendable {
    /// `nil` if the bind is refused, or comes from the cell's own render.
    let render: Render?
    /// The cell's renders have bound it too often.
    let isRefused: Bool
    let isHostSound: Bool
    let keepsRenderer: Bool
    let snapshot: Snapshot

    var isDue: Bool { render != nil }
  }

  mutating func bindForRender(
    _ cell: CellID, to row: RowID?, in host: CellID?, rendersLeaving: Bool, at now: Int64
  ) -> Binding {
    let isRefused = refuses(row, in: cell)
    let isSound = bind(cell, to: row, in: host, rendersLeaving: rendersLeaving, at: now)
    // A render of an unbound cell may be in progress; the loop then renders it as idle once more.
    let keepsRenderer = !isRefused && (row != nil || turns.isBusy)
    var snapshot = Snapshot.idle
    if let row { snapshot = self.snapshot(of: row) }
    return Binding(
      render: isRefused ? nil : beginRender(in: cell), isRefused: isRefused,
      isHostSound: isSound, keepsRenderer: keepsRenderer, snapshot: snapshot)
  }

  /// - Returns: Whether there is anything to render.
  mutating func beginRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), let row = cells[cell].row,
      cells[cell].isDisplayed || !cells[cell].wasDisplayed
    else { return false }
    let change = rows[row].change
    guard !cells[cell].shows(change) else { return false }
    cells[cell].rendered(with: change)
    return true
  }

  mutating func beginEmptyRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), let row = cells[cell].row, cells[cell].presence == .covered,
      !rows[row].showsValue, !cells[cell].shows(rows[row].change)
    else { return false }
    cells[cell].rendered(with: rows[row].change)
    return true
  }

  /// - Returns: Whether it is still off screen, with the same binding.
  mutating func beginLeavingRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), cells[cell].isLeaving, cells[cell].row != nil else { return false }
    // It is rendered again if it comes back without a binding.
    cells[cell].leavingRendered()
    return true
  }

  package struct Render: Sendable {
    package let cell: CellID
    /// The binding that it shows.
    let serial: UInt64
    /// That of the render around it; 0 for none.
    let outer: UInt64
  }

  /// - Returns: `nil` if the binding comes from the cell's own render, which goes on.
  @inline(__always)
  package mutating func beginRender(in cell: CellID) -> Render? {
    guard !cells[cell].isBeingRendered else { return nil }
    turns.callBegan()
    return Render(cell: cell, serial: cells[cell].serial, outer: cells[cell].renderBegan())
  }

  /// Ends a render, and renders a cell that it has bound anew once more.
  ///
  /// The rest of it may have filled the cell for the previous row.
  package mutating func endRender(_ render: Render) {
    turns.callEnded()
    guard cells.contains(render.cell), cells[render.cell].renderEnded(render) else { return }
    if cells[render.cell].row == nil {
      bindingEnded(render.cell, showsIdle: true)
    } else {
      showBinding(of: render.cell)
    }
  }
}
