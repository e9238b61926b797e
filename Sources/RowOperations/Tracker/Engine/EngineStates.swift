@usableFromInline package typealias RowID = ID<RowState>
@usableFromInline package typealias LoadID = ID<LoadState>
@usableFromInline package typealias CellID = ID<CellState>
@usableFromInline package typealias RunID = ID<RunState>

/// The engine's state of a cell, or of a view inside a cell.
@usableFromInline
package struct CellState: Hashable, Sendable {
  /// The list's last report about the cell itself.
  package enum Report: Hashable, Sendable {
    case none
    case displayed
    /// The cell is on the screen of a list that is covered.
    case covered
    case ended
  }

  /// Where the cell is, from its report and those of its hosts.
  package enum Presence: Hashable, Comparable, Sendable {
    case away
    /// In a covered list: the cell keeps its row's value and its running load, and no more.
    case covered
    case displayed
  }

  /// The host that the cell is inside of, if any.
  package enum Host: Hashable, Sendable {
    case none
    case cell(CellID)
    /// The host was deallocated.
    case gone
  }

  /// The row that the cell is bound to.
  package internal(set) var row: RowID?
  package internal(set) var report = Report.none
  package internal(set) var host = Host.none
  package internal(set) var presence = Presence.away
  /// Whether the cell has been on screen since its last binding.
  package internal(set) var wasDisplayed = false
  /// The serial number of the binding.
  ///
  /// Grows with each `bind` and `unbind`.
  package internal(set) var serial: UInt64 = 0
  /// Whether the app stops something in the cell when it leaves the screen.
  var rendersLeaving = false
  /// Whether the last binding, or one before it in the same turn, changed the row.
  private var hasNewRow = false
  /// Whether the cell has left the screen since the last turn, and is rendered for that.
  package internal(set) var isLeaving = false
  /// The load's change number that the cell was last rendered with.
  package internal(set) var shownChange: UInt32 = 0
  /// Whether the cell is listed to be forgotten: it goes, if still unused, once no effect is
  /// pending.
  var isForgetting = false
  // Neighbours in the list of the row's cells.
  var previous: CellID?
  var next: CellID?
  // The first view inside the cell, and the neighbours in the list of its host's views.
  var firstView: CellID?
  var previousView: CellID?
  var nextView: CellID?

  @inline(__always) package var isDisplayed: Bool { presence == .displayed }

  // Each change of several fields is one call, so that the table checks its uniqueness once (figure
  // B12).

  /// - Parameters:
  ///   - seen: The last serial number of the last turn.
  ///   - change: The load's change number.
  mutating func bindingBegan(
    _ serial: UInt64, hasNewRow: Bool, rendersLeaving: Bool, seen: UInt64, change: UInt32
  ) {
    shownChange = change
    self.hasNewRow = hasNewRow || !isRowSeen(seen)
    self.serial = serial
    self.rendersLeaving = rendersLeaving
    isLeaving = false
    wasDisplayed = isDisplayed
  }

  /// Whether the cell was bound to its row before the last turn ended.
  package func isRowSeen(_ seen: UInt64) -> Bool { serial <= seen || !hasNewRow }

  /// - Returns: The presence before; `nil` if it is the same.
  mutating func moved(to new: Presence, seen: UInt64) -> Presence? {
    let old = presence
    guard new != old else { return nil }
    presence = new
    guard row != nil else { return old }
    if new == .displayed { wasDisplayed = true }
    isLeaving = rendersLeaving && old == .displayed && new == .away && isRowSeen(seen)
    return old
  }

  mutating func link(to row: RowID, before next: CellID?) {
    self.row = row
    self.next = next
  }

  /// - Returns: Its former neighbours.
  mutating func unlink() -> (previous: CellID?, next: CellID?) {
    defer {
      row = nil
      previous = nil
      next = nil
    }
    return (previous, next)
  }
}

/// The engine's state of a row: its claims.
@usableFromInline
package struct RowState: Hashable, Sendable {
  package let load: LoadID
  /// The number of cells bound to the row.
  package internal(set) var bindings: Int32 = 0
  /// The number of those cells that are displayed.
  package internal(set) var displays: Int32 = 0
  /// Whether it was displayed at the end of the last turn.
  package internal(set) var wasDisplayed = false
  package internal(set) var isLanding = false
  package internal(set) var isPrefetched = false
  // The order of the fields leaves no gaps in memory (figure B9).
  /// The list whose order contains the row.
  package internal(set) var list: TrackerEngine.ListNumber = 0
  /// The count of rows that had appeared when the prefetch claim was made or renewed.
  package internal(set) var prefetchedAfter: UInt32 = 0
  /// The row's index in the order of its list; -1 if no order contains it.
  package internal(set) var orderIndex: Int32 = -1
  package internal(set) var needsEvaluation = false
  /// Whether the row has been displayed since the last turn.
  var hasAppeared = false
  /// Whether the row is listed to be forgotten, as for cells.
  var isForgetting = false
  private var firstCellID = CompactID<CellState>()
  private var previousID = CompactID<RowState>()
  private var nextID = CompactID<RowState>()

  init(load: LoadID, next: RowID?) {
    self.load = load
    self.next = next
  }

  var firstCell: CellID? {
    get { firstCellID.id }
    set { firstCellID.id = newValue }
  }

  // Neighbours in the list of the load's rows.
  var previous: RowID? {
    get { previousID.id }
    set { previousID.id = newValue }
  }

  var next: RowID? {
    get { nextID.id }
    set { nextID.id = newValue }
  }

  package var isClaimed: Bool { displays > 0 || isLanding || isPrefetched }

  /// - Returns: The previous head of the list of the row's cells.
  mutating func bind(_ cell: CellID) -> CellID? {
    defer { firstCell = cell }
    bindings += 1
    return firstCell
  }

  mutating func unbind(first: CellID?, ifFirst isFirst: Bool) {
    bindings -= 1
    if isFirst { firstCell = first }
  }

  /// Counts one more displayed cell.
  ///
  /// - Returns: Whether it is the row's first displayed cell, and whether the row was not marked
  ///   for its evaluation before.
  mutating func displayBegan() -> (isFirst: Bool, isMarked: Bool) {
    displays += 1
    if displays == 1 { hasAppeared = true }
    return (displays == 1, mark())
  }

  /// Counts one less displayed cell.
  ///
  /// - Returns: Whether the row was not marked for its evaluation before.
  mutating func displayEnded() -> Bool {
    displays -= 1
    return mark()
  }

  private mutating func mark() -> Bool {
    defer { needsEvaluation = true }
    return !needsEvaluation
  }

  /// Clears the mark of an appearance at the end of a turn.
  ///
  /// - Returns: Whether the row is displayed now and was not at the end of the last turn.
  mutating func takeAppearance() -> Bool {
    hasAppeared = false
    guard !wasDisplayed, displays > 0 else { return false }
    wasDisplayed = true
    return true
  }
}
