/// The state machine of a ``DisplayTracker``: inputs go in, effects come out.
///
/// Cells, rows and operations are small numbers here. The engine holds no values, closures
/// or objects, and takes the time as an argument, in nanoseconds on one clock. Inputs only record
/// events; ``endTurn(at:)`` draws the conclusions, so that the order of inputs within a turn does
/// not matter. The shell performs the effects one by one and reports their outcomes.
@usableFromInline
package struct TrackerEngine: Sendable {
  package struct Settings: Sendable {
    package var scrollPolicy: ScrollPolicy = .adaptive
    package var grace: Int64 = 150_000_000
    package var quietTime: Int64 = 150_000_000
    package var timeout: Int64?
    package var prefetchLimit = 32
    /// The largest number of values to keep; `nil` for no limit.
    package var valueLimit: Int? = 200
    /// The largest total cost of the kept values; `nil` for no limit.
    package var costLimit: Int?
    package var failureLimit = 1000
    package var retry: RetryPolicy = .onNextDisplay
    /// The failure that a timeout counts as.
    package var timeOut = FailureCause(kind: 1, isConnectivity: true)
    /// The time over which the loads of a heal are spread, in nanoseconds.
    package var healSpread: Int64 = 1_000_000_000
    /// Whether stages have limits, so that loads may wait for them.
    package var limitsStages = false
    /// Whether the app observes events.
    package var reportsEvents = false
    /// Whether the app observes which rows a turn has rendered.
    package var reportsCommits = false
    /// The seed of the jitter in retry delays.
    package var seed: UInt64 = 0

    package init() {}
  }

  /// The lists of waiting and loading rows.
  package enum WorkList: Int8, CaseIterable {
    case landing
    /// In the order of their displays.
    case displayed
    case prefetched
    /// In the order of their starts.
    case running
    /// In the order of the ends of their grace.
    case grace

    init(_ kind: Priority.Kind) {
      switch kind {
      case .landing: self = .landing
      case .staying, .displayed: self = .displayed
      case .prefetched: self = .prefetched
      }
    }
  }

  /// The lists of unclaimed rows that keep a value or a failure, least recent first.
  package enum KeptList: Int8, CaseIterable {
    case values
    /// Prefetched values that have not been on screen.
    case unseen
    case failures
  }

  package enum RowList: Int8, CaseIterable {
    case prefetched
  }

  package internal(set) var settings: Settings
  var effects = EffectQueue()
  /// Unused cells, rows and runs, forgotten once no effect is pending.
  var unused = Forgotten()
  /// The last forgotten ones, kept so that their memory is used again.
  var lastForgotten = Forgotten()
  package internal(set) var metrics = TrackerMetrics()
  /// Whether a caller waits for rows to complete.
  package var reportsCompletedRows = false

  package internal(set) var cells = Slab<CellState>()
  package internal(set) var rows = Slab<RowState>()
  package var runs = Slab<RunState>()

  package internal(set) var gate: ScrollGate
  package internal(set) var isSuspended = false
  package internal(set) var work = LinkedLists<RowState, WorkList>()
  package internal(set) var kept = LinkedLists<RowState, KeptList>()
  package internal(set) var prefetchedRows = LinkedLists<RowState, RowList>()
  package internal(set) var orders: [OrderWindow] = []
  /// The number of prefetched values that fitted when one was last dropped unseen.
  package internal(set) var unseenRoom: Int?
  package internal(set) var landingRows: [RowID] = []
  package internal(set) var backoffs: [RowID] = []
  /// The failures of each row since its last value.
  package internal(set) var failures: [RowID: FailureSeries] = [:]
  /// The start of the loads of the last heal, which may lie in the future.
  package internal(set) var lastHeal: Int64?
  /// The heals that are due at the end of this turn.
  package internal(set) var pendingHeal = Heal()
  /// The times of the last resume of the list and of the last return of the network.
  package internal(set) var lastResume: Int64?
  package internal(set) var lastNetwork: Int64?
  /// Whether a load has failed for lack of a network.
  package internal(set) var hasLackedNetwork = false

  /// Rows whose display began since the last turn, in that order.
  package internal(set) var appearedRows: [RowID] = []
  /// Cells that have left the screen since the last turn, and are rendered for that.
  var leavingCells: [CellID] = []
  /// Rows to evaluate at the end of the turn.
  package internal(set) var rowsToEvaluate: [RowID] = []
  /// The rows under evaluation.
  ///
  /// Empty between turns; kept so that their memory is used again.
  var evaluatedRows: [RowID] = []
  /// Rows with cells to check for renders at the end of the turn.
  package internal(set) var changedRows: [RowID] = []
  /// Rows whose load ended with a value in this turn.
  var loadedRows: [RowID] = []
  /// Rows with rendered values, for the next `onCommit`.
  package internal(set) var committedRows: [RowID] = []

  package internal(set) var displayedRows = 0
  /// The number of displayed rows without a value at the end of the last turn.
  package internal(set) var blankRows = 0
  /// The blank time of all rows, each counted, until `blankTimeEnd`.
  var blankTime: Int64 = 0
  var blankTimeEnd: Int64 = 0
  package internal(set) var keptValues = 0
  var valueCost = 0
  package internal(set) var runningPrefetches = 0
  /// The number of cancelled operations that have not ended.
  package internal(set) var lingeringRuns = 0
  /// The end of the last turn.
  package internal(set) var lastTurn: Int64 = 0
  /// The number of the turn, which orders displayed rows.
  var pass: UInt64 = 1
  var lastRank: UInt64 = 0
  /// The row last inserted into the waiting prefetches.
  var lastInsertedPrefetch: RowID?
  /// The rank of the newest prefetch claim of a row without an order index; it goes down.
  var newestPrefetchRank = UInt64.firstOrderRank
  /// The newest prefetch claim from before this turn.
  package internal(set) var newestOldPrefetch: RowID?
  /// The number of rows that have appeared; it wraps around.
  package internal(set) var appearedCount: UInt32 = 0
  /// The source of generations and binding serials; it only grows.
  package var lastSerial: UInt64 = 0
  /// The last serial number when the last turn ended.
  package internal(set) var serialOfLastTurn: UInt64 = 0

  package init(settings: Settings = Settings()) {
    self.settings = settings
    gate = ScrollGate(policy: settings.scrollPolicy, quietTime: settings.quietTime)
  }

  // MARK: State for the shell

  package var runningLoads: Int { work.count(in: .running) + work.count(in: .grace) }

  package var waitingLoads: Int {
    work.count(in: .landing) + work.count(in: .displayed) + work.count(in: .prefetched)
  }

  /// Whether a turn has anything to evaluate or to render.
  package var needsTurn: Bool {
    !isUpToDate || !changedRows.isEmpty || !committedRows.isEmpty || !pendingHeal.isNone
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

  mutating func setNeedsEvaluation(_ row: RowID) {
    if rows[row].mark() { rowsToEvaluate.append(row) }
  }

  // MARK: Phases

  /// The content for a cell that is bound to the row.
  ///
  /// Inlined, since each call would otherwise copy the engine (figure B12).
  @inline(__always)
  package func snapshot(of row: RowID) -> Snapshot {
    rows[row].snapshot(row)
  }

  package func phase(of row: RowID) -> LoadPhase { snapshot(of: row).phase }

  /// Raises the change number of a row if its phase has changed.
  mutating func updatePhase(of row: RowID) {
    if rows[row].updatePhase() { raiseChangeNumber(of: row) }
  }

  /// Raises the change number of a row, since its cells have new content.
  mutating func raiseChangeNumber(of row: RowID) {
    rows[row].change &+= 1
    guard !rows[row].isChanged else { return }
    rows[row].isChanged = true
    changedRows.append(row)
  }
}

extension UInt64 {
  /// The rank of the next row to come on screen, among prefetched rows with an order index.
  static let firstOrderRank = UInt64.max / 2
}
