extension DisplayTracker {
  /// The list has these rows, in this order.
  ///
  /// Call it whenever the list's data changes. The tracker then prefetches by itself: two screens
  /// ahead along the direction of travel, or twice as far as the list moves while a row loads; at
  /// rest one screen on each side. It needs no prefetching by the list. What the list prefetches
  /// all the same does no harm.
  ///
  /// It asks for each row once, until the row was displayed or the direction has changed, and for
  /// no more rows than the configuration's `prefetchLimit` and its retention allow. So loading
  /// comes to rest with the list.
  ///
  /// A row that is no longer in the order loses its prefetch and landing claims, and its value is
  /// the first to be dropped. Displayed rows, bindings and running loads stay; ``remove(_:)``
  /// forgets rows.
  ///
  /// **Ordering**: takes effect in the next turn of the main queue.
  ///
  /// **Cost**: O(rows), one look-up for each.
  ///
  /// - Parameter rows: No two the same; empty if the order is not known any more.
  public func setOrder(_ rows: some Sequence<Row>) { setOrder(rows, of: 0) }

  /// The same for one of several lists.
  package func setOrder(_ rows: some Sequence<Row>, of list: TrackerEngine.ListNumber) {
    let table = OrderTable(rows)
    while store.orders.count <= list { store.orders.append(nil) }
    // Rows of the old order are released when the new one is in place.
    let old = store.orders[Int(list)]
    store.orders[Int(list)] = table
    core.books.engine.orderChanged(list, count: table.rows.count)
    for id in Array(core.books.engine.rows.ids) {
      guard let row = store.rows[id] else { continue }
      core.books.engine.setOrderIndex(of: id, to: table.indices[row].map(Int.init), in: list)
    }
    if let recorder = core.books.recorder, table.rows.count <= InputRecorder.longestOrder {
      core.call { recorder.recordOrder(of: table.rows, at: core.time) }
    }
    withExtendedLifetime(old) { core.requestTurn() }
    core.run()
  }

  /// Says where a new row is in the orders of lists.
  @usableFromInline
  func setOrderIndices(_ id: RowID, _ row: Row) {
    store.forEachOrderIndex(of: row) { list, index in
      core.books.engine.setOrderIndex(of: id, to: index, in: list)
    }
  }

  /// The numbers of the rows at some places of an order, new ones for rows that are not known.
  @usableFromInline
  func rows(at indices: [Int], of list: TrackerEngine.ListNumber) -> [RowID] {
    guard Int(list) < store.orders.count, let table = store.orders[Int(list)] else { return [] }
    return indices.compactMap { table.rows.indices.contains($0) ? intern(table.rows[$0]) : nil }
  }
}
