/// The calls of adapters, beside inputs.
extension DisplayTracker {
  /// Adds a list that shows rows of the tracker.
  ///
  /// - Parameter onBind: Called for each view that is bound, with the view or its host; `nil` if
  ///   the list needs no calls.
  /// - Returns: The number of the list, for the calls below.
  package func addList(onBind: (@MainActor (AnyObject) -> Void)?) -> Int {
    let (list, change) = core.lists.add(onBind: onBind)
    core.listsChanged()
    follow(change)
    return list
  }

  /// Removes a list and its order.
  package func removeList(_ list: Int) {
    setOrder([], ofList: list)
    let change = core.lists.remove(list)
    core.listsChanged()
    follow(change)
  }

  /// Records whether a list is covered by other views.
  ///
  /// A covered list prefetches nothing. The list itself reports its cells as covered.
  ///
  /// O(prefetched rows)
  package func coverList(_ list: Int, isCovered: Bool) {
    follow(isCovered ? core.lists.cover(list) : core.lists.uncover(list))
    prefetch(isCovered: isCovered, ofList: list)
  }

  /// Ends prefetching by the order of a covered list, and begins it again when the list is back.
  ///
  /// O(prefetched rows)
  package func prefetch(isCovered: Bool, ofList list: Int) {
    guard let number = ListNumber(exactly: list) else { return }
    if isCovered {
      core.books.engine.take(.endPrefetches(number), at: core.time)
    } else {
      core.books.engine.take(.resetWindow(number), at: core.time)
    }
    core.requestTurn()
  }

  /// Reports that the list of a cell on screen is covered, until the next `willDisplay`.
  ///
  /// The cell keeps its binding, its row's value and its running load. It starts nothing, shows no
  /// changes and counts for nothing.
  package func cover(_ cell: AnyObject) { enter(.cover(cell: cell)) }

  private func follow(_ change: TrackerLists.Change) {
    switch change {
    case .none: break
    case .suspend: suspend()
    case .resume: resume()
    }
  }

  /// Sets the order of a list.
  ///
  /// O(rows)
  package func setOrder(_ rows: [Row], ofList list: Int) {
    // Lists beyond the largest number have no order.
    guard let number = ListNumber(exactly: list) else { return }
    guard !rows.isEmpty || store.orders.count > list && store.orders[list] != nil else { return }
    setOrder(rows, of: number)
  }

  /// Turns prefetching by the order of a list off or on, such as while the user saves data.
  package func holdPrefetching(_ isHeld: Bool, ofList list: Int) {
    core.lists.hold(isHeld, list)
    guard let number = ListNumber(exactly: list), store.orders.count > list,
      let order = store.orders[list]
    else { return }
    if isHeld {
      receive(.cancelPrefetch(order.rows))
    } else {
      core.books.engine.take(.resetWindow(number), at: core.time)
      core.requestTurn()
    }
  }

  /// The index of a cell's row in the order of a list.
  ///
  /// O(1)
  package func boundIndex(of cell: AnyObject, inList list: Int) -> BoundIndex {
    guard let row = core.books.row(of: cell) else { return .unbound }
    if let index = core.books.index(of: row, in: list) { return .at(index) }
    // The orders of several lists may contain the row; the engine knows one index.
    guard let index = store.rows[row].flatMap({ self.index(of: $0, inList: list) }) else {
      return .elsewhere
    }
    return .at(index)
  }

  /// The index of a row in the order of a list.
  ///
  /// O(1)
  package func index(of row: Row, inList list: Int) -> Int? {
    guard store.orders.count > list else { return nil }
    return store.orders[list]?.indices[row].map(Int.init)
  }

  /// Whether a view is bound or contains bound views.
  ///
  /// O(1)
  package func knows(_ view: AnyObject) -> Bool { core.books.cells.id(at: view) != nil }

  /// The row that a view is bound to.
  ///
  /// O(1)
  package func row(of view: AnyObject) -> Row? {
    core.books.row(of: view).flatMap { store.rows[$0] }
  }

  /// Ends the displays of deallocated cells in the next turns, since some were displayed.
  package func cellsVanished() {
    core.books.cells.sweepAll()
    core.requestTurn()
  }

  /// The views outside of hosts that are bound or contain bound views.
  ///
  /// O(cells that the tracker knows)
  package var outermostViews: [AnyObject] {
    let cells = core.books.engine.cells
    return cells.ids.compactMap { id in
      guard cells[id].host == .none, cells[id].row != nil || cells.hasViews(in: id) else {
        return nil
      }
      return core.books.cells[id]?.cell
    }
  }
}

/// The index of a cell's row in the order of a list.
package enum BoundIndex: Hashable, Sendable {
  /// The cell has no row.
  case unbound
  /// The row is not in the order.
  case elsewhere
  case at(Int)
}

extension TrackerBooks {
  // Reading members are mutating too, since a reading call would copy the value.
  mutating func row(of cell: AnyObject) -> RowID? {
    guard let id = cells.id(at: cell), cells.isAlive(id) else { return nil }
    return engine.row(of: id)
  }

  mutating func index(of row: RowID, in list: Int) -> Int? {
    ListNumber(exactly: list).flatMap { engine.index(of: row, in: $0) }
  }
}

extension TrackerCore {
  /// Updates `hasBindHooks` after a change of the lists.
  func listsChanged() { books.hasBindHooks = !lists.bindHooks.isEmpty }
}
