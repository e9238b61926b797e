/// The cells of a tracker: their rows, the views inside them, and whether they are on screen.
///
/// A cell in a host is displayed while its host is, unless its own last report says otherwise.
///
/// Rows are known by number alone.
package struct Cells: Sendable {
  private var cells = Slab<CellKind, CellState>()
  /// Forgotten once no effect is pending.
  private var unused: [CellID] = []

  package var count: Int { cells.count }

  package var ids: some Sequence<CellID> { cells.ids }

  @inline(__always)
  func contains(_ cell: CellID) -> Bool { cells.contains(cell) }

  package subscript(cell: CellID) -> CellState {
    get { cells[cell] }
    _modify { yield &cells[cell] }
  }

  mutating func add() -> CellID { cells.insert(CellState()) }

  // MARK: Rows

  /// - Parameter next: The head of the list of the row's cells so far.
  @inline(__always)
  mutating func link(_ cell: CellID, to row: RowID, before next: CellID?) {
    cells[cell].link(to: row, before: next)
    if let next { cells[next].previous = cell }
  }

  /// - Returns: The next cell of the row, and whether this one was the head of the list.
  @inline(__always)
  mutating func unlink(_ cell: CellID) -> (next: CellID?, wasFirst: Bool) {
    let (previous, next) = cells[cell].unlink()
    if let previous { cells[previous].next = next }
    if let next { cells[next].previous = previous }
    return (next, previous == nil)
  }

  // MARK: Presence

  /// - Returns: The presence before; `nil` if nothing has changed.
  mutating func updatePresence(of cell: CellID, seen: UInt64) -> CellState.Presence? {
    cells[cell].moved(to: presence(of: cell), seen: seen)
  }

  private func presence(of cell: CellID) -> CellState.Presence {
    let (host, report) = (cells[cell].host, cells[cell].report)
    let own: CellState.Presence =
      switch report {
      case .displayed: .displayed
      case .covered, .inBackground: .covered
      case .none: host == .none ? .away : .displayed
      case .ended: .away
      }
    switch host {
    case .none: return own
    case .cell(let host): return Swift.min(own, cells[host].presence)
    case .gone: return .away
    }
  }

  /// For a covered cell.
  func isInBackground(_ cell: CellID) -> Bool {
    cells[cell].presence == .covered
      && sequence(first: cell) { liveHost(of: $0) }.contains { cells[$0].report == .inBackground }
  }

  // MARK: Hosts

  private func liveHost(of cell: CellID) -> CellID? {
    guard case .cell(let host) = cells[cell].host else { return nil }
    return host
  }

  /// Whether a cell is another one or lies inside it.
  func isInside(_ cell: CellID, _ other: CellID) -> Bool {
    sequence(first: cell) { liveHost(of: $0) }.contains(other)
  }

  /// - Returns: Whether the host has changed.
  mutating func move(_ cell: CellID, into host: CellID?) -> Bool {
    let new = host.map { CellState.Host.cell($0) } ?? .none
    guard cells[cell].host != new else { return false }
    removeFromHost(cell)
    cells[cell].host = new
    guard let host else { return true }
    let next = cells[host].firstView
    cells[cell].nextView = next
    if let next { cells[next].previousView = cell }
    cells[host].firstView = cell
    return true
  }

  mutating func removeFromHost(_ view: CellID) {
    guard let host = liveHost(of: view) else { return }
    let (previous, next) = (cells[view].previousView, cells[view].nextView)
    if let previous { cells[previous].nextView = next } else { cells[host].firstView = next }
    if let next { cells[next].previousView = previous }
    cells[view].leftHost()
    forgetIfUnused(host)
  }

  /// Takes a view out of a host that was deallocated.
  mutating func hostVanished(of view: CellID) {
    removeFromHost(view)
    cells[view].host = .gone
  }

  // MARK: Forgetting

  private func isUnused(_ cell: CellID) -> Bool {
    guard cells[cell].row == nil, cells[cell].removedRow == nil, cells[cell].firstView == nil
    else { return false }
    // The view stays known, so that the views inside it keep their host.
    if case .cell = cells[cell].host { return false }
    switch cells[cell].report {
    case .displayed, .covered, .inBackground: return false
    case .none, .ended: return true
    }
  }

  /// Lists a cell to be forgotten if nothing refers to it.
  mutating func forgetIfUnused(_ cell: CellID) {
    guard !cells[cell].isForgetting, isUnused(cell) else { return }
    cells[cell].isForgetting = true
    unused.append(cell)
  }

  var hasUnused: Bool { !unused.isEmpty }

  /// Forgets the cells that are still unused; no effect may name them.
  mutating func forget() -> [CellID] {
    var freed = unused
    unused = []
    freed.removeAll { !forgetNow($0) }
    return freed
  }

  private mutating func forgetNow(_ cell: CellID) -> Bool {
    guard cells.contains(cell) else { return false }
    cells[cell].isForgetting = false
    guard isUnused(cell) else { return false }
    cells.remove(cell)
    return true
  }
}
