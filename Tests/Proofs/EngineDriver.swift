import RowOperationsTesting

@testable import RowOperations

/// A tracker's engine in the shipped loop, with a shell without threads, closures and values.
///
/// The input is the steps of an ``EventScript``, which also end the loads. After each turn the
/// driver checks the invariants. Rows and cells have the numbers of the script.
package final class EngineDriver {
  /// An operation that was made and has not ended.
  package struct Run: Hashable, Sendable {
    package let row: Int
    package let generation: UInt64
  }

  /// A decision of the engine.
  package enum Decision: Hashable, Sendable {
    case start(row: Int)
    /// One operation loads these rows.
    case startBatch(rows: [Int])
    /// The operation of these rows is cancelled, some of which may have left it.
    case cancelBatch(rows: [Int], place: Int = 0)
    case timeOutBatch(rows: [Int])
    /// The place tells apart the loads that began under the same name.
    case cancel(row: Int, place: Int = 0)
    /// The timeout also cancelled the operation.
    case timeOut(row: Int)
    /// The value of the row is dropped.
    case evict(row: Int)
    /// The tracker prefetches the row, as it comes on screen soon.
    case expect(row: Int)
    /// The row listens to its stream.
    case open(row: Int)
    /// The stream of the row ends, by itself or by the tracker.
    case close(row: Int)
    /// The newest element of the row's stream is its value.
    case element(row: Int)

    var withoutPlace: Decision {
      switch self {
      case .cancel(let row, _): .cancel(row: row)
      case .cancelBatch(let rows, _): .cancelBatch(rows: rows)
      default: self
      }
    }
  }

  /// The news of a load's stream since the load took its first element.
  struct Leftover: Hashable, Sendable {
    var hasElement = false
    var end: Bool?
  }

  /// The source of a row's value.
  package enum Origin: Hashable, Sendable {
    case operation
    /// The app's cache has the value.
    case cache
    /// The row has nothing to load.
    case nowhere
  }

  /// The previews and progress of a load.
  package struct Step: Hashable, Sendable {
    package let generation: UInt64
    /// The number of the newest preview.
    package internal(set) var value: Int?
    /// The number of the newest progress.
    package internal(set) var progress: Int?
  }

  /// The content of a cell's last render.
  package struct Shown: Hashable, Sendable {
    package let row: Int
    package let phase: LoadPhase
    /// The generation of the shown value.
    package let value: UInt64?
    /// The preview and progress of the running load.
    package let step: Step?
  }

  package var engine: TrackerEngine
  package var slots: SlotTable
  package private(set) var now: Int64 = 0
  package var runs: [RunID: Run] = [:]
  /// The runs whose cancel was recorded.
  var cancelledRuns: Set<RunID> = []
  /// The claims of rows that their operations know.
  var claims: [RunID: ClaimKind] = [:]
  package var shown: [Int: Shown] = [:]
  package var violations: [Violation] = []
  /// All decisions since they were last taken, in order.
  package var decisions: [Decision] = []
  /// Steps that the app's code takes, one during each effect.
  package var nested: ArraySlice<EventScript.Step> = []
  /// The call that the app's code makes in each render of a cell with a row.
  package var callOfRender: (_ cell: Int, _ row: Int?) -> EventScript.Step? = { _, _ in nil }
  /// How often cells were rendered.
  package internal(set) var renders = 0
  /// Whether the driver follows hosts and windows, and checks the engine after each turn.
  package var audits = true
  /// Whether each commit renders all cells, off screen too: a fault that the checks must find.
  package var rendersOffScreen = false

  package let origin: @Sendable (Int) -> Origin
  /// Why the load of a row fails.
  package let cause: @Sendable (Int) -> FailureCause
  /// The lane of a row; 0 for none.
  package var lane: @Sendable (Int) -> Int = { _ in 0 }
  package internal(set) var rowIDs: [Int: RowID] = [:]
  var rowNumbers: [RowID: Int] = [:]
  package internal(set) var cellIDs: [Int: CellID] = [:]
  var cellNumbers: [CellID: Int] = [:]
  package var inbox: [(run: RunID, isValue: Bool)] = []
  /// The coming answers to batches, by their rows.
  package internal(set) var answers: [RunID: [RunID: Answer]] = [:]
  /// The previews and progress of running operations, and the operations with new ones.
  var posted: [RunID: Step] = [:]
  package internal(set) var stepped: Set<RunID> = []
  private var lastStep = 0
  /// The open streams, by row, and what the streams of loads have had.
  package internal(set) var streams: [Int: Stream] = [:]
  var leftovers: [RunID: Leftover] = [:]
  /// The preview and progress that each row shows.
  var steps: [RowID: Step] = [:]
  /// The value of each row, and the row of each value.
  var values: [RowID: UInt64] = [:]
  var rowsOfValues: [UInt64: Int] = [:]
  var localEdits: UInt64 = 0
  /// The rows of the list in order, whose positions on screen are found by displayed rows.
  var order: [Int] = []
  var isOtherOrder = false
  /// The lists that report their positions.
  var lists = ScriptedLists<Int>()
  package internal(set) var names = FormerNames()
  /// The last position of the list on screen.
  var lastPosition = 0
  /// The rows that each window held at the end of the last reading of its list.
  var rowsRead: [OrderWindow.Key: [Int: [Int]]] = [:]
  /// The windows when they last claimed rows.
  package internal(set) var claimingWindows: [NaiveWindow] = []
  /// Whether the last turn has left effects for the next one.
  package var isTurnRequested: Bool { engine.turns.isRequested }
  var hosts = HostModel()
  /// Those with a value that were covered when memory was low in this turn.
  var emptiedCells: Set<Int> = []
  /// Whether the app's code took a step in this turn, so that another turn must follow.
  var wasInterrupted = false
  /// Whether the last loop has left work to the next turn.
  var hasPaused = false
  /// The time of the next turn that no input requests, as of the last turn.
  package internal(set) var deadline: Int64?
  /// Whether anything but time has come since the last turn.
  var hasInputs = false

  /// - Parameters:
  ///   - addedEffects: The number of effects that the app's code may add to a loop.
  ///   - cause: Why the load of a row fails.
  ///   - origin: The source of a row's value.
  package init(
    settings: TrackerEngine.Settings = .init(), slots: Int, addedEffects: Int = 1_000,
    cause: @escaping @Sendable (Int) -> FailureCause = { _ in FailureCause(kind: 2) },
    origin: @escaping @Sendable (Int) -> Origin = { _ in .operation }
  ) {
    var settings = settings
    settings.slots = slots
    engine = TrackerEngine(settings: settings)
    engine.turns.addedEffects = addedEffects
    self.slots = SlotTable(count: slots, laneLimit: settings.laneLimit ?? .max)
    self.cause = cause
    self.origin = origin
  }

  /// A copy, so that a search can continue from any state.
  package init(copying other: EngineDriver) {
    (engine, slots, now, runs) = (other.engine, other.slots, other.now, other.runs)
    cancelledRuns = other.cancelledRuns
    (shown, violations, decisions) = (other.shown, other.violations, other.decisions)
    (cause, origin, lane) = (other.cause, other.origin, other.lane)
    (rowIDs, rowNumbers) = (other.rowIDs, other.rowNumbers)
    (cellIDs, cellNumbers) = (other.cellIDs, other.cellNumbers)
    (inbox, values, rowsOfValues) = (other.inbox, other.values, other.rowsOfValues)
    (localEdits, hosts, nested) = (other.localEdits, other.hosts, other.nested)
    (order, audits) = (other.order, other.audits)
    rendersOffScreen = other.rendersOffScreen
    (isOtherOrder, lists, lastPosition) = (other.isOtherOrder, other.lists, other.lastPosition)
    (deadline, hasInputs) = (other.deadline, other.hasInputs)
    (rowsRead, claimingWindows) = (other.rowsRead, other.claimingWindows)
    (posted, stepped, lastStep, steps) = (other.posted, other.stepped, other.lastStep, other.steps)
    (claims, answers) = (other.claims, other.answers)
    (streams, leftovers, hasPaused) = (other.streams, other.leftovers, other.hasPaused)
    (emptiedCells, names) = (other.emptiedCells, other.names)
    callOfRender = other.callOfRender
  }

  var ledger: SlotLedger { slots.ledger(engine.slotBid(at: now)) }

  package func phase(of row: Int) -> LoadPhase {
    rowIDs[row].map { engine.phase(of: $0) } ?? .waiting
  }

  private func hasValue(_ cell: CellID) -> Bool {
    engine.cells[cell].row.map { engine.rows[$0].hasValue } ?? false
  }

  /// The generation of the value that a row has.
  package func value(of row: Int) -> UInt64? {
    guard let id = rowIDs[row], engine.rows[id].hasValue else { return nil }
    return values[id]
  }

  // MARK: Steps

  /// Records that something has come since the last turn.
  func inputCame() { hasInputs = true }

  package func apply(_ step: EventScript.Step) {
    let step = step.named(names)
    if isRefused(step) { return }
    if audits {
      hosts.apply(step)
      if case .removeCachedValues = step {
        emptiedCells = Set(
          cellIDs.filter { hosts.isCovered($0.key) && hasValue($0.value) }.keys)
      }
    }
    switch step {
    case .time, .passEnd: break
    default: hasInputs = true
    }
    switch step {
    case .cellFor(let row, let cell): bind(cell, to: row)
    case .viewFor(let row, let view, let host): bind(view, to: row, in: host)
    case .show(let row): postStep(of: row) { $0.value = $1 }
    case .report(let row): postStep(of: row) { $0.progress = $1 }
    case .finish(let row): endLoad(of: row, withValue: true)
    case .fail(let row): endLoad(of: row, withValue: false)
    case .element(let row): streamStep(of: row, end: nil)
    case .endStream(let row): streamStep(of: row, end: true)
    case .failStream(let row): streamStep(of: row, end: false)
    case .miss(let row): miss(row)
    case .setValue(let row): setValue(of: row)
    case .prefetch(let rows): prefetch(rows)
    case .setOrder(let rows): setOrder(rows)
    case .listRows(let rows, let position, let list):
      lists.record(rows.map { [$0] }, at: position, list: list)
    case .itemRows(let rows, let position, let list):
      lists.record([rows], at: position, list: list)
    case .showPositions(let shown, let all, let section, let list):
      let (spans, isOther) = lists.show(shown, of: all, section: section, list: list)
      let rows = { [lists] position in lists.rows(at: position, list: list) }
      show(spans, of: list, isOtherData: isOther, rows)
      endReading(list, rows)
    case .didEndDisplaying(_, let cell):
      if let id = cellIDs[cell] { engine.take(.didEndDisplaying(row: nil, cell: id), at: now) }
    case .unbind(let cell):
      if let id = cellIDs[cell] { engine.take(.unbind(cell: id), at: now) }
      shown[cell] = nil
    case .deallocate(let cell): vanish(cell)
    case .rename(let old, let new): rename(old, to: new)
    case .passEnd: endTurn()
    case .time(let time): now += time.nanoseconds
    case .scrollWillEnd(let rows): land(.unnumbered, on: rows)
    case .listScrollWillEnd(let rows, let list): land(list, on: rows)
    default:
      let known = step.map(row: { rowIDs[$0] }, cell: { knownCell($0) })
      if let known { engine.take(known, at: now) }
    }
    run()
  }

  private func land(_ list: Int, on rows: [Int]) {
    engine.take(.listScrollWillEnd(landingOn: rows.map { intern($0) }, list: list), at: now)
  }

  private func prefetch(_ rows: [Int]) {
    engine.take(
      .prefetch(rows.prefix(engine.settings.prefetchWindow.limit).map { intern($0) }), at: now)
  }

  /// The oldest running operation of a row.
  func oldestRun(of row: Int) -> (key: RunID, value: Run)? {
    let pending = runs.filter { run in
      run.value.row == row && !inbox.contains { $0.run == run.key } && !isAnswered(run.key)
    }
    return pending.min { $0.value.generation < $1.value.generation }
  }

  private func endLoad(of row: Int, withValue isValue: Bool) {
    if let oldest = oldestRun(of: row) { end(oldest.key, withValue: isValue) }
  }

  /// The preview and progress of an operation so far.
  package func posted(by run: RunID) -> Step? { posted[run] }

  /// Posts a preview or progress of an operation, which counts in the next turn.
  private func postStep(of row: Int, _ take: (inout Step, Int) -> Void) {
    guard let (run, state) = oldestRun(of: row) else { return }
    guard engine.runs[run].role == .single else { return postStep(ofBatchWith: run, take) }
    lastStep += 1
    take(&posted[run, default: Step(generation: state.generation)], lastStep)
    stepped.insert(run)
  }

  /// The number of a new preview or progress.
  func nextStep() -> Int {
    lastStep += 1
    return lastStep
  }

  /// Ends an operation, which counts in the next turn.
  package func end(_ run: RunID, withValue isValue: Bool) {
    guard engine.runs[run].role == .single else {
      return answer(run, isValue ? .value : .failure)
    }
    guard runs[run] != nil, !inbox.contains(where: { $0.run == run }) else { return }
    inbox.append((run, isValue))
  }

  package func isCancelled(_ run: RunID) -> Bool {
    switch engine.runs[run].stage {
    case .cancelled, .timedOut: true
    case .admitted, .current, .ended: false
    }
  }
}
