/// What an adapter needs of a tracker, beside its inputs.
extension DisplayTracker {
  /// A list begins to show rows of the tracker.
  ///
  /// - Parameter onBind: Called for each cell that is bound; `nil` if the list needs no calls.
  /// - Returns: The number of the list, for the calls below.
  package func addList(onBind: (@MainActor () -> Void)?) -> Int {
    let (list, change) = core.lists.add(onBind: onBind)
    core.listsChanged()
    follow(change)
    return list
  }

  /// A list is gone: its order is no longer known.
  package func removeList(_ list: Int) {
    setOrder([], ofList: list)
    let change = core.lists.remove(list)
    core.listsChanged()
    follow(change)
  }

  /// A list is out of sight, or can be seen again.
  package func coverList(_ list: Int, isCovered: Bool) {
    follow(isCovered ? core.lists.cover(list) : core.lists.uncover(list))
  }

  private func follow(_ change: TrackerLists.Change) {
    switch change {
    case .none: break
    case .suspend: suspend()
    case .resume: resume()
    }
  }

  /// A list has these rows, in this order.
  ///
  /// O(rows)
  package func setOrder(_ rows: [Row], ofList list: Int) {
    // More lists than there are numbers do without an order.
    guard let number = TrackerEngine.ListNumber(exactly: list) else { return }
    guard !rows.isEmpty || store.orders.count > list && store.orders[list] != nil else { return }
    setOrder(rows, of: number)
  }

  /// Whether the tracker must not prefetch by the order of a list, as while the user saves data.
  package func holdPrefetching(_ isHeld: Bool, ofList list: Int) {
    core.lists.hold(isHeld, list)
    guard let number = TrackerEngine.ListNumber(exactly: list), store.orders.count > list,
      let order = store.orders[list]
    else { return }
    if isHeld {
      receive(.cancelPrefetch(order.rows))
    } else {
      core.books.engine.resetWindow(number)
      core.requestTurn()
    }
  }

  /// Where the row of a cell is in the order of a list.
  ///
  /// O(1)
  package func boundIndex(of cell: AnyObject, inList list: Int) -> BoundIndex {
    guard let row = core.books.row(of: cell) else { return .unbound }
    if let index = core.books.index(of: row, in: list) { return .at(index) }
    // The row may be in the orders of several lists, of which the engine knows one.
    guard let index = store.rows[row].flatMap({ self.index(of: $0, inList: list) }) else {
      return .elsewhere
    }
    return .at(index)
  }

  /// Where a row is in the order of a list.
  ///
  /// O(1)
  package func index(of row: Row, inList list: Int) -> Int? {
    guard store.orders.count > list else { return nil }
    return store.orders[list]?.indices[row].map(Int.init)
  }

  /// Whether a view is bound, or holds views that are.
  ///
  /// O(1)
  package func knows(_ view: AnyObject) -> Bool { core.books.cells.id(at: view) != nil }

  /// The views that are bound and are in no host.
  ///
  /// O(cells that the tracker knows)
  package var boundViews: [AnyObject] {
    let cells = core.books.engine.cells
    return cells.ids.compactMap { id in
      guard cells[id].row != nil, cells[id].host == .none else { return nil }
      return core.books.cells[id]?.cell
    }
  }
}

/// Where the row of a cell is in the order of a list.
package enum BoundIndex: Hashable, Sendable {
  /// The cell has no row.
  case unbound
  /// The row is not in the order.
  case elsewhere
  case at(Int)
}

extension TrackerBooks {
  // Mutating where they only read, as all members are.
  mutating func row(of cell: AnyObject) -> RowID? {
    guard let id = cells.id(at: cell), cells.isAlive(id) else { return nil }
    return engine.cells[id].row
  }

  mutating func index(of row: RowID, in list: Int) -> Int? {
    let state = engine.rows[row]
    return Int(state.list) == list && state.orderIndex >= 0 ? Int(state.orderIndex) : nil
  }
}

extension TrackerCore {
  /// The lists of the tracker are others.
  func listsChanged() { books.reportsBindings = books.recorder != nil || !lists.bindHooks.isEmpty }
}
