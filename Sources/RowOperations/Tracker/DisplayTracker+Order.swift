extension DisplayTracker {
  /// Sets the order of the list's rows, so that the tracker prefetches by itself.
  ///
  /// Call it whenever the list's data changes. While the list moves, the tracker prefetches two
  /// screens ahead, or twice the distance that the list travels during a load; at rest, one screen
  /// on each side. The list need not prefetch, and does no harm if it does.
  ///
  /// The tracker prefetches each row once, until the row is displayed or the direction changes. It
  /// prefetches no more rows than the configuration's `prefetchLimit` and its retention allow. So
  /// loading ends when the list rests.
  ///
  /// A row that left the order loses its prefetch and landing claims, and its value is the first to
  /// be dropped. Displayed rows, bindings and running loads stay. Call ``remove(_:)`` to forget
  /// rows.
  ///
  /// **Ordering**: takes effect in the next turn of the main queue.
  ///
  /// **Cost**: O(rows), one look-up for each.
  ///
  /// - Parameter rows: The rows; empty if the order is unknown. A repeated row counts where it
  ///   comes first.
  public func setOrder(_ rows: some Sequence<Row>) { setOrder(rows, of: 0) }

  /// Sets the order of one of several lists.
  package func setOrder(_ rows: some Sequence<Row>, of list: ListNumber) {
    let table = OrderTable(rows)
    while store.orders.count <= list { store.orders.append(nil) }
    // Rows of the old order are released after the new one is set.
    let old = store.orders[Int(list)]
    store.orders[Int(list)] = table
    core.books.engine.take(.setOrder(list, count: table.rows.count), at: core.time)
    for id in Array(core.books.engine.rows.ids) {
      guard let row = store.rows[id] else { continue }
      core.books.engine.take(.setIndex(id, table.indices[row].map(Int.init), list), at: core.time)
    }
    if let recorder = core.books.recorder, table.rows.count <= InputRecorder.longestOrder {
      core.call { recorder.recordOrder(of: table.rows, at: core.time) }
    }
    withExtendedLifetime(old) { core.requestTurn() }
    core.run()
  }

  /// Sets the order indices of a new row.
  @inlinable
  func setOrderIndices(_ id: RowID, _ row: Row) {
    for list in 0..<store.orders.count {
      guard let index = store.orders[list]?.indices[row] else { continue }
      core.setOrderIndex(of: id, to: index, in: list)
    }
  }

  /// Returns the numbers of the rows at some indices of an order, and adds unknown rows.
  @inlinable
  func rows(at indices: [Int], of list: ListNumber) -> [RowID] {
    guard Int(list) < store.orders.count, let rows = store.orders[Int(list)]?.rows else {
      return []
    }
    var numbers: [RowID] = []
    numbers.reserveCapacity(indices.count)
    for index in indices where index < rows.count { numbers.append(intern(rows[index])) }
    return numbers
  }
}
