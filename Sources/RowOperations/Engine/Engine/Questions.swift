/// Questions of the shell, the proofs and explanations, which change nothing.
///
/// Those asked for each row are mutating, since a call that only reads would copy the engine
/// (figure B12).
extension TrackerEngine {
  // MARK: Content

  @inline(__always)
  mutating func snapshot(of row: RowID) -> Snapshot { rows[row].snapshot(row) }

  mutating func version(of row: RowID) -> PhaseVersion {
    PhaseVersion(snapshot: rows[row].snapshot(row), change: rows[row].change)
  }

  mutating func failure(of row: RowID) -> Snapshot.Failure {
    rows.contains(row) ? rows[row].failure : .none
  }

  func phase(of row: RowID) -> LoadPhase { rows[row].snapshot(row).phase }

  /// Whether the app's own cache may have a value that the tracker lacks.
  mutating func wantsLookUp(_ row: RowID) -> Bool {
    guard rows[row].knowledge == .unknown else { return false }
    guard let run = rows[row].run else { return true }
    return runs[run].stage == .admitted
  }

  // MARK: Cells

  @inline(__always)
  mutating func row(of cell: CellID) -> RowID? { cells[cell].row }

  /// Whether a binding is refused, since the cell's renders go on binding it.
  @inline(__always)
  func refuses(_ row: RowID?, in cell: CellID) -> Bool {
    cells[cell].isInCircle && row != cells[cell].row
  }

  /// The row that a cell shows or waits for.
  mutating func soughtRow(of cell: CellID) -> RowID? { cells[cell].row ?? cells[cell].removedRow }

  /// The content at the render that is due.
  mutating func content(of cell: CellID) -> Snapshot {
    guard let row = cells[cell].row else { return .idle }
    var content = rows[row].snapshot(row)
    content.moment = cells[cell].moment
    return content
  }

  mutating func hasDisplay(_ row: RowID) -> Bool { rows.contains(row) && rows[row].displays > 0 }

  // MARK: Motion

  mutating func isMoving(_ list: ListNumber) -> Bool { gate.isMoving(list) }

  // MARK: Loads

  var runningLoads: Int { runs.running }

  var waitingLoads: Int { line.count }

  /// Whether a run waits for the app to make its operation.
  @inline(__always)
  mutating func isAdmitted(_ run: RunID, generation: UInt64) -> Bool {
    runs.contains(run) && runs[run].generation == generation && runs[run].stage == .admitted
  }

  /// `nil` if another run has the number.
  mutating func state(of run: RunID, generation: UInt64) -> RunState? {
    guard runs.contains(run), runs[run].generation == generation else { return nil }
    return runs[run]
  }

  var isWithoutRuns: Bool { mutating get { runs.isEmpty } }

  mutating func state(of run: RunID) -> RunState? { runs.contains(run) ? runs[run] : nil }

  mutating func claim(of run: RunID) -> ClaimKind { runs[run].claim }

  /// Sorts ended operations for commits: displayed rows first, a batch after its rows.
  package mutating func sortedForCommit(_ ended: [RunID]) -> [RunID] {
    if settings.batchSize > 0 { return batchesSortedForCommit(ended) }
    var offScreen = 0
    for run in ended where !isDisplayed(run) { offScreen += 1 }
    guard offScreen > 0, offScreen < ended.count else { return ended }
    return ended.filter { isDisplayed($0) } + ended.filter { !isDisplayed($0) }
  }

  // Inlined, since a call would copy the engine (figure B13).
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
      && (isSuspended || !line.rows.contains { startsByItself($0, at: now) })
  }

  // MARK: Figures

  package var displayedRows: Int { blanks.displayedRows }

  package var blankRows: Int { blanks.rows }

  var hasLackedNetwork: Bool { mutating get { failures.hasLackedNetwork } }

  var lingeringRuns: Int { mutating get { runs.lingering } }

  func counts(at now: Int64) -> EngineCounts {
    var counts = counts
    counts.blankTime = blanks.time(until: now, isSuspended: isSuspended)
    return counts
  }
}
