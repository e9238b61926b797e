/// The state machine of a tracker: inputs go in, effects come out.
///
/// Cells, rows and operations are numbers here. The engine holds no values or objects, and one
/// closure, the delay of a retry. Its times are nanoseconds on one clock, passed as arguments. It
/// has few doors:
///
/// - ``take(_:at:)`` records an input. ``addCell()`` and ``addRow()`` number what the shell does
///   not know.
/// - ``expectRows(at:)`` and ``endTurn(at:)`` evaluate, so that the order of inputs in a turn does
///   not matter. ``finishTurn()`` decides on renders.
/// - In between, rows get slots: by ``admitAll(_:at:)`` if the tracker has its own, by
///   ``admitWinner(_:at:)`` and ``yieldSlot(_:at:)`` if it shares them.
/// - ``nextEffect()`` returns an effect, ``takeCommittedRows()`` the rows of one, and
///   ``takeFreedNumbers()`` the free numbers.
/// - ``nextDeadline`` is the time of the next turn that no input requests.
///
/// All other visible members change nothing. The mutants of the proofs use `admit(_:at:)` too.
@usableFromInline
package struct TrackerEngine: Sendable {
  package internal(set) var settings: Settings
  package var turns = Turns()
  var effects = EffectQueue()
  /// Forgotten once no effect is pending.
  var unusedRows: [RowID] = []
  var counts = EngineCounts()

  package var rows = Slab<RowKind, RowState>()
  package internal(set) var cells = Cells()
  package internal(set) var runs = Runs()
  var line = WaitingRows()
  var claims = Claims()
  var kept = KeptRows()
  var failures = Failures()
  package internal(set) var streams = Streams()
  var blanks = Blanks()
  package var gate: ScrollGate
  /// In the order in which they came.
  var windows: [OrderWindow] = []
  /// Rows removed or dropped since their lists moved, which no window claims.
  var leftOut: Set<RowID> = []
  /// Also while the list has no window.
  var hasOrder = false
  var isSuspended = false
  /// Whether phases have observers.
  var reportsPhases = false
  var holds = SlotHolds()
  var slotNews: [SlotHolds.News] = []
  var lanes = RowLanes()
  /// The uses by other trackers.
  var otherLanes: [Int: SlotBid] = [:]

  // The events since the last turn.
  /// Their displays began since the last turn, in this order; some have ended since.
  var appearedRows: [RowID] = []
  /// They came on screen after their rows were removed, and wait for these.
  var cellsToBindAnew: [CellID] = []
  var leavingCells: [CellID] = []
  var rowsToEvaluate: [RowID] = []
  /// Their cells are checked for renders.
  var changedRows: [RowID] = []
  /// Rows with new values in this turn.
  var loadedRows: [RowID] = []
  /// For the next `onCommit`.
  var committedRows: [RowID] = []
  /// Whether the scroll policy has held rows or streams back: the next motion requests a turn.
  var isFiltering = false
  /// A list has moved since rows were held back.
  var looksAgain = false

  var lastTurn: Int64 = 0
  private(set) var lastRank: UInt64 = 0
  /// The source of generations and binding serials, which only grows.
  private(set) var lastSerial: UInt64 = 0
  var serialOfTurnStart: UInt64 = 0
  var serialOfLastTurn: UInt64 = 0

  package init(settings: Settings = Settings()) {
    self.settings = settings
    gate = ScrollGate(policy: settings.scrollPolicy, quietTime: settings.quietTime)
  }

  package mutating func addCell() -> CellID { cells.add() }

  package mutating func addRow() -> RowID {
    let row = rows.insert(RowState())
    // The end of the turn forgets an unclaimed row.
    setNeedsEvaluation(row)
    return row
  }

  // MARK: Turns

  @inline(__always)
  var needsTurn: Bool {
    !isUpToDate || !changedRows.isEmpty || !committedRows.isEmpty || !failures.pendingHeal.isNone
      || mayOpenStream || looksAgain || !slotNews.isEmpty || lanes.unreadCount > 0
  }

  var isUpToDate: Bool { rowsToEvaluate.isEmpty }

  mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  mutating func nextRank() -> UInt64 {
    lastRank += 1
    return lastRank
  }

  // Code that several members call is compiled once; only what figure B12 counts is inlined.
  @inline(never)
  mutating func setNeedsEvaluation(_ row: RowID) {
    if rows[row].mark() { rowsToEvaluate.append(row) }
  }

  // MARK: Phases

  /// Does nothing for the same phase.
  mutating func updatePhase(of row: RowID) {
    if rows[row].updatePhase() { changedRows.append(row) }
  }

  /// The row's cells have new content.
  @inline(never)
  mutating func contentChanged(of row: RowID) {
    if rows[row].contentChanged() { changedRows.append(row) }
  }
}
