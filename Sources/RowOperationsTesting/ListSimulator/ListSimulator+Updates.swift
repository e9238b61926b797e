import RowOperations

extension ListSimulator {
  // MARK: Reload

  /// Reloads the list: every visible row gets a new cell, and old ones leave with their old
  /// indices.
  ///
  /// So does a snapshot that is applied without animation.
  public func reload(_ rows: [Row]) {
    let old = visible.clamped(to: 0..<self.rows.count).compactMap { index in
      displayed[self.rows[index]].map { (cell: $0, index: index) }
    }
    displayed = [:]
    if behavior.boundMargin == nil {
      pool += prepared.values.sorted { $0.number < $1.number } + kept.map(\.cell)
      prepared = [:]
    }
    kept = []
    announced = []
    visible = 0..<0
    setRows(rows)
    // A GTK list reuses its items at once, so they leave the screen before they return.
    let endsFirst = behavior.reloadEndsFirst || behavior.boundMargin != nil
    if endsFirst { end(old) }
    layOut(speed: 0, isFresh: true)
    if !endsFirst { end(old) }
  }

  private func end(_ old: [(cell: SimulatedCell, index: Int)]) {
    for (cell, index) in old {
      handle(.didEndDisplaying(cell, index: index))
      if behavior.boundMargin == nil { pool.append(cell) }
    }
  }

  private func setRows(_ rows: [Row]) {
    self.rows = rows
    isSettled = false
    geometry = Self.geometry(of: rows, height)
    offset = min(offset, maximumOffset)
    let staying = Set(rows)
    pool += kept.filter { !staying.contains($0.row) }.map(\.cell)
    kept.removeAll { !staying.contains($0.row) }
  }

  // MARK: Batch updates

  /// Applies a batch of inserts, deletes and moves, or a snapshot with animation.
  ///
  /// Rows that stay keep their cells, new cells come, and cells of deleted rows leave with their
  /// old indices.
  public func update(to rows: [Row]) {
    let old = visible.clamped(to: 0..<self.rows.count).map { (row: self.rows[$0], index: $0) }
    let moved = movedRows(among: old.map(\.row), to: rows)
    setRows(rows)
    visible = 0..<0
    if behavior.boundMargin != nil { rebindAll() }
    let remaining = Set(geometry.rows(in: offset..<offset + viewport).map { rows[$0] })
    if behavior.movedRowsChangeCells {
      for row in moved where remaining.contains(row) { changeCell(of: row) }
    }
    layOut(speed: 0, isFresh: false)
    for (row, index) in old where !remaining.contains(row) { end(row, index: index) }
  }

  /// The smallest set of visible rows to move so that the others keep their order.
  private func movedRows(among visible: [Row], to rows: [Row]) -> [Row] {
    let screenIndices = Dictionary(uniqueKeysWithValues: visible.enumerated().map { ($1, $0) })
    let after = rows.filter { screenIndices[$0] != nil }
    // For each row in the new order, the longest run in the old order that ends there.
    var best: [(length: Int, previous: Int?)] = []
    for (index, row) in after.enumerated() {
      let before = (0..<index).filter {
        screenIndices[after[$0], default: 0] < screenIndices[row, default: 0]
      }
      .max { best[$0].length < best[$1].length }
      best.append((before.map { best[$0].length + 1 } ?? 1, before))
    }
    var staying: Set<Row> = []
    var next = best.indices.max { best[$0].length < best[$1].length }
    while let index = next {
      staying.insert(after[index])
      next = best[index].previous
    }
    return after.filter { !staying.contains($0) }
  }

  private func changeCell(of row: Row) {
    if behavior.boundMargin != nil {
      // The item of the row stays and is bound anew.
      if let item = prepared[row] { rebind(item, from: row, to: row) }
      return
    }
    guard let old = displayed.removeValue(forKey: row) else { return }
    let new = ask(for: row)
    display(new, for: row)
    rowsPassed -= 1
    handle(.didEndDisplaying(old, index: rows.firstIndex(of: row) ?? -1))
    if behavior.endsReloadedCellsTwice { handle(.didEndDisplaying(old, index: -1)) }
    pool.append(old)
  }

  /// Inserts rows before an index.
  public func insert(_ new: [Row], at index: Int) {
    var rows = rows
    rows.insert(contentsOf: new, at: min(max(index, 0), rows.count))
    update(to: rows)
  }

  /// Deletes rows.
  public func delete(_ gone: Set<Row>) { update(to: rows.filter { !gone.contains($0) }) }

  /// Moves a row to an index.
  public func move(_ row: Row, to index: Int) {
    var rows = rows.filter { $0 != row }
    guard rows.count < self.rows.count else { return }
    rows.insert(row, at: min(max(index, 0), rows.count))
    update(to: rows)
  }

  // MARK: Single rows

  /// Reloads a visible row: it gets a new cell, and the old one leaves.
  ///
  /// A list that binds and unbinds instead binds the row's item anew.
  public func reloadRow(_ row: Row) { changeCell(of: row) }

  /// Reconfigures a visible row: `cellFor` is sent again, with the same cell.
  public func reconfigureRow(_ row: Row) {
    if let cell = displayed[row] { handle(.cellFor(cell, row)) }
  }

  // MARK: The list as a whole

  /// Changes the height of the viewport, as a rotation does.
  public func resize(to viewport: Double) {
    self.viewport = viewport
    offset = min(offset, maximumOffset)
    layOut(speed: 0, isFresh: false)
  }

  /// Covers the list.
  ///
  /// Its cells stay, without events.
  public func cover() {
    isCovered = true
    handle(.didDisappear)
  }

  /// Uncovers the list.
  public func uncover() {
    isCovered = false
    handle(.didAppear(visibleCells))
    reportPages()
  }
}
