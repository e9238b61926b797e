/// The books of a ``DisplayTracker`` as a value: inputs go in, effects come out.
///
/// It knows cells, rows, loads and operations by small numbers. It holds no values, closures or
/// objects; times come from outside, in nanoseconds on one clock. Inputs only note what happened.
/// What follows is decided when the turn ends (``endTurn(at:)``), so that the order of inputs
/// within a turn does not matter. The shell performs the effects, one by one, and reports what came
/// of them.
@usableFromInline
package struct TrackerEngine: Sendable {
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
    /// What a load that ran out of time counts as.
    package var timeOut = FailureCause(kind: 1, isConnectivity: true)
    /// Over how long the loads of a heal are spread.
    package var healSpread: Int64 = 1_000_000_000
    /// Whether rows share loads; otherwise each row has one of its own.
    package var sharesLoads = false
    /// Whether loads may have to wait for stages.
    package var limitsStages = false
    /// Whether the app wants to know of events.
    package var reportsEvents = false
    /// Whether the app wants to know which rows a turn has rendered.
    package var reportsCommits = false
    /// Where the chance in retry delays comes from.
    package var seed: UInt64 = 0

    package init() {}
  }

  /// The lists of loads that wait for a slot, and of those that run.
  package enum WorkList: Int8, CaseIterable {
    case landing
    /// In the order in which they came on screen.
    case displayed
    case prefetched
    /// In the order in which they started.
    case running
    /// In the order in which their grace ends.
    case grace

    init(_ kind: Priority.Kind) {
      switch kind {
      case .landing: self = .landing
      case .staying, .displayed: self = .displayed
      case .prefetched: self = .prefetched
      }
    }
  }

  /// The lists of loads that no row claims and of which something is kept, least recent first.
  package enum KeptList: Int8, CaseIterable {
    case values
    /// Values that were prefetched and have not been on screen.
    case unseen
    /// Failures, and rows with nothing to load.
    case failures
  }

  package enum RowList: Int8, CaseIterable {
    /// The oldest claim first.
    case prefetched
  }

  package let settings: Settings
  var effects = EffectQueue()
  /// What came to be unused, and is forgotten when no effect is pending.
  var unused = Forgotten()
  /// What was forgotten last, kept for its memory.
  var lastForgotten = Forgotten()
  package internal(set) var metrics = TrackerMetrics()
  /// Whether something waits for the end of rows.
  package var reportsCompletedRows = false

  package internal(set) var cells = Slab<CellState>()
  package internal(set) var rows = Slab<RowState>()
  package internal(set) var loads = Slab<LoadState>()
  package var runs = Slab<RunState>()

  package internal(set) var gate: ScrollGate
  package internal(set) var isSuspended = false
  package internal(set) var work = LinkedLists<LoadState, WorkList>()
  package internal(set) var kept = LinkedLists<LoadState, KeptList>()
  package internal(set) var prefetchedRows = LinkedLists<RowState, RowList>()
  package internal(set) var orders: [OrderWindow] = []
  /// How many prefetched values could be kept when one of them was last dropped unseen.
  package internal(set) var unseenRoom: Int?
  package internal(set) var landingRows: [RowID] = []
  package internal(set) var backoffs: [LoadID] = []
  /// The failures of all loads that have failed and not had a value since.
  package internal(set) var failures: [LoadID: FailureSeries] = [:]
  /// When the loads of the last heal began, or are to begin.
  package internal(set) var lastHeal: Int64?
  /// What came back since the last turn.
  package internal(set) var pendingHeal = Heal()
  /// When the list and the network last came back.
  package internal(set) var lastResume: Int64?
  package internal(set) var lastNetwork: Int64?
  /// Whether a load has failed for want of a network.
  package internal(set) var hasLackedNetwork = false

  /// Rows that came to be displayed since the last turn, in the order in which they did.
  package internal(set) var appearedRows: [RowID] = []
  /// Rows and loads to be judged when the turn ends.
  package internal(set) var rowsToEvaluate: [RowID] = []
  package internal(set) var loadsToEvaluate: [LoadID] = []
  /// Those of the last turn: empty between two turns, and kept for their memory.
  var evaluatedRows: [RowID] = []
  var evaluatedLoads: [LoadID] = []
  /// Loads whose cells are to be looked at when the turn ends.
  package internal(set) var changedLoads: [LoadID] = []
  /// Loads whose values came in this turn.
  var committedLoads: [LoadID] = []
  /// Rows whose values were rendered and that `onCommit` is to name.
  package internal(set) var committedRows: [RowID] = []

  package internal(set) var displayedRows = 0
  /// How many rows of each load were displayed when the last turn ended, where rows share loads.
  var shownRows: [LoadID: Int] = [:]
  /// How many of them showed no value when the last turn ended.
  package internal(set) var blankRows = 0
  /// For how long rows were blank, each row counted, up to the end.
  var blankTime: Int64 = 0
  var blankTimeEnd: Int64 = 0
  package internal(set) var keptValues = 0
  var valueCost = 0
  package internal(set) var runningPrefetches = 0
  /// Cancelled operations that have not come to their end.
  package internal(set) var lingeringRuns = 0
  /// When the last turn ended.
  package internal(set) var lastTurn: Int64 = 0
  /// Which turn this is, for the order of displayed rows.
  var pass: UInt64 = 1
  var lastRank: UInt64 = 0
  /// The load that was last put among the prefetched ones that wait.
  var lastInsertedPrefetch: LoadID?
  /// The rank of the newest prefetch claim of a row without a place; goes down.
  var newestPrefetchRank = UInt64.firstOrderRank
  /// The newest prefetch claim that is older than this turn.
  package internal(set) var newestOldPrefetch: RowID?
  /// How many rows have come on screen; wraps.
  package internal(set) var appearedCount: UInt32 = 0
  /// Generations and binding serials come from here; it never goes back.
  package var lastSerial: UInt64 = 0

  package init(settings: Settings = Settings()) {
    self.settings = settings
    gate = ScrollGate(policy: settings.scrollPolicy, quietTime: settings.quietTime)
  }

  // MARK: What others read

  package var runningLoads: Int { work.count(in: .running) + work.count(in: .grace) }

  package var waitingLoads: Int {
    work.count(in: .landing) + work.count(in: .displayed) + work.count(in: .prefetched)
  }

  /// Whether something happened that a turn has to judge or to render.
  package var needsTurn: Bool {
    !isUpToDate || !changedLoads.isEmpty || !committedRows.isEmpty || !pendingHeal.isNone
  }

  /// Whether nothing has happened since the last turn that has to be judged.
  package var isUpToDate: Bool { rowsToEvaluate.isEmpty && loadsToEvaluate.isEmpty }

  mutating func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  mutating func nextRank() -> UInt64 {
    lastRank += 1
    return lastRank
  }

  mutating func setNeedsEvaluation(_ row: RowID) {
    guard !rows[row].needsEvaluation else { return }
    rows[row].needsEvaluation = true
    rowsToEvaluate.append(row)
  }

  mutating func setNeedsEvaluation(_ load: LoadID) {
    guard !loads[load].needsEvaluation else { return }
    loads[load].needsEvaluation = true
    loadsToEvaluate.append(load)
  }

  // MARK: Phases

  /// What a cell that is bound to the row has to show.
  ///
  /// Inlined, since each call would copy the engine (figure B12).
  @inline(__always)
  package func snapshot(of row: RowID) -> Snapshot {
    let load = rows[row].load
    return loads[load].snapshot(load, isDisplayed: rows[row].wasDisplayed)
  }

  /// What a cell would have to show if it was bound to a row that is not known and shares a load.
  package func snapshot(ofNewRowSharing load: LoadID) -> Snapshot {
    loads[load].snapshot(load, isDisplayed: false)
  }

  package func phase(of row: RowID) -> LoadPhase { snapshot(of: row).phase }

  /// Raises the change number of a load whose phase is another one now.
  mutating func updatePhase(of load: LoadID) {
    if loads[load].updatePhase() { raiseChangeNumber(of: load) }
  }

  /// Raises the change number of a load: its cells have something else to show.
  mutating func raiseChangeNumber(of load: LoadID) {
    loads[load].change &+= 1
    guard !loads[load].isChanged else { return }
    loads[load].isChanged = true
    changedLoads.append(load)
  }
}

extension UInt64 {
  /// The rank of the row that comes on screen next, among prefetched rows whose place in a list is
  /// known.
  static let firstOrderRank = UInt64.max / 2
}
