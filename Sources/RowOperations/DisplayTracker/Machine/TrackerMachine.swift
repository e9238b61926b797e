/// The bookkeeping of a ``DisplayTracker`` as a value: events go in, effects come out.
///
/// It knows rows, cells and loads by small numbers and holds no values, closures or objects; times
/// come from outside, in nanoseconds on one clock. Events only note what has happened. What follows
/// from it is decided when the pass ends (``passEnded(at:)``), so that the order of events within a
/// pass does not matter. The shell carries out the ``effects`` and feeds back how they ended.
@usableFromInline
package struct TrackerMachine {
  package struct Settings: Sendable {
    package var scrollPolicy: ScrollPolicy = .adaptive
    package var grace: Int64 = 150_000_000
    package var quietTime: Int64 = 150_000_000
    package var timeout: Int64?
    package var prefetchLimit = 32
    /// How many values may be kept; `nil` if their number does not matter.
    package var valueLimit: Int? = 200
    /// What the values may cost together; `nil` if that does not matter.
    package var costLimit: Int?
    package var failureLimit = 1000
    package var retry: RetryPolicy = .onNextDisplay
    /// Whether rows share loads; otherwise each row has one of its own.
    package var sharesLoads = false
    /// Whether the effects are to tell who waits.
    package var notesWaiting = false
    /// Where the chance in retry delays comes from.
    package var seed: UInt64 = 0

    package init() {}
  }

  /// What is to be done because of what has happened.
  @usableFromInline
  package struct Effects: Hashable, Sendable {
    /// Operations to cancel, by generation.
    @usableFromInline
    package internal(set) var cancelled: [UInt64] = []
    /// Loads that failed because their time ran out; their operations are among the cancelled ones.
    package internal(set) var timedOut: [TimeOut] = []
    /// Rows that began to wait, and rows that lost their last claim while they waited; noted if the
    /// settings ask for it.
    package internal(set) var enteredWaiting: [RowID] = []
    package internal(set) var leftWaiting: [RowID] = []
    /// Loads whose cells are to be rendered.
    @usableFromInline
    package internal(set) var changed: [LoadID] = []
    /// Loads whose values are no longer kept.
    @usableFromInline
    package internal(set) var evicted: [LoadID] = []
    package internal(set) var evictedRows: [RowID] = []
    /// Rows and loads that are no longer known; their numbers will be used again.
    @usableFromInline
    package internal(set) var forgottenRows: [RowID] = []
    @usableFromInline
    package internal(set) var forgottenLoads: [LoadID] = []

    package struct TimeOut: Hashable, Sendable {
      package let load: LoadID
      package let generation: UInt64
    }

    package init() {}

    /// Whether there is nothing to be done, as after most events.
    var isEmpty: Bool {
      cancelled.isEmpty && timedOut.isEmpty && enteredWaiting.isEmpty && leftWaiting.isEmpty
        && changed.isEmpty && evicted.isEmpty && evictedRows.isEmpty && forgottenRows.isEmpty
        && forgottenLoads.isEmpty
    }

    /// They are carried out.
    mutating func removeAll() {
      cancelled.emptyForReuse()
      timedOut.emptyForReuse()
      enteredWaiting.emptyForReuse()
      leftWaiting.emptyForReuse()
      changed.emptyForReuse()
      evicted.emptyForReuse()
      evictedRows.emptyForReuse()
      forgottenRows.emptyForReuse()
      forgottenLoads.emptyForReuse()
    }
  }

  /// The lists of loads that run.
  enum RunList {
    static let claimed = 0
    static let grace = 1
  }

  /// The lists of loads that nothing claims and of which something is kept.
  enum MemoryList {
    static let values = 0
    static let failures = 1
  }

  package let settings: Settings
  @usableFromInline
  package internal(set) var effects = Effects()
  package internal(set) var metrics = TrackerMetrics()

  package internal(set) var cells = Slab<CellState>()
  package internal(set) var rows = Slab<RowState>()
  package internal(set) var loads = Slab<LoadState>()

  package internal(set) var order = WaitingOrder()
  package internal(set) var gate: ScrollGate
  package internal(set) var isSuspended = false
  /// Running loads, those that nothing claims in the order in which their grace ends.
  var running = IDLists<LoadState>(lists: 2)
  /// Loads with values and with failures that nothing claims, least recent first.
  var memory = IDLists<LoadState>(lists: 2)
  /// Prefetched rows, oldest claim first.
  var prefetchedRows = IDLists<RowState>(lists: 1)
  var landingRows: [RowID] = []
  var backoffs: [LoadID] = []

  /// Rows that came to be displayed in this pass, in the order in which they did.
  var appearedRows: [RowID] = []
  /// Rows and loads to be judged when the pass ends.
  var touchedRows: [RowID] = []
  var touchedLoads: [LoadID] = []
  /// Those of the last pass: empty between two passes, and kept for their memory.
  var judgedRows: [RowID] = []
  var judgedLoads: [LoadID] = []

  package internal(set) var displayedRows = 0
  var valueCount = 0
  var valueCost = 0
  var prefetchesRunning = 0
  /// Which pass this is, for the order of displayed rows.
  var pass: UInt64 = 1
  var lastRank: UInt64 = 0
  /// Generations and binding serials come from here; it never goes back.
  var lastSerial: UInt64 = 0

  package init(settings: Settings = Settings()) {
    self.settings = settings
    gate = ScrollGate(policy: settings.scrollPolicy, quietTime: settings.quietTime)
  }

  // MARK: What others read

  package var runningLoads: Int {
    running.count(in: RunList.claimed) + running.count(in: RunList.grace)
  }

  /// Running loads that are only prefetched.
  package var runningPrefetches: Int { prefetchesRunning }

  package var waitingLoads: Int { order.count }

  package var keptValues: Int { valueCount }

  /// Whether something has happened that is to be judged.
  @usableFromInline
  package var isPassOpen: Bool { !touchedRows.isEmpty || !touchedLoads.isEmpty }

  @usableFromInline
  package func phase(of load: LoadID) -> LoadPhase { loads[load].phase }

  /// Whether there is something to carry out.
  @usableFromInline
  var hasEffects: Bool { !effects.isEmpty }

  /// The effects have been carried out; their memory is used again.
  @usableFromInline
  package mutating func effectsCarriedOut() { effects.removeAll() }

  mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  mutating func nextRank() -> UInt64 {
    lastRank += 1
    return lastRank
  }

  // MARK: Rows

  /// A row is mentioned for the first time.
  ///
  /// - Parameter load: The load that it shares with rows known already.
  @usableFromInline
  package mutating func rowAppeared(sharing load: LoadID? = nil) -> RowID {
    let load = load ?? loads.insert(LoadState())
    let row = rows.insert(RowState(load: load, next: loads[load].firstRow))
    if let next = loads[load].firstRow { rows[next].previous = row }
    if loads[load].rows > 0 { metrics.shared += 1 }
    loads[load].firstRow = row
    loads[load].rows += 1
    // Nothing may come of it; then it is forgotten when the pass ends.
    touch(row)
    return row
  }

  /// What loads the row.
  @usableFromInline
  package func load(of row: RowID) -> LoadID { rows[row].load }

  /// The row that a cell is bound to, if this is its binding still.
  @usableFromInline
  func row(of target: RenderTarget) -> RowID? {
    guard cells.contains(target.cell), cells[target.cell].serial == target.serial else {
      return nil
    }
    return cells[target.cell].row
  }

  /// The rows that share a load.
  ///
  /// O(1) a row.
  package func rows(of load: LoadID) -> some Sequence<RowID> {
    sequence(state: loads[load].firstRow) { [rows] next in
      guard let row = next else { return nil }
      next = rows[row].next
      return row
    }
  }

  /// The cells that are bound to a row of a load.
  ///
  /// O(1) a cell and row.
  package func cells(of load: LoadID) -> [CellID] {
    rows(of: load).flatMap { cells(boundTo: $0) }
  }

  func cells(boundTo row: RowID) -> some Sequence<CellID> {
    sequence(state: rows[row].firstCell) { [cells] next in
      guard let cell = next else { return nil }
      next = cells[cell].next
      return cell
    }
  }

  /// A cell to be rendered for a binding of its.
  @usableFromInline
  package struct RenderTarget: Hashable, Sendable {
    @usableFromInline package let cell: CellID
    @usableFromInline package let serial: UInt64
  }

  /// The cells that are bound to rows of these loads, each once, displayed ones first.
  ///
  /// O(1) a load, row and cell.
  @usableFromInline
  package mutating func renderTargets(of changed: [LoadID]) -> [RenderTarget] {
    var targets: [RenderTarget] = []
    targets.reserveCapacity(changed.count)
    for wantsDisplayed in [true, false] {
      for load in changed where loads.contains(load) {
        var row = loads[load].firstRow
        while let known = row {
          gather(cellsOf: known, ifDisplayed: wantsDisplayed, into: &targets)
          row = rows[known].next
        }
      }
    }
    for target in targets { cells[target.cell].isGathered = false }
    return targets
  }

  private mutating func gather(
    cellsOf row: RowID, ifDisplayed: Bool, into targets: inout [RenderTarget]
  ) {
    var cell = rows[row].firstCell
    while let known = cell {
      if cells[known].isDisplayed == ifDisplayed, !cells[known].isGathered {
        cells[known].isGathered = true
        targets.append(RenderTarget(cell: known, serial: cells[known].serial))
      }
      cell = cells[known].next
    }
  }

  /// Those of some loads that are known and bound.
  package func boundLoads(among committed: [LoadID]) -> [LoadID] {
    committed.filter { loads.contains($0) && isBound($0) }
  }

  /// The row in whose name a load runs: the one with the strongest claim.
  package func leader(of load: LoadID) -> RowID? {
    guard let first = loads[load].firstRow else { return nil }
    guard rows[first].next != nil else { return first }
    let all = rows(of: load)
    return all.first { rows[$0].displays > 0 } ?? all.first { rows[$0].isLanding }
      ?? all.first { rows[$0].isPrefetched } ?? first
  }

  mutating func touch(_ row: RowID) {
    guard !rows[row].isTouched else { return }
    rows[row].isTouched = true
    touchedRows.append(row)
  }

  mutating func touch(_ load: LoadID) {
    guard !loads[load].isTouched else { return }
    loads[load].isTouched = true
    touchedLoads.append(load)
  }
}

// MARK: What the shell asks and reports

extension TrackerMachine {
  package func isDisplayed(_ load: LoadID) -> Bool {
    loads.contains(load) && loads[load].displays > 0
  }

  package func isBound(_ load: LoadID) -> Bool { rows(of: load).contains { rows[$0].bindings > 0 } }

  package func boundRows(of load: LoadID) -> [RowID] {
    rows(of: load).filter { rows[$0].bindings > 0 }
  }

  /// Whether nothing more will come of it without a new claim or event.
  ///
  /// - Parameter mayPrefetch: Whether prefetching can ever get a slot.
  package func isSettled(_ load: LoadID, mayPrefetch: Bool) -> Bool {
    guard loads[load].work == .waiting, let place = loads[load].place else {
      return loads[load].work == .none || !loads[load].isClaimed
    }
    if case .prefetched = place, !mayPrefetch { return true }
    return isSuspended
  }

  /// Whether its load has come to an end, one way or the other.
  package func isOver(_ load: LoadID) -> Bool {
    guard loads[load].work == .none else { return false }
    return loads[load].hasFailed || loads[load].knowledge == .value
      || loads[load].knowledge == .nothing
  }

  func claim(of load: LoadID) -> SlotClaim {
    switch loads[load].place {
    case .landing: .landing
    case .displayed: .displayed
    case .prefetched, nil: .prefetched
    }
  }

  mutating func turnTaken() { metrics.turns += 1 }

  mutating func valuesApplied(_ count: Int) { metrics.applied += count }

  /// A cancelled operation brought a value all the same.
  package mutating func staleValueRefused() { metrics.refusedStale += 1 }

  /// A cancelled operation has come to its end.
  package mutating func cancelledLoadEnded(in stage: UpdateStage?) {
    metrics.cancelledRunning += 1
    if let stage { metrics.cancelledPerStage[stage, default: 0] += 1 }
  }

  /// Something became known of a load after the pass had ended.
  package mutating func judgeNow(_ load: LoadID, at now: Int64) {
    guard loads.contains(load) else { return }
    judge(load, at: now)
    trimMemory(at: now)
  }
}
