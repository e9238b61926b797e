/// The calls of adapters, beside inputs.
extension DisplayTracker {
  ///   - onBind: Called with each bound view, or its host.
  ///   - share: Returns the share of a view in sight; `nil` if unknown.
  /// - Returns: The number of the list, for the calls below.
  package func addList(
    onBind: (@MainActor (AnyObject) -> Void)?, share: (@MainActor (AnyObject) -> Double?)? = nil
  ) -> Int {
    changeLists { $0.add(onBind: onBind, share: share) }
  }

  func removeList(_ list: Int) {
    endMotion(ofList: list)
    core.stopFollowing(list)
    changeLists { $0.remove(list) }
  }

  /// A covered list rests and has no window.
  ///
  /// The list itself reports its covered cells, and its positions once back.
  package func coverList(_ list: Int, isCovered: Bool) {
    changeLists { $0.setCovered(list, isCovered) }
    follow(list, isCovered: isCovered)
  }

  /// Only a suspended tracker resumes: a carousel is no reason to retry failed rows.
  private func changeLists<Output>(_ change: (inout TrackerLists) -> Output) -> Output {
    let wasSuspended = core.lists.isSuspended
    let output = change(&core.lists)
    if core.lists.isSuspended != wasSuspended { wasSuspended ? resume() : suspend() }
    return output
  }

  /// The list of a cell on screen is covered, until the next `willDisplay`.
  ///
  /// The cell keeps its binding, its row's value and its running load. It starts nothing and counts
  /// for nothing.
  package func cover(_ cell: AnyObject, isInBackground: Bool = false) {
    enter(isInBackground ? .background(cell: cell) : .cover(cell: cell))
  }

  // MARK: Motion

  package func scrollWillBegin(inList list: Int) { enter(.listScrollWillBegin(list: list)) }

  package func scrollDidMove(inList list: Int) { enter(.listScrollDidMove(list: list)) }

  package func scrollWillEnd(landingOn rows: [Row], inList list: Int) {
    enter(.listScrollWillEnd(landingOn: rows.map { intern($0) }, list: list))
  }

  package func scrollDidSettle(inList list: Int) { enter(.listScrollDidSettle(list: list)) }

  func endMotion(ofList list: Int) {
    if core.state.engine.isMoving(list) { scrollDidSettle(inList: list) }
  }

  // MARK: Positions

  func shownPositions(inList list: Int) -> Range<Int>? {
    core.state.engine.shownPositions(of: list)
  }

  /// Compares the row of each cell with those at its position.
  ///
  /// - Parameters:
  ///   - positions: The positions of the cells; −1 for none.
  ///   - view: The identity of a cell, by its place in `positions`.
  /// - Returns: The cells with another row, and its number if it is near.
  func wrongCells(
    at positions: [Int], inList list: Int, _ view: (Int) -> ObjectIdentifier
  ) -> [(cell: Int, row: RowID?)] {
    core.state.wrongCells(at: positions, inList: list, view)
  }

  /// `nil` if the row is not near the screen.
  package func position(ofRowIn view: AnyObject, inList list: Int) -> Int? {
    core.row(of: view).flatMap { core.state.engine.position(of: $0, in: list) }
  }

  /// `nil` if the row is not near the screen.
  package func position(of row: Row, inList list: Int) -> Int? {
    knownID(of: row).flatMap { core.state.engine.position(of: $0, in: list) }
  }

  package func position(of row: Row) -> Int? {
    let lists = Set(core.state.engine.windows.map(\.key.list)).sorted()
    return lists.lazy.compactMap { self.position(of: row, inList: $0) }.first
  }

  /// None if the position is not near the screen.
  package func rows(at position: Int, inList list: Int) -> [Row] {
    core.state.engine.rows(at: position, in: list).compactMap { store.rows[$0] }
  }

  func knows(_ view: AnyObject) -> Bool { core.state.cells.id(at: view) != nil }

  package func row(of view: AnyObject) -> Row? {
    core.row(of: view).flatMap { store.rows[$0] }
  }

  package func row(number: Int) -> Row? { store.rows[RowID(index: Int32(number))] }

  /// Ends the displays of deallocated cells in the next turns.
  func cellsVanished() {
    core.state.cells.checkAll()
    core.requestTurn()
  }

  /// The views outside of hosts.
  var outermostViews: [AnyObject] {
    let cells = core.state.engine.cells
    return cells.ids.compactMap { id in
      guard cells[id].host == .none, cells[id].row != nil || cells[id].firstView != nil else {
        return nil
      }
      return core.state.cells[id]?.cell
    }
  }
}
