import RowOperationsTesting

@testable import RowOperations

/// The rules of the tracker as a naive model, which computes everything again from all facts.
///
/// The model does not decide. It takes the engine's decisions in order and complains about each
/// broken rule: a decision without a reason, and a reason without a decision.
package struct NaiveTracker {
  package typealias Decision = EngineDriver.Decision

  /// An operation that loads a row, or the rows of a batch.
  struct Load {
    let order: Int
    /// The rows of the request.
    let rows: [Int]
    /// The rows that have not left for good.
    var members: [Int]
    /// The names with which renamed members began.
    var formerNames: [Int: Int] = [:]
    let pass: Int
    let startedAt: Int64
    /// Whether the app has made its operation.
    let isMade: Bool
    /// The end of the pass after which no row had a claim.
    var unclaimedSince: Int64?

    /// The name with which a member began.
    func name(of row: Int) -> Int { formerNames[row] ?? row }
  }

  /// The load of a row.
  struct Run {
    let order: Int
    let pass: Int
    let startedAt: Int64
    let isMade: Bool
    /// Whether the load was invalidated while it ran.
    var isOutdated = false
    /// Whether it has shown a preview or progress, and whether it has shown a preview.
    var hasStep = false
    var showsValue = false
  }

  struct Failure {
    let cause: FailureCause
    let time: Int64
    /// Whether it was the first one of a display.
    let isFirst: Bool
    /// Whether the load had other rows, so that it counts for none of them.
    var isShared = false
    /// The part of a failed batch with which the row loads again; 0 if there is none.
    var part = 0
  }

  /// The motion of a list that does not rest.
  struct Motion {
    var lastMove: Int64
    /// The rows that came on screen in each pass.
    var appearances: [(time: Int64, count: Int)] = []
    /// The rows on screen when the list rests.
    var landing: [Int] = []
  }

  let settings: TrackerEngine.Settings
  let slots: Int
  /// The failure cause of a row.
  let cause: (Int) -> FailureCause
  let startsPerSecond: Int?
  let lane: (Int) -> Int

  // State from inputs.
  var names = FormerNames()
  var cells = HostModel()
  /// The rows with cells on screen, and those with cells in covered lists.
  var displayedRows: Set<Int> = []
  var coveredRows: Set<Int> = []
  /// Announced rows, the oldest claim first.
  var prefetched: [Int] = []
  /// How soon each row comes on screen that windows claim.
  var expected: [Int: Int] = [:]
  /// Rows that were removed or dropped since their lists moved.
  var leftOut: Set<Int> = []
  /// The windows that have moved since they last claimed rows.
  var movedWindows: Set<OrderWindow.Key> = []
  /// The number of appeared rows at the last making or renewal of each announced claim.
  var prefetchedAfter: [Int: Int] = [:]
  /// The number of rows that have come on screen.
  var appearedCount = 0
  /// The lists that move.
  var motions: [Int: Motion] = [:]
  var isSuspended = false
  var now: Int64 = 0
  /// Rows in the order in which they came on screen in this pass.
  var appeared: [Int] = []

  // State at the end of the last pass.
  var pass = 1
  var displayedRowsBefore: Set<Int> = []
  /// Rows that were uncovered in this pass while no cell displayed them.
  var returning: Set<Int> = []
  /// The pass, the order and the time at which each displayed row came on screen.
  var displayOrder: [Int: (pass: Int, rank: Int, since: Int64)] = [:]
  /// The rows of each list by position, and the lists whose known rows have changed.
  var content: [Int: [Int: [Int]]] = [:]
  var changedLists: Set<Int> = []
  /// What each list, and each section that scrolls by itself, last reported.
  var reported: [OrderWindow.Key: Range<Int>] = [:]
  /// The windows of lists, in the order in which they came.
  var windows: [NaiveWindow] = []
  var landingRank: [Int: Int] = [:]
  var lastRank = 0

  // State from decisions and ends.
  var runs: [Int: Run] = [:]
  /// The rows that may take the slot of the load that has just yielded.
  var winners: [Int] = []
  /// The loads that are not cancelled.
  var loads: [Load] = []
  var startOrder: [(row: Int, order: Int)] = []
  /// The loads that were cancelled and have not ended.
  var lingering: [Int] = []
  var arrived: [(order: Int, isValue: Bool)] = []
  /// Operations with new previews or progress, and whether each has a preview.
  var shownByRun: [Int: Bool] = [:]
  /// The coming answers to batches.
  var answers: [Int: [Int: EngineDriver.Answer]] = [:]
  /// Whether each kept value is stale.
  var values: [Int: Bool] = [:]
  var failed: Set<Int> = []
  /// The failures of a row since its last value or requested retry.
  var failures: [Int: [Failure]] = [:]
  /// Rows for which the next failure is the first one of a display.
  var beginsAnew: Set<Int> = []
  /// The time at which the loads of the last heal begin.
  var lastHeal: Int64?
  /// Whether the list or the network came back in this pass, and the times of the last returns.
  var isBack = false
  var hasNetworkBack = false
  var lastResume: Int64?
  var lastNetwork: Int64?
  var backoffs: [Int: Int64] = [:]
  /// The pass in which a value lost its last claim, or was committed without a claim.
  var lastUse: [Int: Int] = [:]
  /// The pauses of lanes, each with the order of the load that probes; lane 0 stands for all.
  var pauses: [Int: (end: Int64, probe: Int?)] = [:]
  /// The loads that have started, and when.
  var starts: [(order: Int, time: Int64)] = []
  /// For each refusal of a row, whether the row was the probe.
  var refusals: [Int: [Bool]] = [:]
  /// The durations of the last loads.
  var loadTimes: [Double] = []
  /// The streams of live rows.
  var live = NaiveStreams()

  /// The time since which each blank row of the last pass is blank.
  var blank: [Int: Int64] = [:]
  /// The rows that have shown a value since their display began.
  var seenWithValue: Set<Int> = []
  package internal(set) var blankTime: Int64 = 0
  var blankTimeEnd: Int64 = 0
  /// The time that each load took on screen until its first value.
  package internal(set) var firstValueTimes: [Int64] = []

  package private(set) var complaints: [String] = []

  package init(
    settings: TrackerEngine.Settings, slots: Int, orderCount: Int? = nil,
    startsPerSecond: Int? = nil, lane: @escaping (Int) -> Int = { _ in 0 },
    cause: @escaping (Int) -> FailureCause
  ) {
    self.cause = cause
    self.startsPerSecond = startsPerSecond
    self.lane = lane
    for row in 0..<(orderCount ?? 0) { content[0, default: [:]][row] = [row] }
    self.settings = settings
    self.slots = slots
  }

  // MARK: Derived state

  var neverRetries: Bool {
    if case .never = settings.retry { true } else { false }
  }

  var isMoving: Bool { !motions.isEmpty }

  /// The rows where any list lands.
  var landing: Set<Int> { Set(motions.values.flatMap(\.landing)) }

  func isPrefetched(_ row: Int) -> Bool { prefetched.contains(row) || expected[row] != nil }

  /// Whether a claim may start the load of a row.
  func mayStart(_ row: Int) -> Bool {
    displayedRows.contains(row) || isPrefetched(row) || landing.contains(row)
  }

  /// Whether anything keeps the value and the running load of a row.
  func isClaimed(_ row: Int) -> Bool { mayStart(row) || coveredRows.contains(row) }

  func wantsLoad(_ row: Int) -> Bool {
    !failed.contains(row) && values[row] != false && runs[row] == nil && backoffs[row] == nil
      && !isOwed(row)
  }

  /// All rows with any state.
  var knownRows: Set<Int> {
    displayedRows.union(prefetched).union(expected.keys).union(landing).union(coveredRows)
      .union(runs.keys).union(values.keys).union(failed).union(failures.keys).union(backoffs.keys)
      .union(live.open.keys)
  }

  package func phase(of row: Int) -> LoadPhase {
    if let run = runs[row] { return .loading(hasStep: run.hasStep) }
    if backoffs[row] != nil { return .waiting }
    if failed.contains(row) {
      let isRetried = !isGivenUp(row) && !displayedRowsBefore.contains(row)
      return isRetried ? .waiting : .failed
    }
    if let phase = phaseOfStream(row) { return phase }
    return values[row] == false ? .loaded : .waiting
  }

  package mutating func complain(_ text: String) { complaints.append(text) }

  mutating func nextRank() -> Int {
    lastRank += 1
    return lastRank
  }
}
