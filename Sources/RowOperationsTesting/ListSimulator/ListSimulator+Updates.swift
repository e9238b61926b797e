import RowOperations

extension ListSimulator {
  // MARK: Reload

  /// Reloads the list, as a snapshot without animation does.
  public func reload(_ rows: [Row]) {
    let old = visible.clamped(to: 0..<items.count).compactMap { index in
      displayed[items[index]].map { (cell: $0, index: index) }
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
    // A GTK list reuses its items at once.
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
    offset = min(offset, maximumOffset)
    let staying = Set(items)
    pool += kept.filter { !staying.contains($0.item) }.map(\.cell)
    kept.removeAll { !staying.contains($0.item) }
  }

  // MARK: Batch updates

  /// Applies a batch of inserts, deletes and moves, or a snapshot with animation.
  ///
  /// Rows that stay keep their cells, and cells of deleted rows leave with their old indices.
  public func update(to rows: [Row]) {
    let old = visible.clamped(to: 0..<items.count).map { (item: items[$0], index: $0) }
    setRows(rows)
    let moved = movedItems(among: old.map(\.item))
    visible = 0..<0
    if behavior.boundMargin != nil {
      // The list binds all items anew, even for an insert or a delete of one row.
      let all = Set(items)
      let bound = prepared.sorted { $0.value.number < $1.value.number }
      for (item, cell) in bound where all.contains(item) { rebind(cell, from: item, to: item) }
    }
    let remaining = Set(items[geometry.rows(in: offset..<offset + viewport)])
    if behavior.movedRowsChangeCells {
      for item in moved where remaining.contains(item) { changeCell(of: item) }
    }
    layOut(speed: 0, isFresh: false)
    for (item, index) in old where !remaining.contains(item) { end(item, index: index) }
  }

  /// The smallest set to move so that the others keep their order.
  private func movedItems(among visible: [Item]) -> [Item] {
    let known = Set(visible)
    return items.filter(known.contains).difference(from: visible).compactMap { change in
      if case .insert(_, let item, _) = change { item } else { nil }
    }
  }

  private func changeCell(of item: Item) {
    if behavior.boundMargin != nil {
      // The cell of the row stays and is bound anew.
      if let cell = prepared[item] { rebind(cell, from: item, to: item) }
      return
    }
    guard let old = displayed.removeValue(forKey: item) else { return }
    let new = ask(for: item.row)
    display(new, for: item)
    rowsPassed -= 1
    handle(.didEndDisplaying(old, index: items.firstIndex(of: item) ?? -1))
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
    guard rows.count < items.count else { return }
    rows.insert(row, at: min(max(index, 0), rows.count))
    update(to: rows)
  }

  // MARK: Single rows

  /// Reloads a visible row, which gets a new cell.
  ///
  /// A list that binds and unbinds binds its item anew.
  public func reloadRow(_ row: Row) { changeCell(of: item(of: row) ?? Item(row: row)) }

  /// Sends `cellFor` again, with the same cell.
  public func reconfigureRow(_ row: Row) {
    if let cell = cell(for: row) { handle(.cellFor(cell, row)) }
  }

  // MARK: The list as a whole

  /// Changes the height of the viewport, as a rotation does.
  public func resize(to viewport: Double) {
    self.viewport = viewport
    offset = min(offset, maximumOffset)
    layOut(speed: 0, isFresh: false)
  }

  /// Covers the list; its cells stay, without events.
  public func cover() {
    isCovered = true
    for page in pages { page.isHidden = true }
    handle(.didDisappear)
  }

  /// Uncovers the list.
  public func uncover() {
    isCovered = false
    handle(.didAppear(visibleCells))
    reportPages()
  }
}
