import Foundation

/// The engine of a tracker, its turns, and the cells and operations behind its numbers.
///
/// Rows and values are in `TrackerStore`. The state is one value behind one property, so that a
/// call checks for exclusive access once; no call copies it. Reading members are mutating where the
/// engine's are. No code of the app runs during a change: unneeded objects stay in `discarded`
/// until the loop releases them.
@MainActor
struct TrackerState: ~Copyable {
  var engine: TrackerEngine
  var cells = CellTable()
  /// By run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  /// Those of a loop that start together.
  var starting: [AsyncOperation] = []
  var errors: [RowID: any Error] = [:]
  /// Rows whose errors have the body of a response.
  private(set) var bodies: Set<RowID> = []
  /// By row.
  var streams: ContiguousArray<OpenStream?> = []
  /// Cancelled operations by the stage that they stopped in.
  var cancelledPerStage: [UpdateStage: Int] = [:]
  var discarded = Discarded()
  var recorder: InputRecorder?
  var hasBindHooks = false

  var turns = Turns()

  struct OpenStream {
    let serial: UInt32
    let stream: LiveStream
  }

  /// Objects of the app that are released outside of changes.
  struct Discarded {
    var renderers: ContiguousArray<CellTable.Renderer> = []
    var objects: ContiguousArray<AnyObject> = []
    var errors: ContiguousArray<any Error> = []

    var isEmpty: Bool { renderers.isEmpty && objects.isEmpty && errors.isEmpty }
  }

  struct CallFollowUp {
    var next = Turns.FollowUp()
    var isRecorded = false
    /// The cell's renders have bound it too often.
    var isRefused = false
  }

  init(_ settings: TrackerEngine.Settings) { engine = TrackerEngine(settings: settings) }

  mutating func followUp() -> CallFollowUp {
    CallFollowUp(
      next: turns.followUp(hasDiscarded: !discarded.isEmpty, &engine), isRecorded: recorder != nil)
  }

  // MARK: Turns

  /// - Parameter dead: Cells found deallocated.
  /// - Returns: Whether the call comes from inside another turn.
  mutating func beginTurn(
    without dead: [(id: CellID, entry: CellTable.Entry)], at now: Int64
  ) -> Bool {
    if !dead.isEmpty { cells.checkAll() }
    // A deinit during the checks may have changed the table.
    for (id, entry) in dead where cells[id] === entry { forgetDead(id, at: now) }
    return turns.begin()
  }

  mutating func endTurn(isNested: Bool) -> Turns.FollowUp {
    turns.end(
      isNested: isNested, isContinued: cells.isSweepUnfinished, hasDiscarded: !discarded.isEmpty,
      &engine)
  }

  /// The next step of the loop with all that it needs, so that each is one access.
  enum Step {
    case render(Render)
    case start(RunID, RunState)
    /// The operations that the last steps have made.
    case startTogether([AsyncOperation])
    case claim((any TrackedUpdate)?, ClaimKind)
    case cancel((any TrackedUpdate)?)
    /// The row's load may have opened the stream.
    case openStream(StreamID, LiveStream?)
    case closeStream(LiveStream?)
    case dropValue(RowID)
    case dropStep(RowID)
    case committed([RowID])
    case report(TrackerEngine.Report)
    case done
    case forget(TrackerEngine.FreedNumbers)
    case admit
    case release(Discarded)
    case end
    case pause
  }

  mutating func beginLoop() -> Turns.Loop { turns.beginLoop(&engine) }

  /// - Parameter rendered: The render performed since the last step.
  mutating func next(_ loop: inout Turns.Loop, after rendered: TrackerEngine.Render?) -> Step {
    if let rendered { engine.endRender(rendered) }
    if !starting.isEmpty, loop.isSpent || !engine.startsNext {
      return .startTogether(takeStarting())
    }
    switch turns.next(&loop, &engine) {
    case .perform(let effect): return step(effect)
    case .forget(let freed):
      forget(freed)
      return .forget(freed)
    case .admit: return .admit
    case .release:
      guard let discarded = takeDiscarded() else { return .end }
      return .release(discarded)
    case .pause: return .pause
    }
  }

  /// - Returns: Whether to post a turn.
  mutating func endLoop(isDone: Bool) -> Bool { turns.endLoop(isDone: isDone, &engine) }

  private mutating func step(_ effect: TrackerEngine.Effect) -> Step {
    switch effect {
    case .render(let cell), .leave(let cell):
      if let render = render(of: cell) { return .render(render) }
    case .clear(let cell):
      let render = render(of: cell)
      dropRenderer(of: cell)
      if let render { return .render(render) }
    case .start(let run): if let load = engine.state(of: run) { return .start(run, load) }
    case .claim(let run): return .claim(operation(of: run), engine.claim(of: run))
    case .cancel(let run): return .cancel(operation(of: run))
    case .openStream(let stream): return .openStream(stream, openedStream(of: stream.row))
    case .closeStream(let stream): return .closeStream(takeStream(stream))
    case .dropRenderer(let cell, _): dropRenderer(of: cell)
    case .dropValue(let row): return .dropValue(row)
    case .dropStep(let row): return .dropStep(row)
    case .dropError(let row): dropError(of: row)
    case .committed: return .committed(engine.takeCommittedRows())
    case .report(let report): return .report(report)
    }
    return .done
  }

  // MARK: Cells

  /// Adds an unknown cell.
  mutating func id(of cell: AnyObject, at now: Int64) -> CellID {
    if let known = cells.id(at: cell) {
      if cells.isAlive(known) { return known }
      forgetDead(known, at: now)
    }
    let id = engine.addCell()
    cells.insert(cell, as: id)
    return id
  }

  mutating func row(of cell: AnyObject) -> RowID? {
    guard let id = cells.id(at: cell), cells.isAlive(id) else { return nil }
    return engine.row(of: id)
  }

  mutating func soughtRow(of cell: AnyObject) -> RowID? {
    guard let id = cells.id(at: cell), cells.isAlive(id) else { return nil }
    return engine.soughtRow(of: id)
  }

  /// The views that show a row on screen.
  func displayedViews(of row: RowID) -> [AnyObject] {
    var views: [AnyObject] = []
    var cell = engine.rows[row].firstCell
    while let bound = cell {
      if engine.cells[bound].isDisplayed, let view = cells[bound]?.cell { views.append(view) }
      cell = engine.cells[bound].next
    }
    return views
  }

  private mutating func forgetDead(_ cell: CellID, at now: Int64) {
    cells.unlist(cell)
    engine.take(.vanish(cell), at: now)
  }

  mutating func willDisplay(_ cell: AnyObject, at now: Int64) -> CallFollowUp {
    engine.take(.willDisplay(id(of: cell, at: now)), at: now)
    return followUp()
  }

  /// Uses the address alone, since the cell may be in its `deinit`.
  mutating func didEndDisplaying(_ cell: AnyObject, at now: Int64) -> CallFollowUp {
    guard let id = cells.id(at: cell) else { return CallFollowUp(isRecorded: recorder != nil) }
    engine.take(.didEndDisplaying(id), at: now)
    return followUp()
  }

  mutating func apply(_ input: TrackerInput<RowID, AnyObject>, at now: Int64) -> CallFollowUp {
    switch input {
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell, at: now)
    case .unbind(let cell):
      guard let id = cells.id(at: cell) else { break }
      let isRefused = engine.refuses(nil, in: id)
      engine.take(.unbind(id), at: now)
      var followUp = followUp()
      followUp.isRefused = isRefused
      return followUp
    default:
      let known = input.map(row: { $0 }, cell: { id(of: $0, at: now) })
      if let input = known.flatMap(TrackerEngine.Input.init) { engine.take(input, at: now) }
    }
    return followUp()
  }

  // MARK: Binding

  mutating func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: CellTable.Renderer, at now: Int64
  ) -> TrackerCore.Binding {
    let id = id(of: cell, at: now)
    var hostID: CellID?
    if let host { hostID = self.id(of: host, at: now) }
    let isRefused = engine.refuses(row, in: id)
    let isSound = engine.take(
      .bind(id, to: row, in: hostID, rendersLeaving: rendersLeaving), at: now)
    // A render of the cell may be in progress; the loop then renders it as idle once more.
    if !isRefused, row != nil || turns.isBusy, let old = cells.setRenderer(renderer, of: id) {
      discarded.renderers.append(old)
    }
    turns.callBegan()
    var snapshot = Snapshot.idle
    if let row { snapshot = engine.snapshot(of: row) }
    return TrackerCore.Binding(
      render: isRefused ? nil : engine.beginRender(in: id), isRefused: isRefused,
      isHostSound: isSound, isFollowed: hasBindHooks, snapshot: snapshot)
  }

  mutating func endBinding(_ binding: TrackerCore.Binding) {
    turns.callEnded()
    if let render = binding.render { engine.endRender(render) }
  }

  // MARK: Renders

  struct Render {
    let cell: AnyObject
    let renderer: CellTable.Renderer
    let snapshot: Snapshot
    let error: (any Error)?
    let rendered: TrackerEngine.Render?
  }

  private mutating func render(of cell: CellID) -> Render? {
    guard let entry = cells[cell], let renderer = entry.renderer, let object = entry.cell else {
      return nil
    }
    let snapshot = engine.content(of: cell)
    return Render(
      cell: object, renderer: renderer, snapshot: snapshot, error: error(of: snapshot),
      rendered: engine.beginRender(in: cell))
  }

  private mutating func dropRenderer(of cell: CellID) {
    guard engine.isDone(with: cell), let old = cells.setRenderer(nil, of: cell) else { return }
    discarded.renderers.append(old)
  }

  mutating func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.row] ?? CancellationError()
    case .timeOut: TrackerCore.timeOut
    }
  }

  mutating func nextDeadline() -> Int64? { engine.nextDeadline }

  // MARK: Releasing

  mutating func keepError(_ error: any Error, of row: RowID) {
    if let error = error as? HTTPStatusError, !error.body.isEmpty { bodies.insert(row) }
    if let old = errors.updateValue(error, forKey: row) { discarded.errors.append(old) }
  }

  /// Drops the bodies of responses from the errors of rows off screen.
  mutating func dropBodies() {
    for row in bodies where !engine.hasDisplay(row) {
      bodies.remove(row)
      guard var error = errors[row] as? HTTPStatusError else { continue }
      error.body = Data()
      keepError(error, of: row)
    }
  }

  private mutating func dropError(of row: RowID) {
    if let old = errors.removeValue(forKey: row) { discarded.errors.append(old) }
  }

  /// The generic store forgets the names of rows itself.
  private mutating func forget(_ freed: TrackerEngine.FreedNumbers) {
    for cell in freed.cells { forget(cell) }
    for run in freed.runs { forget(run) }
    if engine.isWithoutRuns { operations.releaseMemory() }
  }

  private mutating func forget(_ cell: CellID) {
    if let entry = cells.remove(cell) { discarded.objects.append(entry) }
  }

  private mutating func forget(_ run: RunID) {
    guard Int(run.index) < operations.count, let old = operations[Int(run.index)] else { return }
    operations[Int(run.index)] = nil
    discarded.objects.append(old)
  }

  /// Takes some of the discarded objects, for the caller to release.
  private mutating func takeDiscarded() -> Discarded? {
    guard !discarded.isEmpty else { return nil }
    var taken = Discarded()
    if !discarded.renderers.isEmpty { taken.renderers = discarded.renderers.takeSome() }
    if !discarded.objects.isEmpty { taken.objects = discarded.objects.takeSome() }
    if !discarded.errors.isEmpty { taken.errors = discarded.errors.takeSome() }
    return taken
  }
}
