/// The state machine of a tracker: inputs go in, effects come out.
///
/// Cells, rows and operations are small numbers here. The engine holds no values and no objects,
/// and its one closure is the delay of a retry. It takes the time as an argument, in nanoseconds on
/// one clock. It has few doors:
///
/// - ``take(_:at:)`` records an input. ``addCell()`` and ``addRow()`` number a cell and a row that
///   the shell does not know.
/// - ``expectRows(at:)`` and ``endTurn(at:)`` draw the conclusions, so that the order of
///   inputs within a turn does not matter. ``finishTurn()`` decides on renders.
/// - In between, rows get slots: ``admitAll(_:at:)`` serves a tracker with slots of its own,
///   ``admitWinner(_:at:)`` and ``yieldSlot(_:at:)`` one that shares them.
/// - ``nextEffect()`` returns an effect for the shell, ``takeCommittedRows()`` the rows of one, and
///   ``takeFreedNumbers()`` the numbers that are free again.
/// - ``nextDeadline`` is the time of the next turn that no input requests.
///
/// All other members that are visible outside are questions, which change nothing. The mutants of
/// the proofs use `admit(_:at:)` too.
@usableFromInline
package struct TrackerEngine: Sendable {
  package internal(set) var settings: Settings
  var effects = EffectQueue()
  /// Unused rows, forgotten once no effect is pending.
  var unusedRows: [RowID] = []
  /// The last freed numbers, kept so that their memory is used again.
  var lastFreed = FreedNumbers()
  var counts = EngineCounts()

  package internal(set) var rows = Slab<RowKind, RowState>()
  package internal(set) var cells = Cells()
  package internal(set) var runs = Runs()
  package internal(set) var batches = Batches()
  var line = WaitingRows()
  package internal(set) var claims = Claims()
  package internal(set) var kept = KeptRows()
  package internal(set) var failures = Failures()
  package internal(set) var streams = Streams()
  var blanks = Blanks()
  package internal(set) var gate: ScrollGate
  /// The windows of lists, in the order in which they came.
  package internal(set) var windows: [OrderWindow] = []
  /// Rows that were removed or dropped since their lists moved, so that no window claims them.
  package internal(set) var leftOut: Set<RowID> = []
  /// Whether the order of a list is known, also while the list has no window.
  package var hasOrder = false
  package internal(set) var isSuspended = false

  // What has happened since the last turn.
  /// The rows whose displays began, in that order, also those that were removed since.
  package internal(set) var appearedRows = Appearances()
  /// Cells that have come on screen since their rows were removed, and wait for these.
  package internal(set) var cellsToBindAnew: [CellID] = []
  /// Cells that have left the screen, and are rendered for that.
  var leavingCells: [CellID] = []
  /// Rows to evaluate at the end of the turn.
  var rowsToEvaluate: [RowID] = []
  /// The rows under evaluation.
  ///
  /// Empty between turns; kept so that their memory is used again.
  var evaluatedRows: [RowID] = []
  /// Rows with cells to check for renders.
  var changedRows: [RowID] = []
  /// Rows whose load ended with a value in this turn.
  var loadedRows: [RowID] = []
  /// Rows with rendered values, for the next `onCommit`.
  var committedRows: [RowID] = []
  /// Whether the scroll policy has kept rows back from free slots, or streams from opening.
  ///
  /// The next report of motion requests a turn.
  package internal(set) var isFiltering = false
  /// Whether a list has moved since rows were kept back.
  package internal(set) var looksAgain = false

  /// The time of the last turn.
  package internal(set) var lastTurn: Int64 = 0
  private(set) var lastRank: UInt64 = 0
  /// The source of generations and binding serials; it only grows.
  package private(set) var lastSerial: UInt64 = 0
  /// The last serial number when the last turn began.
  package internal(set) var serialOfTurnStart: UInt64 = 0
  /// The last serial number at the end of the last turn.
  package internal(set) var serialOfLastTurn: UInt64 = 0

  package init(settings: Settings = Settings()) {
    self.settings = settings
    gate = ScrollGate(policy: settings.scrollPolicy, quietTime: settings.quietTime)
  }

  /// Adds a cell that the engine does not know.
  package mutating func addCell() -> CellID { cells.add() }

  /// Adds a row that the engine does not know.
  package mutating func addRow() -> RowID {
    let row = rows.insert(RowState())
    // The end of the turn forgets the row if nothing claims it.
    setNeedsEvaluation(row)
    return row
  }

  // MARK: Turns

  /// Whether a turn has anything to evaluate or to render.
  var needsTurn: Bool {
    !isUpToDate || !changedRows.isEmpty || !committedRows.isEmpty || !failures.pendingHeal.isNone
      || mayOpenStream || looksAgain
  }

  /// Whether all events since the last turn are evaluated.
  package var isUpToDate: Bool { rowsToEvaluate.isEmpty }

  mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  mutating func nextRank() -> UInt64 {
    lastRank += 1
    return lastRank
  }

  // Code that several members call is compiled once, here and in the other files. Only what figure
  // B12 counts is inlined.
  @inline(never)
  mutating func setNeedsEvaluation(_ row: RowID) {
    if rows[row].mark() { rowsToEvaluate.append(row) }
  }

  // MARK: Phases

  /// Raises the change number of a row if its phase has changed.
  mutating func updatePhase(of row: RowID) {
    if rows[row].updatePhase() { changedRows.append(row) }
  }

  /// Raises the change number of a row, since its cells have new content.
  @inline(never)
  mutating func contentChanged(of row: RowID) {
    if rows[row].contentChanged() { changedRows.append(row) }
  }
}
