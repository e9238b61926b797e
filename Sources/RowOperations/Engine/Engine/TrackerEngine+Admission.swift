/// Rows that wait for a slot, and their admission.
extension TrackerEngine {
  // MARK: Waiting

  mutating func enterLine(_ row: RowID, _ claim: Claim, at now: Int64) {
    rows[row].work = .waiting
    line.insert(row, claim)
    guard settings.reportsEvents else { return }
    rows[row].isReportedWaiting = true
    report(.waiting(row), at: now)
  }

  mutating func leaveLine(_ row: RowID, at now: Int64) {
    line.remove(row)
    rest(row)
    reportLeftWaiting(row, at: now)
  }

  private mutating func reportLeftWaiting(_ row: RowID, at now: Int64) {
    guard rows[row].isReportedWaiting else { return }
    rows[row].isReportedWaiting = false
    report(.leftWaiting(row), at: now)
  }

  // MARK: The next row

  /// The row with the strongest claim that the scroll policy admits.
  ///
  /// Displayed rows that stay on screen for long go first, then landing rows, other displayed rows,
  /// and prefetched rows.
  ///
  /// O(1), and while the list moves O(waiting rows of the newest turn).
  ///
  /// - Parameter mayPrefetch: Whether a slot is left for prefetching.
  @inline(__always)
  package mutating func nextLoad(
    mayPrefetch: Bool, at now: Int64
  ) -> (row: RowID, kind: ClaimKind)? {
    guard !isSuspended else { return nil }
    let landing = line.first(in: .landing)
    let displayed = nextDisplayed()
    if landing != nil, let displayed, isStaying(displayed, at: now),
      admits(displayed, .staying, at: now)
    {
      return (displayed, .staying)
    }
    if let landing, admits(landing, .landing, at: now) { return (landing, .landing) }
    if let displayed, admits(displayed, .displayed, at: now) { return (displayed, .displayed) }
    guard mayPrefetch, let row = line.first(in: .prefetched), admits(row, .prefetched, at: now)
    else { return nil }
    return (row, .prefetched)
  }

  private mutating func isStaying(_ row: RowID, at now: Int64) -> Bool {
    gate.isStaying(
      displayedSince: rows[row].displayedAt, displayedRows: blanks.displayedRows, at: now)
  }

  /// Picks the displayed row to load next.
  ///
  /// While the list moves, rows of the newest turn have the most time left on screen. If the policy
  /// holds these back, it holds back the older ones as well.
  ///
  /// At rest the oldest go first.
  private mutating func nextDisplayed() -> RowID? {
    guard gate.isMoving, let last = line.last(in: .displayed) else {
      return line.first(in: .displayed)
    }
    var first = last
    while let row = line.previous(of: first), rows[row].displayPass == rows[last].displayPass {
      first = row
    }
    return first
  }

  @inline(__always)
  private mutating func admits(_ row: RowID, _ kind: ClaimKind, at now: Int64) -> Bool {
    // At rest every row starts. Calling the gate here would copy it (figure B12).
    !gate.isMoving
      || gate.admits(
        kind, displayedSince: rows[row].displayedAt, displayedRows: blanks.displayedRows, at: now)
  }

  /// The strength of a loading row's claim, in the order of admissions.
  ///
  /// - Returns: `nil` without a claim.
  package mutating func stageClaim(of row: RowID, at now: Int64) -> StageClaim? {
    guard let claim = rows[row].claim else { return nil }
    let isDisplayed = claim.kind == .displayed
    return StageClaim(
      kind: isDisplayed && isStaying(row, at: now) ? .staying : claim.kind,
      pass: isDisplayed && gate.isMoving ? .max - rows[row].displayPass : 0,
      rank: claim.rank)
  }

  /// All waiting rows, strongest claim first.
  ///
  /// O(waiting rows).
  package var waitingByPriority: [RowID] {
    var displayed = Array(line.rows(in: .displayed))
    if gate.isMoving {
      displayed.sort {
        let (a, b) = (rows[$0], rows[$1])
        return a.displayPass != b.displayPass
          ? a.displayPass > b.displayPass : a.displayRank < b.displayRank
      }
    }
    return Array(line.rows(in: .landing)) + displayed + Array(line.rows(in: .prefetched))
  }

  // MARK: Admission

  /// Gives the strongest waiting row a slot and requests its operation.
  package mutating func admitNext(mayPrefetch: Bool, at now: Int64) {
    guard let row = nextLoad(mayPrefetch: mayPrefetch, at: now)?.row else { return }
    admit(row, at: now)
  }

  package mutating func admit(_ row: RowID, at now: Int64) {
    guard rows[row].claim != nil else {
      // The app's code has ended the last claim during the turn.
      counts.cancelledWaiting += 1
      leaveLine(row, at: now)
      return setNeedsEvaluation(row)
    }
    line.remove(row)
    let run = runs.admit(row, generation: nextSerial(), at: now)
    rows[row].work = .running(run, .none)
    if rows[row].claim?.kind == .prefetched { rows[row].isUnseenPrefetch = true }
    updatePrefetchShare(of: row, run)
    counts.started += 1
    counts.peakRunning = max(counts.peakRunning, runs.running)
    updatePhase(of: row)
    effects.append(.start(run))
  }

  mutating func updatePrefetchShare(of row: RowID, _ run: RunID) {
    runs.setPrefetch(run, rows[row].claim?.kind == .prefetched)
  }

  /// Records that the app's closure has made the operation of a run.
  mutating func made(_ run: RunID, _ generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation: generation) else { return false }
    runs.made(run)
    // The start event ends the waiting.
    rows[runs[run].row].isReportedWaiting = false
    report(.started(run), at: now)
    return true
  }

  /// Records that the app has neither an operation nor a value for the row of a run.
  mutating func foundNothing(_ run: RunID, _ generation: UInt64, at now: Int64) -> Bool {
    guard isAdmitted(run, generation: generation) else { return false }
    let row = runs[run].row
    withdraw(run, at: now)
    rows[row].isUnseenPrefetch = false
    failures.forget(row)
    dropValue(of: row, at: now)
    dropError(of: row)
    rows[row].knowledge = .nothing
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    return true
  }

  /// Ends a run before its operation is made.
  mutating func withdraw(_ run: RunID, at now: Int64) {
    counts.started -= 1
    leaveSlot(runs[run].row, run)
    reportLeftWaiting(runs[run].row, at: now)
    runs.end(run)
  }

  // MARK: Slots

  /// Cancels a load so that its slot goes to a stronger claim.
  ///
  /// A prefetched row that yields is not prefetched again, since it would take the slot once more.
  ///
  /// O(running loads).
  ///
  /// - Returns: Whether a load yielded.
  package mutating func yieldSlot(_ yield: SlotTable.Yield, at now: Int64) -> Bool {
    guard let row = rowToYield(yield) else { return false }
    cancelRun(of: row, at: now)
    if yield != .unclaimed { rows[row].work = .setAside }
    evaluateAmidTurn(row, at: now)
    evictExcess(at: now)
    return true
  }

  private func rowToYield(_ yield: SlotTable.Yield) -> RowID? {
    let run: RunID? =
      switch yield {
      case .unclaimed: runs.first(in: .grace)
      case .hungPrefetch:
        runs.prefetches.filter { runs[$0].isHung }.min { runs[$0].startedAt < runs[$1].startedAt }
      case .weakestPrefetch:
        runs.prefetches.max {
          rows[runs[$0].row].prefetchRank < rows[runs[$1].row].prefetchRank
        }
      }
    return run.map { runs[$0].row }
  }

  /// Fills all free slots of a tracker that shares them with no other.
  ///
  /// - Returns: The bid that is left.
  @discardableResult
  package mutating func admitAll(_ slots: SlotTable, at now: Int64) -> SlotBid {
    while true {
      let bid = slotBid(at: now)
      switch slots.decide(bid) {
      case .start: admitNext(mayPrefetch: slots.ledger(bid).mayPrefetch, at: now)
      case .yield(_, let yield, _):
        guard yieldSlot(yield, at: now) else { return bid }
      case nil: return bid
      }
    }
  }

  /// The tracker's use of the slots and its strongest request.
  package mutating func slotBid(at now: Int64) -> SlotBid {
    SlotBid(
      running: runs.running, prefetching: runs.prefetching, lingering: runs.lingering,
      hasUnclaimed: runs.inGrace > 0, hasHungPrefetch: runs.hasHung,
      next: nextLoad(mayPrefetch: true, at: now)?.kind)
  }
}
