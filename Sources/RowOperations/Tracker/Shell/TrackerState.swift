/// An engine, the cells, operations and values behind its numbers, and the objects to release.
///
/// One value, never copied, so that a call of the app checks for exclusive access once. No code of
/// the app runs during a change: unneeded objects stay in `discarded` until the loop releases them.
@MainActor
struct TrackerState: ~Copyable {
  var engine: TrackerEngine
  let clock: TrackerClock
  /// Of the turn in progress.
  var turnTime: Int64?
  var cells = CellTable()
  /// By run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  /// By row.
  var values: ContiguousArray<AnyValue?> = []
  /// The newest steps of loading rows.
  var steps: [RowID: UpdateStep] = [:]
  var errors: [RowID: any Error] = [:]
  var recorder: InputRecorder?
  /// Objects of the app that are released outside of changes.
  var discarded: ContiguousArray<Any> = []

  init(_ settings: TrackerEngine.Settings, clock: TrackerClock) {
    engine = TrackerEngine(settings: settings)
    self.clock = clock
  }

  var time: Int64 { mutating get { turnTime ?? clock.now() } }

  /// The time; 0 if events are not reported.
  private var eventTime: Int64 { mutating get { engine.settings.reportsEvents ? time : 0 } }

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

  mutating func knownID(of cell: AnyObject) -> CellID? {
    guard let id = cells.id(at: cell), cells.isAlive(id) else { return nil }
    return id
  }

  mutating func forgetDead(_ cell: CellID, at now: Int64) {
    cells.unlist(cell)
    engine.take(.deallocate(cell: cell), at: now)
  }

  mutating func willDisplay(_ cell: AnyObject) -> (next: Turns.FollowUp, isRecorded: Bool) {
    let now = eventTime
    engine.take(.willDisplay(row: nil, cell: id(of: cell, at: now)), at: now)
    return (followUp(), recorder != nil)
  }

  /// Uses the address alone, since the cell may be in its `deinit`.
  mutating func didEndDisplaying(_ cell: AnyObject) -> (next: Turns.FollowUp, isRecorded: Bool) {
    guard let id = cells.id(at: cell) else { return (Turns.FollowUp(), recorder != nil) }
    engine.take(.didEndDisplaying(row: nil, cell: id), at: eventTime)
    return (followUp(), recorder != nil)
  }

  mutating func followUp() -> Turns.FollowUp {
    engine.followUp(hasDiscarded: !discarded.isEmpty)
  }

  /// See ``DisplayTracker/wrongCells(at:inList:_:)``.
  mutating func wrongCells(
    at positions: [Int], inList list: ListNumber, _ view: (Int) -> ObjectIdentifier
  ) -> [(cell: Int, row: RowID?)] {
    var wrong: [(cell: Int, row: RowID?)] = []
    for cell in positions.indices where positions[cell] >= 0 {
      guard let id = cells.id(at: view(cell)), let row = engine.row(of: id) else { continue }
      // Last, since the check for a deallocated cell is slow.
      switch engine.check(row, at: positions[cell], in: list) {
      case .unknown, .right: continue
      case .elsewhere: if cells.isAlive(id) { wrong.append((cell, row)) }
      case .outside: if cells.isAlive(id) { wrong.append((cell, nil)) }
      }
    }
    return wrong
  }

  // MARK: Operations

  /// `nil` before it is made.
  func operation(of run: RunID) -> (any TrackedUpdate)? {
    Int(run.index) < operations.count ? operations[Int(run.index)] : nil
  }

  /// With the operation of its batch, if the run is one of a row in a batch.
  mutating func load(of run: RunID) -> (state: RunState, operation: any TrackedUpdate)? {
    guard let load = engine.state(of: run),
      let operation = operation(of: load.isMember ? engine.load(of: run) : run)
    else { return nil }
    return (load, operation)
  }

  /// The operation of an admitted run is made.
  ///
  /// - Returns: The run's claim; `nil` if it no longer waits for the operation.
  mutating func made(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) -> ClaimKind? {
    guard engine.take(.made(run, generation: generation), at: now) else {
      discarded.append(operation)
      engine.turns.slotFreed()
      return nil
    }
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
    return engine.claim(of: run)
  }

  // MARK: Effects

  /// What may call code of the app.
  enum Task {
    case render(Render)
    case perform(TrackerEngine.Effect)
    case forget([RowID])
    case admit
    case release(ContiguousArray<Any>)
    /// A later loop continues.
    case pause
    case end
  }

  /// Performs the effects that call no code of the app, up to the next one that may.
  mutating func next(_ loop: inout Turns.Loop) -> Task {
    while true {
      switch engine.next(&loop) {
      case .perform(let effect): if let task = perform(effect) { return task }
      case .forget(let freed):
        forget(freed)
        if !freed.rows.isEmpty { return .forget(freed.rows) }
      case .admit: return .admit
      case .release: return discarded.isEmpty ? .end : .release(discarded.takeSome())
      case .pause: return .pause
      }
    }
  }

  /// - Returns: `nil` if nothing is left to do.
  private mutating func perform(_ effect: TrackerEngine.Effect) -> Task? {
    switch effect {
    case .render(let cell), .leave(let cell), .empty(let cell):
      if let render = beginRender(of: cell) { return .render(render) }
    case .clear(let cell):
      let render = beginRender(of: cell)
      dropRenderer(of: cell)
      if let render { return .render(render) }
    case .dropRenderer(let cell, _): dropRenderer(of: cell)
    case .dropValue(let row): dropValue(of: row)
    case .dropStep(let row): dropStep(of: row)
    case .dropError(let row): dropError(of: row)
    case .start, .claim, .cancel, .openStream, .closeStream, .committed,
      .phaseChanged, .report:
      return .perform(effect)
    }
    return nil
  }

  /// The generic store forgets the names of rows itself.
  private mutating func forget(_ freed: TrackerEngine.FreedNumbers) {
    for cell in freed.cells {
      if let entry = cells.remove(cell) { discarded.append(entry) }
    }
    for run in freed.runs {
      guard let old = operation(of: run) else { continue }
      operations[Int(run.index)] = nil
      discarded.append(old)
    }
    if engine.isWithoutRuns { operations.releaseMemory() }
    if engine.rows.count == 0 { values.releaseMemory() }
  }

  // MARK: Values

  mutating func keep(_ value: AnyValue, of row: RowID) {
    values.extend(to: Int(row.index), with: nil)
    if let old = values[Int(row.index)] { discarded.append(old) }
    values[Int(row.index)] = value
  }

  mutating func moveValue(of gone: RowID, to kept: RowID) {
    guard let value = value(of: gone) else { return }
    keep(value, of: kept)
    values[Int(gone.index)] = nil
  }

  private mutating func dropValue(of row: RowID) {
    guard let old = value(of: row) else { return }
    discarded.append(old)
    values[Int(row.index)] = nil
  }

  // Mutating, since a call would copy the state (figure B11), as of the next.
  private mutating func value(of row: RowID) -> AnyValue? {
    Int(row.index) < values.count ? values[Int(row.index)] : nil
  }

  mutating func keep(_ step: UpdateStep, of row: RowID) {
    if let old = steps.updateValue(step, forKey: row) { discarded.append(old) }
  }

  private mutating func dropStep(of row: RowID) {
    if let old = steps.removeValue(forKey: row) { discarded.append(old) }
  }

  mutating func keep(_ error: any Error, of row: RowID) {
    if let old = errors.updateValue(error, forKey: row) { discarded.append(old) }
  }

  private mutating func dropError(of row: RowID) {
    if let old = errors.removeValue(forKey: row) { discarded.append(old) }
  }

  mutating func content(of snapshot: Snapshot) -> RowContent {
    var step: UpdateStep?
    if case .loading(hasStep: true) = snapshot.phase { step = steps[snapshot.row] }
    let value = snapshot.hasValue ? value(of: snapshot.row) : nil
    return RowContent(
      phase: snapshot.phase, moment: snapshot.moment, value: step?.value ?? value,
      progress: step?.progress, error: error(of: snapshot))
  }

  private mutating func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.row] ?? CancellationError()
    case .timeOut: TrackerCore.timeOut
    }
  }

  // MARK: Renders

  struct DueBinding: ~Copyable {
    let binding: TrackerEngine.Binding
    /// To render; `nil` for none.
    let content: RowContent?
    let isRecorded: Bool
  }

  mutating func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: CellTable.Renderer
  ) -> DueBinding {
    let now = eventTime
    let id = id(of: cell, at: now)
    var hostID: CellID?
    if let host { hostID = self.id(of: host, at: now) }
    let binding = engine.bindForRender(
      id, to: row, in: hostID, rendersLeaving: rendersLeaving, at: now)
    if binding.keepsRenderer { setRenderer(renderer, of: id) }
    var content: RowContent?
    if binding.isDue {
      content = self.content(of: binding.snapshot)
      content?.moment = .binding
    }
    return DueBinding(binding: binding, content: content, isRecorded: recorder != nil)
  }

  mutating func endBinding(_ binding: TrackerEngine.Binding) -> Turns.FollowUp {
    if let render = binding.render { engine.endRender(render) }
    return followUp()
  }

  private mutating func setRenderer(_ renderer: CellTable.Renderer?, of cell: CellID) {
    if let old = cells.setRenderer(renderer, of: cell) { discarded.append(old) }
  }

  private mutating func dropRenderer(of cell: CellID) {
    if engine.soughtRow(of: cell) == nil { setRenderer(nil, of: cell) }
  }

  struct Render {
    let cell: AnyObject
    let renderer: CellTable.Renderer
    let content: RowContent
    /// `nil` amid another render of the same binding.
    let rendered: TrackerEngine.Render?
  }

  /// - Returns: `nil` without a renderer, or if the cell is deallocated.
  private mutating func beginRender(of cell: CellID) -> Render? {
    guard let entry = cells[cell], let renderer = entry.renderer, let object = entry.cell else {
      return nil
    }
    let content = content(of: engine.content(of: cell))
    return Render(
      cell: object, renderer: renderer, content: content, rendered: engine.beginRender(in: cell))
  }
}
