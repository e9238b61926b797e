/// Cells: the row of each one, and whether it is on screen.
///
/// A cell in a host is displayed while its host is, unless its own last report says otherwise. For
/// any other cell its own last report decides.
extension TrackerEngine {
  /// Adds a cell that the engine does not know.
  package mutating func cellAppeared() -> CellID { cells.insert(CellState()) }

  /// Binds a cell to a row, or to none.
  ///
  /// - Parameters:
  ///   - host: The cell that contains this one. A host that closes a circle is ignored.
  ///   - rendersLeaving: Whether the cell is rendered once more when it leaves the screen.
  /// - Returns: Whether the host was accepted.
  @discardableResult
  package mutating func bind(
    _ cell: CellID, to row: RowID?, in host: CellID? = nil, rendersLeaving: Bool = false,
    at now: Int64
  ) -> Bool {
    let isSound = host.map { !cells.isInside($0, cell) } ?? true
    let hasNewRow = cells[cell].row != row
    if row == nil || hasNewRow {
      if cells[cell].firstView != nil { unbindViews(of: cell, at: now) }
      unbind(cell, at: now)
    }
    if host != nil || cells[cell].host != .none { move(cell, into: isSound ? host : nil, at: now) }
    if let host, !isSound { forgetIfUnused(host) }
    cells[cell].bindingBegan(
      nextSerial(), hasNewRow: hasNewRow, rendersLeaving: rendersLeaving, seen: serialOfLastTurn,
      change: row.map { rows[$0].change } ?? 0)
    guard let row else {
      effects.append(.dropRenderer(cell))
      forgetIfUnused(cell)
      return isSound
    }
    if hasNewRow { attach(cell, to: row, at: now) }
    return isSound
  }

  /// Unbinds a cell and all views inside it.
  ///
  /// Nothing is rendered.
  package mutating func unbound(_ cell: CellID, at now: Int64) {
    unbindViews(of: cell, at: now)
    guard cells[cell].row != nil else { return }
    unbind(cell, at: now)
    cells[cell].serial = nextSerial()
    effects.append(.dropRenderer(cell))
    forgetIfUnused(cell)
  }

  /// Records that a cell came on screen, before or after it was bound.
  package mutating func willDisplay(_ cell: CellID, at now: Int64) {
    cells[cell].report = .displayed
    updateDisplay(of: cell, at: now)
  }

  /// Records that the list of a cell is covered.
  ///
  /// The cell displays its row again from its next `willDisplay` on.
  package mutating func covered(_ cell: CellID, at now: Int64) {
    cells[cell].report = .covered
    updateDisplay(of: cell, at: now)
  }

  /// Records that a cell left the screen.
  ///
  /// Its binding stays.
  package mutating func didEndDisplaying(_ cell: CellID, at now: Int64) {
    cells[cell].report = .ended
    updateDisplay(of: cell, at: now)
    if cells[cell].row == nil { forgetIfUnused(cell) }
  }

  /// Records that a cell was deallocated.
  ///
  /// The views inside it are no longer displayed.
  package mutating func vanished(_ cell: CellID, at now: Int64) {
    while let view = cells[cell].firstView {
      removeView(view)
      cells[view].host = .gone
      updateDisplay(of: view, at: now)
      forgetIfUnused(view)
    }
    cells[cell].report = .none
    removeView(cell)
    updateDisplay(of: cell, at: now)
    unbind(cell, at: now)
    cells[cell].serial = nextSerial()
    forgetIfUnused(cell)
  }

  // MARK: Bindings

  /// The displayed cells of a row.
  ///
  /// O(cells of the row).
  func displayedCells(of row: RowID) -> [CellID] {
    sequence(first: rows[row].firstCell) { $0.map { cells[$0].next } }
      .prefix { $0 != nil }.compactMap(\.self).filter { cells[$0].isDisplayed }
  }

  /// The number of a cell's last binding or unbinding.
  func serial(of cell: CellID) -> UInt64 { cells[cell].serial }

  private mutating func attach(_ cell: CellID, to row: RowID, at now: Int64) {
    let next = rows[row].bind(cell)
    cells[cell].link(to: row, before: next)
    if let next { cells[next].previous = cell }
    begin(cells[cell].presence, of: row, at: now)
  }

  private mutating func unbind(_ cell: CellID, at now: Int64) {
    guard let row = cells[cell].row else { return }
    end(cells[cell].presence, of: row, at: now)
    let (previous, next) = cells[cell].unlink()
    if let previous { cells[previous].next = next }
    if let next { cells[next].previous = previous }
    rows[row].unbind(first: next, ifFirst: previous == nil)
    // If a claim has changed, the end of the turn evaluates the row and then forgets it.
    if !rows[row].needsEvaluation { forgetIfUnused(row) }
  }

  /// Unbinds a cell because its row was removed.
  mutating func rowRemoved(from cell: CellID, at now: Int64) {
    unbind(cell, at: now)
    cells[cell].serial = nextSerial()
    effects.append(.dropRenderer(cell))
    forgetIfUnused(cell)
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
        cells[known].serial = nextSerial()
        effects.append(.clear(known))
        forgetIfUnused(known)
      }
    }
  }

  // MARK: Hosts

  private mutating func move(_ cell: CellID, into host: CellID?, at now: Int64) {
    let new = host.map { CellState.Host.cell($0) } ?? .none
    guard cells[cell].host != new else { return }
    removeView(cell)
    cells[cell].host = new
    if let host {
      let next = cells[host].firstView
      cells[cell].nextView = next
      if let next { cells[next].previousView = cell }
      cells[host].firstView = cell
    }
    updateDisplay(of: cell, at: now)
  }

  private mutating func removeView(_ view: CellID) {
    guard let host = cells.liveHost(of: view) else { return }
    let (previous, next) = (cells[view].previousView, cells[view].nextView)
    if let previous { cells[previous].nextView = next } else { cells[host].firstView = next }
    if let next { cells[next].previousView = previous }
    cells[view].previousView = nil
    cells[view].nextView = nil
    cells[view].host = .none
    forgetIfUnused(host)
  }

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
    let new = cells.presence(of: cell)
    guard let old = cells[cell].moved(to: new, seen: serialOfLastTurn) else { return false }
    guard let row = cells[cell].row else { return true }
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
    guard cells[cell].shownChange != rows[row].change else { return }
    effects.append(.render(cell))
    if rows[row].knowledge == .value || rows[row].step == .value { collectCommit(of: row) }
  }

  // MARK: Displays

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
    if isFirst { appearedRows.append(row) }
    if isMarked { rowsToEvaluate.append(row) }
    report(.displayed(row), at: now)
  }

  private mutating func removeDisplay(_ row: RowID, at now: Int64) {
    if rows[row].removeDisplay() { rowsToEvaluate.append(row) }
    report(.endedDisplaying(row), at: now)
  }

  // MARK: Forgetting

  /// Lists a cell to be forgotten if nothing refers to it.
  private mutating func forgetIfUnused(_ cell: CellID) {
    guard !cells[cell].isForgetting, cells.isUnused(cell) else { return }
    cells[cell].isForgetting = true
    unused.cells.append(cell)
  }

  mutating func forgetNow(_ cell: CellID) -> Bool {
    guard cells.contains(cell) else { return false }
    cells[cell].isForgetting = false
    guard cells.isUnused(cell) else { return false }
    // The cell may still be in the list of its host's views.
    removeView(cell)
    cells.remove(cell)
    return true
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
    guard cells[cell].shownChange != change else { return false }
    cells[cell].shownChange = change
    return true
  }

  /// Records that a cell is rendered since it left the screen.
  ///
  /// - Returns: Whether it is still off screen, with the same binding.
  mutating func beginLeavingRender(of cell: CellID) -> Bool {
    guard cells.contains(cell), cells[cell].isLeaving, let row = cells[cell].row else {
      return false
    }
    cells[cell].isLeaving = false
    // If the cell comes back without a binding, it is rendered again.
    cells[cell].shownChange = rows[row].change &- 1
    return true
  }

  /// Renders a cell once more that the app bound anew during a render, since the rest of that
  /// render may have filled it for the previous row.
  package mutating func renderWasOvertaken(_ cell: CellID) {
    guard cells.contains(cell), let row = cells[cell].row else { return }
    cells[cell].shownChange = rows[row].change &- 1
    effects.append(.render(cell))
  }
}

// These read the table of cells, since a call of the engine that only reads would copy the engine
// (figure B12).
extension Slab<CellState> {
  fileprivate func liveHost(of cell: CellID) -> CellID? {
    guard case .cell(let host) = self[cell].host else { return nil }
    return host
  }

  /// Whether a cell is another one or lies inside it at any depth.
  fileprivate func isInside(_ cell: CellID, _ other: CellID) -> Bool {
    sequence(first: cell) { liveHost(of: $0) }.contains(other)
  }

  fileprivate func presence(of cell: CellID) -> CellState.Presence {
    let (host, report) = (self[cell].host, self[cell].report)
    let own: CellState.Presence =
      switch report {
      case .displayed: .displayed
      case .covered: .covered
      case .none: host == .none ? .away : .displayed
      case .ended: .away
      }
    switch host {
    case .none: return own
    case .cell(let host): return Swift.min(own, self[host].presence)
    case .gone: return .away
    }
  }

  fileprivate func isUnused(_ cell: CellID) -> Bool {
    guard self[cell].row == nil, self[cell].firstView == nil else { return false }
    // A view stays known in its host, so that the views inside it keep their host.
    if case .cell = self[cell].host { return false }
    switch self[cell].report {
    case .displayed, .covered: return false
    case .none, .ended: return true
    }
  }
}
