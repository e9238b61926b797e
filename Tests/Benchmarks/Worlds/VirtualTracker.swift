import RowOperations
import RowOperationsTesting

/// The tracker's engine in virtual time, in the loop of the library, with a shell without values.
@MainActor
final class VirtualTracker: VirtualLoader {
  var engine: TrackerEngine
  private(set) var now: Int64 = 0
  var order: Range<Int>
  /// Where the search for the rows on screen begins.
  var lastPosition = 0
  private let slots: SlotTable
  private let loads: LoadModel
  private var cells: [Int: CellID] = [:]
  private(set) var rows: [Int: RowID] = [:]
  private var numbers: [RowID: Int] = [:]
  /// The running operations with their rows, and the end of each.
  private var running: [RunID: (rows: [Int], end: Int64?)] = [:]
  /// The operations that have ended since the last turn, with their rows in batches.
  private var ended: [RunID: TrackerEngine.Outcome] = [:]
  private var attempts: [Int: Int] = [:]
  private(set) var started = 0
  private(set) var requests = 0

  init(
    _ world: World, knowsOrder: Bool = true,
    _ change: (inout TrackerEngine.Settings) -> Void = { _ in }
  ) {
    var settings = TrackerEngine.Settings()
    settings.slots = world.slots
    change(&settings)
    engine = TrackerEngine(settings: settings)
    slots = SlotTable(count: world.slots)
    loads = world.loads
    order = 0..<(knowsOrder ? WorldTrial.rowCount : 0)
  }

  // MARK: Events

  func handle(_ event: ListEvent<Int>) {
    switch event {
    case .cellFor(let cell, let row):
      let (cell, row) = (id(of: cell), id(ofRow: row))
      engine.take(.bind(cell, to: row, in: nil, rendersLeaving: false), at: now)
      render(cell)
    case .willDisplay(let cell): take(.willDisplay(row: nil, cell: id(of: cell)))
    case .didEndDisplaying(let cell, _): take(.didEndDisplaying(row: nil, cell: id(of: cell)))
    case .unbind(let cell): take(.unbind(cell: id(of: cell)))
    case .prefetch(let rows):
      take(.prefetch(rows.prefix(engine.settings.prefetchWindow.limit).map { id(ofRow: $0) }))
    case .cancelPrefetch(let rows): take(.cancelPrefetch(rows.compactMap { self.rows[$0] }))
    case .scrollWillBegin: take(.scrollWillBegin)
    case .scrollDidMove: take(.scrollDidMove)
    case .scrollWillEnd(let rows):
      take(.scrollWillEnd(landingOn: rows.map { id(ofRow: $0) }))
    case .scrollDidSettle: take(.scrollDidSettle)
    case .didDisappear: take(.suspend)
    case .didAppear(let cells): take(.reconcile(cells: cells.map { id(of: $0) }))
    }
    follow(engine.followUp(hasDiscarded: false))
  }

  private func take(_ input: TrackerInput<RowID, CellID>) { engine.take(input, at: now) }

  private func id(of cell: SimulatedCell) -> CellID {
    if let known = cells[cell.number] { return known }
    let id = engine.addCell()
    cells[cell.number] = id
    return id
  }

  func id(ofRow row: Int) -> RowID {
    if let known = rows[row] { return known }
    let id = engine.addRow()
    (rows[row], numbers[id]) = (id, row)
    return id
  }

  func hasValue(_ row: Int) -> Bool { rows[row].map { engine.rows[$0].hasValue } ?? false }

  // MARK: Turns

  func endFrame() {
    takeTurn()
    for (run, load) in running {
      if isCancelled(run) {
        // The body of the load ends at a cancel.
        end(run, .failure(FailureCause(kind: 2)))
      } else if load.end == nil, ended[run] == nil {
        requests += 1
        running[run]?.end = now + time(of: load.rows)
      }
    }
  }

  private func takeTurn() {
    let isNested = engine.beginTurn()
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate:
        commit()
        followOrder()
        _ = engine.expectRows(at: now)
        engine.endTurn(at: now)
      case .admit: engine.admitAll(slots, at: now)
      case .performStarts, .performRenders: follow(engine.followUp(hasDiscarded: false))
      case .finish: engine.finishTurn()
      }
    }
    follow(engine.turnEnded(isNested: isNested, isContinued: false, hasDiscarded: false))
  }

  private func commit() {
    let outcomes = ended
    ended = [:]
    for run in engine.sortedForCommit(Array(outcomes.keys)) where engine.runs.contains(run) {
      let outcome = outcomes[engine.runs[run].isMember ? engine.load(of: run) : run]
      // The failure of a batch is that of its rows.
      if engine.runs[run].isMember, case .failure = outcome { continue }
      if let outcome { engine.take(.end(run, outcome), at: now) }
    }
  }

  private func follow(_ next: Turns.FollowUp) {
    guard next.hasWork else { return }
    var loop = engine.beginLoop()
    while true {
      switch engine.next(&loop) {
      case .perform(let effect): perform(effect)
      case .forget(let freed): forget(freed)
      case .admit: engine.admitAll(slots, at: now)
      case .release: return _ = engine.endLoop(isDone: true)
      case .pause: return _ = engine.endLoop(isDone: false)
      }
    }
  }

  private func perform(_ effect: TrackerEngine.Effect) {
    switch effect {
    case .render(let cell), .leave(let cell), .empty(let cell), .clear(let cell): render(cell)
    case .start(let run): start(run)
    case .committed: _ = engine.takeCommittedRows()
    default: break
    }
  }

  private func render(_ cell: CellID) {
    if let render = engine.beginRender(in: cell) { engine.endRender(render) }
  }

  private func forget(_ freed: TrackerEngine.FreedNumbers) {
    for row in freed.rows {
      if let number = numbers.removeValue(forKey: row) { rows[number] = nil }
    }
    for run in freed.runs { running[run] = nil }
    let gone = Set(freed.cells)
    if !gone.isEmpty { cells = cells.filter { !gone.contains($0.value) } }
  }

  // MARK: Loads

  private func start(_ run: RunID) {
    guard engine.take(.made(run, generation: engine.runs[run].generation), at: now) else {
      return engine.turns.slotFreed()
    }
    running[run] = (engine.rows(of: run).compactMap { numbers[$0] }, nil)
  }

  private func isCancelled(_ run: RunID) -> Bool {
    switch engine.runs[run].stage {
    case .cancelled, .timedOut: true
    case .admitted, .current, .ended: false
    }
  }

  private func end(_ run: RunID, _ outcome: TrackerEngine.Outcome) {
    running[run]?.end = nil
    ended[run] = outcome
  }

  /// The time of a request, whose first row takes as long as a single load.
  ///
  /// A batch takes another twentieth of a single load for each other row.
  private func time(of rows: [Int]) -> Int64 {
    started += rows.count
    return rows.enumerated().reduce(0) { time, row in
      let attempt = attempts[row.element, default: 0]
      attempts[row.element] = attempt + 1
      let own = loads.time(row: row.element, attempt: attempt)
      return time + (row.offset == 0 ? own : own / 20)
    }
  }

  private var firstEnd: Int64? { running.values.compactMap(\.end).min() }

  var nextMoment: Int64? {
    // A deadline may already be due; the engine sees it once time moves on.
    [firstEnd, engine.nextDeadline.map { max($0, now + 1000) }].compactMap(\.self).min()
  }

  func advance(to time: Int64) {
    guard time > now else { return }
    now = time
    let isDue = [firstEnd, engine.nextDeadline].compactMap(\.self).contains { $0 <= now }
    for (run, load) in running {
      if let due = load.end, due <= time { end(run, .value(cost: 1)) }
    }
    if isDue { endFrame() }
  }
}
