import RowOperations

extension ListSimulator {
  // MARK: Everything anew

  /// The model has changed altogether, or a snapshot is applied without animation: every visible
  /// row gets a new cell, and old ones leave with their old indices.
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
    // A GTK list has no other items: what was on screen leaves it before it comes back.
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
    geometry = Self.geometry(of: rows, height)
    offset = min(offset, maximumOffset)
    let staying = Set(rows)
    pool += kept.filter { !staying.contains($0.row) }.map(\.cell)
    kept.removeAll { !staying.contains($0.row) }
  }

  // MARK: Batch updates

  /// A snapshot is applied with animation, or a batch of inserts, deletes and moves: rows that stay
  /// keep their cells, new ones come, and those that are gone leave with the indices that they had.
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

  /// The fewest of the visible rows that have to move so that the others keep their order.
  private func movedRows(among visible: [Row], to rows: [Row]) -> [Row] {
    let screenIndices = Dictionary(uniqueKeysWithValues: visible.enumerated().map { ($1, $0) })
    let after = rows.filter { screenIndices[$0] != nil }
    // A longest run of rows in their old order, row by row of the new one: the best that ends
    // there.
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
      // Its item stays, and is bound anew.
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

  /// Rows are inserted before an index.
  public func insert(_ new: [Row], at index: Int) {
    var rows = rows
    rows.insert(contentsOf: new, at: min(max(index, 0), rows.count))
    update(to: rows)
  }

  /// Rows are deleted.
  public func delete(_ gone: Set<Row>) { update(to: rows.filter { !gone.contains($0) }) }

  /// A row is moved to an index.
  public func move(_ row: Row, to index: Int) {
    var rows = rows.filter { $0 != row }
    guard rows.count < self.rows.count else { return }
    rows.insert(row, at: min(max(index, 0), rows.count))
    update(to: rows)
  }

  // MARK: Single rows

  /// A visible row is reloaded: it gets a new cell, and the old one leaves.
  ///
  /// A list that binds and unbinds binds the row's item anew instead.
  public func reloadRow(_ row: Row) { changeCell(of: row) }

  /// A visible row is reconfigured: it is asked for again, with the same cell.
  public func reconfigureRow(_ row: Row) {
    if let cell = displayed[row] { handle(.cellFor(cell, row)) }
  }

  // MARK: The list as a whole

  /// The viewport has another height, as after a rotation.
  public func resize(to viewport: Double) {
    self.viewport = viewport
    offset = min(offset, maximumOffset)
    layOut(speed: 0, isFresh: false)
  }

  /// Something covers the list: its cells stay and are not told.
  public func cover() { handle(.didDisappear) }

  /// The list is to be seen again.
  public func uncover() { handle(.didAppear(visibleCells)) }
}
