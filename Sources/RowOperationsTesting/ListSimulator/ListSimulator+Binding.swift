/// For lists that bind far more rows than they show.
extension ListSimulator {
  /// `prepared` holds the cells of all rows that are bound.
  func layOutBound(margin: Int) {
    let first = max(visible.lowerBound - margin, 0)
    let bound = items[first..<min(visible.upperBound + margin, items.count)]
    bindItems(to: bound)
    // At first, all are on screen for a moment.
    for item in hasLaidOut ? items[visible] : bound where displayed[item] == nil {
      if let cell = prepared[item] { display(cell, for: item) }
    }
    hasLaidOut = true
    let wanted = Set(items[visible])
    for (item, cell) in displayed.sorted(by: { $0.value.number < $1.value.number })
    where !wanted.contains(item) {
      displayed[item] = nil
      handle(.didEndDisplaying(cell, index: items.firstIndex(of: item) ?? -1))
    }
  }

  private func bindItems(to bound: ArraySlice<Item>) {
    let wanted = Set(bound)
    var free = prepared.filter { !wanted.contains($0.key) }
      .sorted { $0.value.number < $1.value.number }
    for item in bound where prepared[item] == nil {
      guard let (old, cell) = free.popLast() else {
        prepared[item] = ask(for: item.row)
        continue
      }
      rebind(cell, from: old, to: item)
    }
    for (item, cell) in free {
      prepared[item] = nil
      if displayed.removeValue(forKey: item) != nil {
        handle(.didEndDisplaying(cell, index: items.firstIndex(of: item) ?? -1))
      }
      handle(.unbind(cell))
      pool.append(cell)
    }
  }

  /// A cell on screen stays there for the moment.
  func rebind(_ cell: SimulatedCell, from old: Item, to item: Item) {
    prepared[old] = nil
    handle(.unbind(cell))
    handle(.cellFor(cell, item.row))
    prepared[item] = cell
    if displayed.removeValue(forKey: old) != nil { displayed[item] = cell }
  }
}
