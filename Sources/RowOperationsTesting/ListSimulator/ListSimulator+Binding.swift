/// Lists that bind far more rows than they show, and reuse their items at once.
extension ListSimulator {
  /// One pass of a list that binds and unbinds.
  ///
  /// `prepared` holds the items of all rows that are bound.
  func layOutBound(margin: Int) {
    let first = max(visible.lowerBound - margin, 0)
    let bound = rows[first..<min(visible.upperBound + margin, rows.count)]
    let isFirst = !hasLaidOut
    hasLaidOut = true
    bindItems(to: bound)
    if isFirst {
      // All of them are on screen for a moment.
      for row in bound { map(row) }
    }
    let wanted = Set(rows[visible])
    for row in rows[visible] { map(row) }
    for (row, item) in displayed.sorted(by: { $0.value.number < $1.value.number })
    where !wanted.contains(row) {
      displayed[row] = nil
      handle(.didEndDisplaying(item, index: rows.firstIndex(of: row) ?? -1))
    }
  }

  private func map(_ row: Row) {
    guard displayed[row] == nil, let item = prepared[row] else { return }
    display(item, for: row)
  }

  private func bindItems(to bound: ArraySlice<Row>) {
    let wanted = Set(bound)
    var free = prepared.filter { !wanted.contains($0.key) }
      .sorted { $0.value.number < $1.value.number }
    for row in bound where prepared[row] == nil {
      guard let (old, item) = free.popLast() else {
        prepared[row] = ask(for: row)
        continue
      }
      rebind(item, from: old, to: row)
    }
    for (row, item) in free {
      prepared[row] = nil
      if displayed.removeValue(forKey: row) != nil {
        handle(.didEndDisplaying(item, index: rows.firstIndex(of: row) ?? -1))
      }
      handle(.unbind(item))
      pool.append(item)
    }
  }

  /// Unbinds an item and binds it again at once.
  ///
  /// An item on screen stays there for the moment.
  func rebind(_ item: SimulatedCell, from old: Row, to row: Row) {
    prepared[old] = nil
    handle(.unbind(item))
    handle(.cellFor(item, row))
    prepared[row] = item
    if displayed.removeValue(forKey: old) != nil { displayed[row] = item }
  }

  /// Binds all items anew, each to its own row, after one row was inserted or deleted.
  func rebindAll() {
    let old = prepared.sorted { $0.value.number < $1.value.number }
    for (row, item) in old where rows.contains(row) { rebind(item, from: row, to: row) }
  }
}
