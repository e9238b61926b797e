import Foundation

/// Everything of a tracker that changes: the engine, and the objects that its numbers stand for.
///
/// It is one value behind one property, so that a call checks for exclusive access once and not at
/// each field. Its members are mutating where they only read, too: a reading call from outside
/// would copy it. No code of the app's runs while it is being changed: objects that are no longer
/// needed wait in `garbage` for the loop to release them.
@MainActor
struct TrackerBooks {
  var engine: TrackerEngine
  var cells = CellTable()
  /// Operations that have not come to their end, by run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  var errors: [LoadID: any Error] = [:]
  var garbage = Garbage()

  /// Whether the app's code may be running, called from the loop or by `bind`.
  var isBusy = false
  var isTurnRequested = false
  var isTakingTurn = false
  /// Whether a run of the loop has left effects for the next turn.
  private var isUnfinished = false
  /// Whether a load that was admitted needed no operation.
  var hasFreedSlots = false

  /// Objects of the app that are to be released when nothing is being changed.
  struct Garbage {
    var renderers: ContiguousArray<CellTable.Renderer> = []
    var objects: ContiguousArray<AnyObject> = []
    var errors: ContiguousArray<any Error> = []

    var isEmpty: Bool { renderers.isEmpty && objects.isEmpty && errors.isEmpty }
  }

  /// What a call has to do when the books are closed again.
  struct Aftermath {
    var hasWork = false
    var needsTurn = false
  }

  init(_ settings: TrackerEngine.Settings) { engine = TrackerEngine(settings: settings) }

  /// Whether there is work for the loop and nobody runs it, and whether a turn has to be asked for.
  mutating func aftermath() -> Aftermath {
    guard !isBusy else { return Aftermath() }
    let needsTurn = askForTurn(ifNeeded: engine.needsTurn)
    // Garbage alone waits for the next turn if there is one: a row that scrolls past leaves some.
    // Each turn runs the loop, also for values that were overwritten.
    let isLast = !isTurnRequested
    let hasWork =
      engine.pendingEffects > 0 || hasFreedSlots || isTakingTurn
      || isLast && (engine.hasForgotten || !garbage.isEmpty)
    return Aftermath(hasWork: hasWork, needsTurn: needsTurn)
  }

  /// Notes that a turn is asked for, unless one is.
  ///
  /// The turn that is being taken asks when it is over.
  private mutating func askForTurn(ifNeeded isNeeded: Bool) -> Bool {
    guard isNeeded, !isTurnRequested, !isTakingTurn else { return false }
    isTurnRequested = true
    return true
  }

  // MARK: Turns

  /// - Returns: Whether another turn is being taken, from inside of which this one is.
  mutating func beginTurn(at now: Int64) -> Bool {
    defer { isTakingTurn = true }
    isTurnRequested = false
    for entry in cells.sweep() { forgetDead(entry, at: now) }
    return isTakingTurn
  }

  mutating func finishTurn(isNested: Bool) -> Aftermath {
    isTakingTurn = isNested
    var aftermath = aftermath()
    if cells.isSweepUnfinished || isUnfinished, askForTurn(ifNeeded: true) {
      aftermath.needsTurn = true
    }
    isUnfinished = false
    return aftermath
  }

  /// The next step of a run of the loop.
  mutating func next(_ loop: inout TrackerLoop) -> TrackerLoop.Step { loop.next(&engine) }

  mutating func beginRun() -> TrackerLoop {
    isBusy = true
    return TrackerLoop(pending: engine.pendingEffects)
  }

  mutating func endRun(isDone: Bool) -> Aftermath {
    isBusy = false
    let needsTurn = askForTurn(ifNeeded: !isDone || engine.needsTurn)
    if !isDone, !isTurnRequested { isUnfinished = true }
    return Aftermath(needsTurn: needsTurn)
  }

  // MARK: Cells

  /// The number of a cell, a new one if it is not known.
  mutating func id(of cell: AnyObject, at now: Int64) -> CellID {
    if let entry = cells.find(cell) {
      if entry.cell === cell { return entry.id }
      forgetDead(entry, at: now)
    }
    let id = engine.cellAppeared()
    cells.insert(cell, as: id)
    return id
  }

  mutating func forgetDead(_ entry: CellTable.Entry, at now: Int64) {
    cells.unlist(entry)
    engine.vanished(entry.id, at: now)
  }

  mutating func willDisplay(_ cell: AnyObject, at now: Int64) -> Aftermath {
    engine.willDisplay(id(of: cell, at: now), at: now)
    return aftermath()
  }

  /// Looks at the address alone: the cell may be deallocated at this moment.
  mutating func didEndDisplaying(_ cell: AnyObject, at now: Int64) -> Aftermath {
    guard let entry = cells.find(cell) else { return Aftermath() }
    engine.didEndDisplaying(entry.id, at: now)
    return aftermath()
  }

  mutating func apply(_ input: TrackerInput<RowID, AnyObject>, at now: Int64) -> Aftermath {
    switch input {
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell, at: now)
    case .unbind(let cell): if let entry = cells.find(cell) { engine.unbound(entry.id, at: now) }
    default:
      if let input = input.map(row: { $0 }, cell: { id(of: $0, at: now) }) {
        engine.apply(input, at: now)
      }
    }
    return aftermath()
  }

  // MARK: Binding

  mutating func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, renderer: @escaping CellTable.Renderer,
    at now: Int64
  ) -> TrackerCore.Binding {
    let id = id(of: cell, at: now)
    let hostID = host.map { self.id(of: $0, at: now) }
    let isSound = engine.bind(id, to: row, in: hostID, at: now)
    if let row {
      if let old = cells.setRenderer(renderer, of: id) { garbage.renderers.append(old) }
      let snapshot = engine.snapshot(of: row)
      return beginRender(id, snapshot, isHostSound: isSound)
    }
    // The cell may be rendered at this moment; then it is rendered as idle once more.
    if isBusy, let old = cells.setRenderer(renderer, of: id) { garbage.renderers.append(old) }
    return beginRender(id, .idle, isHostSound: isSound)
  }

  private mutating func beginRender(
    _ cell: CellID, _ snapshot: Snapshot, isHostSound: Bool
  ) -> TrackerCore.Binding {
    let wasBusy = isBusy
    isBusy = true
    return TrackerCore.Binding(
      cell: cell, serial: engine.cells[cell].serial, wasBusy: wasBusy, isHostSound: isHostSound,
      snapshot: snapshot, error: error(of: snapshot))
  }

  mutating func rendered(_ binding: TrackerCore.Binding) -> Aftermath {
    isBusy = binding.wasBusy
    return aftermath()
  }

  /// The app may have bound a cell anew while it was rendered.
  ///
  /// - Returns: What to render at once if it was unbound.
  mutating func checkBinding(of cell: CellID, _ serial: UInt64) -> Render? {
    guard engine.cells.contains(cell), engine.cells[cell].serial != serial else { return nil }
    if engine.cells[cell].row == nil { return render(of: cell, .idle) }
    engine.renderWasOvertaken(cell)
    return nil
  }

  // MARK: Renders

  /// What it takes to render a cell.
  struct Render {
    let cell: AnyObject
    let renderer: CellTable.Renderer
    let snapshot: Snapshot
    let error: (any Error)?
    let serial: UInt64
  }

  mutating func render(of cell: CellID) -> Render? {
    guard let row = engine.cells[cell].row else { return nil }
    return render(of: cell, engine.snapshot(of: row))
  }

  mutating func render(of cell: CellID, _ snapshot: Snapshot) -> Render? {
    guard let entry = cells[cell], let renderer = entry.renderer, let object = entry.cell else {
      return nil
    }
    return Render(
      cell: object, renderer: renderer, snapshot: snapshot, error: error(of: snapshot),
      serial: engine.cells[cell].serial)
  }

  mutating func dropRenderer(of cell: CellID) {
    guard engine.cells.contains(cell), engine.cells[cell].row == nil,
      let old = cells.setRenderer(nil, of: cell)
    else { return }
    garbage.renderers.append(old)
  }

  mutating func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.load] ?? CancellationError()
    case .timeOut: TrackerCore.timeOut
    }
  }

  // MARK: Runs

  /// A run whose operation is to be made, and whether the app's cache is looked into first.
  mutating func beginStart(
    _ run: RunID, looksUp: Bool
  ) -> (state: RunState, looksUp: Bool) {
    let state = engine.runs[run]
    return (state, looksUp && engine.wantsLookUp(state.load))
  }

  mutating func isAdmitted(_ run: RunID, _ generation: UInt64) -> Bool {
    engine.isAdmitted(run, generation)
  }

  /// The runs of operations that have ended, in the order in which they are committed.
  mutating func ended(_ arrived: [Inbox.End]) -> [RunID] {
    var ended: [RunID] = []
    ended.reserveCapacity(arrived.count)
    for end in arrived
    where engine.runs.contains(end.run) && engine.runs[end.run].generation == end.generation {
      ended.append(end.run)
    }
    return engine.inOrderOfCommits(ended)
  }

  mutating func ending(_ run: RunID) -> (operation: any TrackedUpdate, state: RunState)? {
    guard engine.runs.contains(run), let operation = operations[Int(run.index)] else { return nil }
    return (operation, engine.runs[run])
  }

  mutating func operation(of run: RunID) -> (any TrackedUpdate)? { operations[Int(run.index)] }

  mutating func nextDeadline() -> Int64? { engine.nextDeadline }

  // MARK: The end of things

  mutating func keepError(_ error: any Error, of load: LoadID) {
    if let old = errors.updateValue(error, forKey: load) { garbage.errors.append(old) }
  }

  mutating func dropError(of load: LoadID) {
    if let old = errors.removeValue(forKey: load) { garbage.errors.append(old) }
  }

  /// Forgets cells and operations.
  ///
  /// Rows and loads have names that somebody else holds.
  mutating func takeForgotten() -> TrackerEngine.Forgotten? {
    guard let forgotten = engine.takeForgotten() else { return nil }
    for cell in forgotten.cells { forget(cell) }
    for run in forgotten.runs { forget(run) }
    if engine.runs.count == 0 { operations.emptyForReuse() }
    return forgotten
  }

  private mutating func forget(_ cell: CellID) {
    if let entry = cells.remove(cell) { garbage.objects.append(entry) }
  }

  mutating func keep(_ operation: any TrackedUpdate, as run: RunID) {
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
  }

  private mutating func forget(_ run: RunID) {
    guard Int(run.index) < operations.count, let old = operations[Int(run.index)] else { return }
    operations[Int(run.index)] = nil
    garbage.objects.append(old)
  }

  /// Hands some of the garbage over, for the caller to release.
  mutating func takeGarbage() -> Garbage? {
    guard !garbage.isEmpty else { return nil }
    return Garbage(
      renderers: garbage.renderers.takeSome(), objects: garbage.objects.takeSome(),
      errors: garbage.errors.takeSome())
  }
}
