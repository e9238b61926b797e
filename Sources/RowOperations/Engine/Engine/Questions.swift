/// Questions of the shell, of the proofs and of explanations. They change nothing.
///
/// Those that the shell puts for each row are mutating all the same, since a call that only reads
/// would copy the engine (figure B12).
extension TrackerEngine {
  // MARK: Content

  /// The content for a cell that is bound to the row.
  @inline(__always)
  mutating func snapshot(of row: RowID) -> Snapshot { rows[row].snapshot(row) }

  /// The failure that a row shows.
  package mutating func failure(of row: RowID) -> Snapshot.Failure {
    rows.contains(row) ? rows[row].failure : .none
  }

  package func phase(of row: RowID) -> LoadPhase { rows[row].snapshot(row).phase }

  /// Whether the app's own cache may have a value that the tracker lacks.
  package mutating func wantsLookUp(_ row: RowID) -> Bool {
    guard rows[row].knowledge == .unknown else { return false }
    guard let run = rows[row].run else { return true }
    return runs[run].stage == .admitted
  }

  // MARK: Cells

  /// The row that a cell is bound to.
  @inline(__always)
  package mutating func row(of cell: CellID) -> RowID? { cells[cell].row }

  /// Whether the app may not bind a cell to another row or none, since the renders of the cell go
  /// on doing so.
  @inline(__always)
  package func refuses(_ row: RowID?, in cell: CellID) -> Bool {
    cells[cell].isInCircle && row != cells[cell].row
  }

  /// The row that a cell shows or waits for.
  mutating func soughtRow(of cell: CellID) -> RowID? { cells[cell].row ?? cells[cell].removedRow }

  /// Whether a cell shows no row, and remembers none that was removed from it.
  mutating func isDone(with cell: CellID) -> Bool {
    cells.contains(cell) && cells[cell].row == nil && cells[cell].removedRow == nil
  }

  /// The content of a cell at the render that is due.
  mutating func content(of cell: CellID) -> Snapshot {
    guard let row = cells[cell].row else { return .idle }
    var content = rows[row].snapshot(row)
    content.moment = cells[cell].moment
    return content
  }

  /// Whether a cell on screen shows the row.
  mutating func hasDisplay(_ row: RowID) -> Bool { rows.contains(row) && rows[row].displays > 0 }

  // MARK: Motion

  /// Whether a list moves.
  package mutating func isMoving(_ list: ListNumber) -> Bool { gate.isMoving(list) }

  // MARK: Loads

  package var runningLoads: Int { runs.running }

  var waitingLoads: Int { line.count }

  /// Whether a run waits for the app to make its operation.
  @inline(__always)
  mutating func isAdmitted(_ run: RunID, generation: UInt64) -> Bool {
    runs.contains(run) && runs[run].generation == generation && runs[run].stage == .admitted
  }

  /// The state of a run; `nil` if another one has its number.
  mutating func state(of run: RunID, generation: UInt64) -> RunState? {
    guard runs.contains(run), runs[run].generation == generation else { return nil }
    return runs[run]
  }

  /// Whether no operation is known.
  var isWithoutRuns: Bool { mutating get { runs.isEmpty } }

  mutating func state(of run: RunID) -> RunState? { runs.contains(run) ? runs[run] : nil }

  /// The strongest claim of a run's row.
  package mutating func claim(of run: RunID) -> ClaimKind { runs[run].claim }

  /// Sorts ended operations into the order of their commits: displayed rows come first.
  ///
  /// A batch comes after its rows.
  package mutating func sortedForCommit(_ ended: [RunID]) -> [RunID] {
    if settings.batchSize > 0 { return batchesSortedForCommit(ended) }
    var offScreen = 0
    for run in ended where !isDisplayed(run) { offScreen += 1 }
    guard offScreen > 0, offScreen < ended.count else { return ended }
    return ended.filter { isDisplayed($0) } + ended.filter { !isDisplayed($0) }
  }

  // Inlined, since each call would otherwise copy the engine (figure B13).
  @inline(__always) private func isDisplayed(_ run: RunID) -> Bool {
    runs.contains(run) && rows.contains(runs[run].row) && rows[runs[run].row].displays > 0
  }

  /// Whether a row failed and no attempt runs or waits for a slot.
  mutating func canRetry(_ row: RowID) -> Bool {
    switch rows[row].work {
    case .failed, .givenUp, .backoff: true
    case .none: rows[row].listening == .paused || rows[row].listening == .failed
    case .waiting, .running: false
    }
  }

  /// The progress of a row's load at the end of a turn.
  func progress(of row: RowID) -> RowProgress {
    guard rows[row].claim != nil else { return .over }
    switch rows[row].work {
    case .none: return streams[row]?.owedLoad.map { .running($0) } ?? .over
    case .backoff, .failed, .givenUp: return .over
    case .running(let run, _): return .running(runs[run].generation)
    case .waiting: return isSuspended ? .over : .waiting
    }
  }

  /// Whether nothing runs and nothing can start without an input.
  mutating func isIdle(at now: Int64) -> Bool {
    !needsTurn && effects.count == 0 && runs.isEmpty && !hasBackoffs
      && nextLoad(at: now) == nil
  }

  // MARK: Figures

  package var displayedRows: Int { blanks.displayedRows }

  /// The number of displayed rows without a value at the end of the last turn.
  package var blankRows: Int { blanks.rows }

  /// Whether a load has failed for lack of a network.
  var hasLackedNetwork: Bool { mutating get { failures.hasLackedNetwork } }

  /// The number of cancelled operations that have not ended.
  var lingeringRuns: Int { mutating get { runs.lingering } }

  /// The counts until a time.
  package func counts(at now: Int64) -> EngineCounts {
    var counts = counts
    counts.blankTime = blanks.time(until: now, isSuspended: isSuspended)
    return counts
  }
}
