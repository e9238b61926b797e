import Foundation

/// The mutable state of a tracker: its engine, and the objects behind the engine's numbers.
///
/// It is one value behind one property, so that a call checks for exclusive access once and not at
/// each field. Reading members are mutating too, since a reading call from outside would copy the
/// value. No code of the app runs during a change: unneeded objects stay in `garbage` until the
/// loop releases them.
@MainActor
struct TrackerBooks {
  var engine: TrackerEngine
  var cells = CellTable()
  /// Unfinished operations, by run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  var errors: [RowID: any Error] = [:]
  var garbage = Garbage()
  var recorder: InputRecorder?
  /// Whether lists follow bindings.
  var hasBindHooks = false

  /// Whether code of the app may be running, called by the loop or by `bind`.
  var isBusy = false
  var isTurnRequested = false
  var isTakingTurn = false
  /// Whether a run of the loop has left effects for the next turn.
  private var isUnfinished = false
  /// Whether an admitted load needed no operation.
  var hasFreedSlots = false

  /// Objects of the app that are released outside of changes.
  struct Garbage {
    var renderers: ContiguousArray<CellTable.Renderer> = []
    var objects: ContiguousArray<AnyObject> = []
    var errors: ContiguousArray<any Error> = []

    var isEmpty: Bool { renderers.isEmpty && objects.isEmpty && errors.isEmpty }
  }

  /// The follow-up of a call, once its change is complete.
  struct Aftermath {
    var hasWork = false
    var needsTurn = false
    var isRecorded = false
  }

  init(_ settings: TrackerEngine.Settings) { engine = TrackerEngine(settings: settings) }

  /// Returns the follow-up: whether to run the loop, and whether to request a turn.
  mutating func aftermath() -> Aftermath {
    let isRecorded = recorder != nil
    guard !isBusy else { return Aftermath(isRecorded: isRecorded) }
    let needsTurn = !isTurnRequested && askForTurn(ifNeeded: engine.needsTurn)
    // Garbage alone waits for a requested turn, since each row that scrolls past leaves some. Each
    // turn runs the loop, also for values that were overwritten.
    let isLast = !isTurnRequested
    let hasWork =
      engine.pendingEffects > 0 || hasFreedSlots || isTakingTurn
      || isLast && (engine.hasForgotten || !garbage.isEmpty)
    return Aftermath(hasWork: hasWork, needsTurn: needsTurn, isRecorded: isRecorded)
  }

  /// Marks a turn as requested.
  ///
  /// A turn in progress requests the next one at its end.
  private mutating func askForTurn(ifNeeded isNeeded: Bool) -> Bool {
    guard isNeeded, !isTurnRequested, !isTakingTurn else { return false }
    isTurnRequested = true
    return true
  }

  // MARK: Turns

  /// - Returns: Whether the call comes from inside another turn.
  mutating func beginTurn(at now: Int64) -> Bool {
    defer { isTakingTurn = true }
    isTurnRequested = false
    for cell in cells.sweep() { forgetDead(cell, at: now) }
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

  /// The next step of the loop, with all that it needs, so that each step is one access.
  enum Step {
    case render(Render)
    /// Render a cell as idle, since the app unbound it during its render.
    case repair(Render)
    case start(RunID, RunState)
    case cancel((any TrackedUpdate)?)
    case dropValue(RowID)
    case dropStep(RowID)
    case rowCompleted(RowID)
    case committed([RowID])
    case report(TrackerEngine.Report)
    /// The step needed no call of the app.
    case done
    case forget(TrackerEngine.Forgotten)
    /// Slots became free.
    case admit
    case release(Garbage)
    case end
    case pause
  }

  /// - Parameter rendered: The render performed since the last step.
  mutating func next(_ loop: inout TrackerLoop, after rendered: Rendered?) -> Step {
    if let rendered, let render = repair(of: rendered) { return .repair(render) }
    switch loop.next(&engine) {
    case .perform(let effect): return step(effect)
    case .pause: return .pause
    case .refill: break
    }
    if let forgotten = takeForgotten() { return .forget(forgotten) }
    if hasFreedSlots {
      hasFreedSlots = false
      return .admit
    }
    if let garbage = takeGarbage() { return .release(garbage) }
    return .end
  }

  private mutating func step(_ effect: TrackerEngine.Effect) -> Step {
    switch effect {
    case .render(let cell): if let render = render(of: cell) { return .render(render) }
    case .leave(let cell):
      if let render = render(of: cell, isLeaving: true) { return .render(render) }
    case .clear(let cell):
      let render = render(of: cell, .idle)
      dropRenderer(of: cell)
      if let render { return .render(render) }
    case .start(let run): return .start(run, engine.runs[run])
    case .cancel(let run): return .cancel(operation(of: run))
    case .dropRenderer(let cell): dropRenderer(of: cell)
    case .dropValue(let row): return .dropValue(row)
    case .dropStep(let row): return .dropStep(row)
    case .dropError(let row): dropError(of: row)
    case .rowCompleted(let row): return .rowCompleted(row)
    case .committed: return .committed(engine.takeCommittedRows())
    case .report(let report): return .report(report)
    }
    return .done
  }

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

  mutating func addRow() -> (id: RowID, hasOrders: Bool) {
    (engine.rowAppeared(), engine.hasOrders)
  }

  // MARK: Cells

  /// Returns the number of a cell, and adds the cell if it is unknown.
  mutating func id(of cell: AnyObject, at now: Int64) -> CellID {
    if let known = cells.id(at: cell) {
      if cells.isAlive(known) { return known }
      forgetDead(known, at: now)
    }
    let id = engine.cellAppeared()
    cells.insert(cell, as: id)
    return id
  }

  private mutating func forgetDead(_ cell: CellID, at now: Int64) {
    cells.unlist(cell)
    engine.vanished(cell, at: now)
  }

  mutating func willDisplay(_ cell: AnyObject, at now: Int64) -> Aftermath {
    engine.willDisplay(id(of: cell, at: now), at: now)
    return aftermath()
  }

  /// Uses the address alone, since the cell may be in its `deinit`.
  mutating func didEndDisplaying(_ cell: AnyObject, at now: Int64) -> Aftermath {
    guard let id = cells.id(at: cell) else { return Aftermath(isRecorded: recorder != nil) }
    engine.didEndDisplaying(id, at: now)
    return aftermath()
  }

  mutating func apply(_ input: TrackerInput<RowID, AnyObject>, at now: Int64) -> Aftermath {
    switch input {
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell, at: now)
    case .unbind(let cell): if let id = cells.id(at: cell) { engine.unbound(id, at: now) }
    default:
      if let input = input.map(row: { $0 }, cell: { id(of: $0, at: now) }) {
        engine.apply(input, at: now)
      }
    }
    return aftermath()
  }

  // MARK: Binding

  mutating func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: @escaping CellTable.Renderer, at now: Int64
  ) -> TrackerCore.Binding {
    let id = id(of: cell, at: now)
    let hostID = host.map { self.id(of: $0, at: now) }
    let isSound = engine.bind(id, to: row, in: hostID, rendersLeaving: rendersLeaving, at: now)
    if let row {
      if let old = cells.setRenderer(renderer, of: id) { garbage.renderers.append(old) }
      let snapshot = engine.snapshot(of: row)
      return beginRender(id, snapshot, isHostSound: isSound)
    }
    // A render of the cell may be in progress; the loop then renders the cell as idle once more.
    if isBusy, let old = cells.setRenderer(renderer, of: id) { garbage.renderers.append(old) }
    return beginRender(id, .idle, isHostSound: isSound)
  }

  private mutating func beginRender(
    _ cell: CellID, _ snapshot: Snapshot, isHostSound: Bool
  ) -> TrackerCore.Binding {
    let wasBusy = isBusy
    isBusy = true
    return TrackerCore.Binding(
      rendered: Rendered(cell: cell, serial: engine.cells[cell].serial), wasBusy: wasBusy,
      isHostSound: isHostSound, isFollowed: hasBindHooks, snapshot: snapshot)
  }

  /// Records that the caller has rendered a cell that it bound.
  ///
  /// - Returns: `nil` if the app's code bound the cell anew meanwhile.
  mutating func rendered(_ binding: TrackerCore.Binding) -> Aftermath? {
    isCurrent(binding.rendered) ? endBinding(binding) : nil
  }

  mutating func endBinding(_ binding: TrackerCore.Binding) -> Aftermath {
    isBusy = binding.wasBusy
    return aftermath()
  }

  private mutating func isCurrent(_ rendered: Rendered) -> Bool {
    engine.cells.contains(rendered.cell)
      && engine.cells[rendered.cell].serial == rendered.serial
  }

  /// Repairs a cell that the app has bound anew during its render.
  ///
  /// - Returns: The idle render for an unbound cell.
  mutating func repair(of rendered: Rendered) -> Render? {
    guard !isCurrent(rendered), engine.cells.contains(rendered.cell) else { return nil }
    if engine.cells[rendered.cell].row == nil { return render(of: rendered.cell, .idle) }
    engine.renderWasOvertaken(rendered.cell)
    return nil
  }

  // MARK: Renders

  /// The arguments of a render.
  struct Render {
    let cell: AnyObject
    let renderer: CellTable.Renderer
    let snapshot: Snapshot
    let error: (any Error)?
    let rendered: Rendered
  }

  /// A rendered cell and the binding of the render.
  struct Rendered {
    let cell: CellID
    let serial: UInt64
  }

  private mutating func render(of cell: CellID, isLeaving: Bool = false) -> Render? {
    guard let row = engine.cells[cell].row else { return nil }
    var snapshot = engine.snapshot(of: row)
    snapshot.isLeaving = isLeaving
    return render(of: cell, snapshot)
  }

  private mutating func render(of cell: CellID, _ snapshot: Snapshot) -> Render? {
    guard let entry = cells[cell], let renderer = entry.renderer, let object = entry.cell else {
      return nil
    }
    return Render(
      cell: object, renderer: renderer, snapshot: snapshot, error: error(of: snapshot),
      rendered: Rendered(cell: cell, serial: engine.cells[cell].serial))
  }

  private mutating func dropRenderer(of cell: CellID) {
    guard engine.cells.contains(cell), engine.cells[cell].row == nil,
      let old = cells.setRenderer(nil, of: cell)
    else { return }
    garbage.renderers.append(old)
  }

  mutating func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.row] ?? CancellationError()
    case .timeOut: TrackerCore.timeOut
    }
  }

  // MARK: Runs

  mutating func wantsLookUp(_ row: RowID) -> Bool { engine.wantsLookUp(row) }

  mutating func isAdmitted(_ run: RunID, _ generation: UInt64) -> Bool {
    engine.isAdmitted(run, generation)
  }

  /// Stores the operation that the app made for a run.
  ///
  /// - Returns: Whether to start the operation.
  mutating func operationMade(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) -> Bool {
    guard engine.operationMade(run, generation: generation, at: now) else {
      garbage.objects.append(operation)
      hasFreedSlots = true
      return false
    }
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
    return true
  }

  /// The runs of ended operations, in the order of their commits.
  mutating func ended(_ arrived: [Inbox.Arrival]) -> [RunID] {
    var ended: [RunID] = []
    ended.reserveCapacity(arrived.count)
    for arrival in arrived where arrival.isEnd {
      if let run = run(arrival.id) { ended.append(run) }
    }
    return engine.sortedForCommit(ended)
  }

  /// The run, the operation and the load of an update with a new step.
  ///
  /// - Returns: `nil` if the load no longer waits for it.
  mutating func stepping(_ id: UpdateID) -> (RunID, any TrackedUpdate, RowID)? {
    guard let run = run(id), engine.runs[run].stage == .current, let operation = operation(of: run)
    else { return nil }
    return (run, operation, engine.runs[run].row)
  }

  mutating func stageClaim(of id: UpdateID, at now: Int64) -> StageClaim? {
    guard let (_, _, row) = stepping(id) else { return nil }
    return engine.stageClaim(of: row, at: now)
  }

  private mutating func run(_ id: UpdateID) -> RunID? {
    let run = RunID(index: id.index)
    return engine.runs.contains(run) && engine.runs[run].generation == id.generation ? run : nil
  }

  /// An operation with an end under commit.
  struct Ending {
    let operation: any TrackedUpdate
    let row: RowID
    let isCancelled: Bool
    /// Whether the load still waits for it.
    let isCurrent: Bool
    /// Whether the end is recorded as an input.
    let isRecorded: Bool
    let wasBusy: Bool
  }

  /// Begins the commit of an end, which calls the app's code.
  mutating func beginEnding(_ run: RunID) -> Ending? {
    guard engine.runs.contains(run), let operation = operations[Int(run.index)] else { return nil }
    let state = engine.runs[run]
    let isCancelled = state.stage == .cancelled
    let isRecorded = recorder != nil && (isCancelled || state.stage == .current)
    let wasBusy = isBusy
    isBusy = true
    return Ending(
      operation: operation, row: state.row, isCancelled: isCancelled,
      isCurrent: state.stage == .current, isRecorded: isRecorded, wasBusy: wasBusy)
  }

  mutating func finishEnding(_ ending: Ending, _ error: (any Error)?) {
    isBusy = ending.wasBusy
    if let error { keepError(error, of: ending.row) }
  }

  mutating func operation(of run: RunID) -> (any TrackedUpdate)? { operations[Int(run.index)] }

  mutating func nextDeadline() -> Int64? { engine.nextDeadline }

  // MARK: Releasing

  private mutating func keepError(_ error: any Error, of row: RowID) {
    if let old = errors.updateValue(error, forKey: row) { garbage.errors.append(old) }
  }

  private mutating func dropError(of row: RowID) {
    if let old = errors.removeValue(forKey: row) { garbage.errors.append(old) }
  }

  /// Forgets cells and operations.
  ///
  /// The names of forgotten rows are in the generic store, which forgets them itself.
  private mutating func takeForgotten() -> TrackerEngine.Forgotten? {
    guard let forgotten = engine.takeForgotten() else { return nil }
    for cell in forgotten.cells { forget(cell) }
    for run in forgotten.runs { forget(run) }
    if engine.runs.count == 0 { operations.releaseMemory() }
    return forgotten
  }

  private mutating func forget(_ cell: CellID) {
    if let entry = cells.remove(cell) { garbage.objects.append(entry) }
  }

  private mutating func forget(_ run: RunID) {
    guard Int(run.index) < operations.count, let old = operations[Int(run.index)] else { return }
    operations[Int(run.index)] = nil
    garbage.objects.append(old)
  }

  /// Takes some of the garbage, for the caller to release.
  private mutating func takeGarbage() -> Garbage? {
    guard !garbage.isEmpty else { return nil }
    var taken = Garbage()
    if !garbage.renderers.isEmpty { taken.renderers = garbage.renderers.takeSome() }
    if !garbage.objects.isEmpty { taken.objects = garbage.objects.takeSome() }
    if !garbage.errors.isEmpty { taken.errors = garbage.errors.takeSome() }
    return taken
  }
}
