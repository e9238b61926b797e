import Foundation

/// The shell of an engine: maps objects to numbers, and performs effects.
///
/// Nothing in here depends on the types of rows and values.
@MainActor
@usableFromInline
package final class TrackerCore {
  var engine: TrackerEngine
  var cells = CellTable()
  let leaves: TrackerLeaves
  let slots: UpdateSlots
  let clock: TrackerClock
  let queue = OperationQueue()
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
  @usableFromInline let sharesLoads: Bool
  let reportsEvents: Bool

  /// Operations that have not come to their end, by run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  var errors: [LoadID: any Error] = [:]
  /// The app's objects that are to be released when no engine is being changed.
  var garbage: [Any] = []
  @usableFromInline var recorder: InputRecorder?

  /// Whether the app's code may be running, called from here.
  @usableFromInline var isBusy = false
  @usableFromInline var isTurnRequested = false
  var turnItem: DispatchWorkItem?
  var hasFreedSlots = false
  /// The time of the turn that is being taken, and of the last one.
  var turnTime: Int64?
  package internal(set) var lastTurnTime: Int64 = 0
  var timer: (deadline: Int64, task: Task<Void, Never>)?
  var waiters: [UInt64: Waiter] = [:]
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init(_ options: TrackerOptions, leaves: TrackerLeaves) {
    let settings = options.settings
    engine = TrackerEngine(settings: settings)
    reportsEvents = settings.reportsEvents
    sharesLoads = settings.sharesLoads
    looksUp = options.looksUp
    slots = options.slots
    clock = TrackerClock(options.clock)
    queue.qualityOfService = options.qualityOfService
    self.leaves = leaves
    let reference = TrackerReference(slots: slots)
    inbox = Inbox(announce: reference.takeTurn)
    reference.core = self
    slots.add(self)
    turnItem = DispatchWorkItem { [weak self] in self?.takeTurn() }
  }

  deinit {
    timer?.task.cancel()
    let running = operations.compactMap(\.self)
    // Its loads leave the slots with it; their bodies are still to come to an end.
    DispatchQueue.main.async { [slots] in slots.orphansAdded(running.count) }
    for operation in running { operation.cancel() }
  }

  /// The time of the turn, or the time now.
  @usableFromInline var time: Int64 { turnTime ?? clock.now() }

  // MARK: Inputs

  /// Takes an input from outside and performs what follows at once.
  @usableFromInline
  package func enter(_ input: TrackerInput<RowID, AnyObject>) {
    apply(input)
    run()
  }

  private func apply(_ input: TrackerInput<RowID, AnyObject>) {
    switch input {
    case .didEndDisplaying(_, let cell):
      // No look at the cell itself: it may be deallocated at this moment.
      if let entry = cells.find(cell) {
        engine.didEndDisplaying(entry.id, at: eventTime)
      }
    case .unbind(let cell):
      if let entry = cells.find(cell) {
        engine.unbound(entry.id, at: eventTime)
      }
    default:
      guard let input = input.map(row: { $0 }, cell: { id(of: $0) }) else { return }
      engine.apply(input, at: time)
    }
  }

  /// The time, if it is only reported.
  private var eventTime: Int64 { reportsEvents ? time : 0 }

  @usableFromInline
  func willDisplay(_ cell: AnyObject) {
    engine.willDisplay(id(of: cell), at: eventTime)
    run()
  }

  @usableFromInline
  func didEndDisplaying(_ cell: AnyObject) {
    guard let entry = cells.find(cell) else { return }
    engine.didEndDisplaying(entry.id, at: eventTime)
    run()
  }

  /// The number of a cell, a new one if it is not known.
  func id(of cell: AnyObject) -> CellID {
    if let entry = cells.find(cell) {
      if entry.cell === cell { return entry.id }
      forgetDead(entry)
    }
    let id = engine.cellAppeared()
    cells.insert(cell, as: id)
    return id
  }

  private func forgetDead(_ entry: CellTable.Entry) {
    cells.unlist(entry)
    engine.vanished(entry.id, at: eventTime)
  }

  /// Adds a row that shares its load with no other.
  @usableFromInline
  func addRow() -> RowID { engine.rowAppeared() }

  // MARK: Binding

  /// A cell that was bound and is to be rendered by the caller.
  @usableFromInline
  struct Binding {
    @usableFromInline let cell: CellID
    let serial: UInt64
    let wasBusy: Bool
    @usableFromInline let snapshot: Snapshot
    @usableFromInline let error: (any Error)?
  }

  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?,
    renderer: @escaping @MainActor (AnyObject, Snapshot, (any Error)?) -> Void
  ) -> Binding {
    let id = id(of: cell)
    let hostID = host.map { self.id(of: $0) }
    if !engine.bind(id, to: row, in: hostID, at: eventTime) { reportCircle() }
    if let entry = cells[id], row != nil {
      if let old = entry.renderer { garbage.append(old) }
      entry.renderer = renderer
    }
    let snapshot = row.map { engine.snapshot(of: $0) } ?? .idle
    defer { isBusy = true }
    return Binding(
      cell: id, serial: engine.cells[id].serial, wasBusy: isBusy, snapshot: snapshot,
      error: error(of: snapshot))
  }

  /// The caller has rendered a cell that it bound.
  @usableFromInline
  func rendered(_ binding: Binding) {
    checkBinding(of: binding.cell, binding.serial)
    isBusy = binding.wasBusy
    run()
  }

  private func reportCircle() {
    OperationDiagnostics.report(
      .hostCircle, nil,
      """
      A view was bound in a host that is the view itself or is inside of it. The view was bound without \
      a host. Pass the cell that holds the view.
      """)
  }

  @usableFromInline
  func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.load] ?? CancellationError()
    case .timeOut: Self.timeOut
    }
  }

  private static var timeOut: RowOperationsError {
    RowOperationsError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  /// Calls the app's code, so that effects of what it asks for wait until it has returned.
  @usableFromInline
  func call<Output>(_ body: () -> Output) -> Output {
    let wasBusy = isBusy
    isBusy = true
    defer { isBusy = wasBusy }
    return body()
  }

  // MARK: The loop

  /// Performs what the engine has decided, and asks for a turn if one is due.
  @usableFromInline
  package func run() {
    guard !isBusy else { return }
    if engine.pendingEffects > 0 || !garbage.isEmpty || hasFreedSlots { performEffects() }
    if engine.needsTurn { requestTurn() }
  }

  private func performEffects() {
    isBusy = true
    let isDone = TrackerLoop.perform(
      pending: engine.pendingEffects, next: { engine.nextEffect() }, perform: perform,
      refill: { admitFreed() || releaseGarbage() })
    isBusy = false
    if !isDone { requestTurn() }
  }

  private func perform(_ effect: TrackerEngine.Effect) {
    switch effect {
    case .render(let cell): render(cell)
    case .clear(let cell): clear(cell)
    case .start(let run): start(run)
    case .cancel(let run): operations[Int(run.index)]?.cancel()
    case .dropRenderer(let cell): dropRenderer(of: cell)
    case .dropValue(let load): leaves.dropValue(load)
    case .dropError(let load): errors.removeValue(forKey: load).map { garbage.append($0) }
    case .forgetCell(let cell): cells.remove(cell).map { garbage.append($0) }
    case .forgetRow(let row): leaves.forgetRow(row)
    case .forgetLoad(let load): leaves.forgetLoad(load)
    case .forgetRun(let run): forget(run)
    case .rowSettled(let row): leaves.rowSettled(row)
    case .committed: leaves.committed(engine.takeCommittedRows())
    case .report(let report): self.report(report)
    }
  }

  private func admitFreed() -> Bool {
    guard hasFreedSlots else { return false }
    hasFreedSlots = false
    slots.admit(in: self)
    return true
  }

  private func releaseGarbage() -> Bool {
    let hadValues = leaves.releaseGarbage()
    guard !garbage.isEmpty else { return hadValues }
    let released = garbage
    garbage = []
    withExtendedLifetime(released) {}
    return true
  }

  // MARK: Renders

  private func render(_ id: CellID) {
    guard let entry = cells[id], let renderer = entry.renderer, let cell = entry.cell,
      let row = engine.cells[id].row
    else { return }
    let serial = engine.cells[id].serial
    let snapshot = engine.snapshot(of: row)
    renderer(cell, snapshot, error(of: snapshot))
    checkBinding(of: id, serial)
  }

  private func clear(_ id: CellID) {
    guard let entry = cells[id], let renderer = entry.renderer, let cell = entry.cell else { return }
    let serial = engine.cells[id].serial
    renderer(cell, .idle, nil)
    checkBinding(of: id, serial)
    dropRenderer(of: id)
  }

  private func dropRenderer(of id: CellID) {
    guard let entry = cells[id], engine.cells.contains(id), engine.cells[id].row == nil,
      let old = entry.renderer
    else { return }
    entry.renderer = nil
    garbage.append(old)
  }

  /// The app may have bound a cell anew while it was rendered.
  private func checkBinding(of id: CellID, _ serial: UInt64) {
    guard engine.cells.contains(id), engine.cells[id].serial != serial else { return }
    engine.renderWasOvertaken(id)
  }

  // MARK: Turns

  /// Asks for a turn of the main queue.
  @usableFromInline
  package func requestTurn() {
    guard !isTurnRequested, let turnItem else { return }
    isTurnRequested = true
    DispatchQueue.main.async(execute: turnItem)
  }

  /// Takes a turn: commits what has arrived, judges, starts loads, and renders.
  @usableFromInline
  package func takeTurn() {
    isTurnRequested = false
    for entry in cells.sweep() { forgetDead(entry) }
    if cells.isSweepUnfinished { requestTurn() }
    let now = clock.now()
    let outerTime = turnTime
    turnTime = now
    lastTurnTime = now
    commitArrivals(at: now)
    if recorder != nil { note(.passEnd) }
    TrackerLoop.takeTurn(
      end: { engine.endTurn(at: now) }, admit: { slots.admit(in: self) }, perform: run,
      finish: { engine.finishTurn() })
    turnTime = outerTime
    if engine.abandonedRuns > 0 || slots.hasReportedHeld { slots.reportIfHeld() }
    updateTimer()
    if !waiters.isEmpty { resumeWaiters() }
  }

  private func commitArrivals(at now: Int64) {
    let ended = inbox.empty()
      .filter { engine.runs.contains($0.run) && engine.runs[$0.run].generation == $0.generation }
      .map(\.run)
    for run in ended.isEmpty ? ended : engine.inOrderOfCommits(ended) { end(run, at: now) }
  }

  private func end(_ run: RunID, at now: Int64) {
    guard engine.runs.contains(run), let operation = operations[Int(run.index)] else { return }
    let load = engine.runs[run].load
    let stage = engine.runs[run].stage == .abandoned ? operation.stageLog.cancelledAt : nil
    var isAccepted = false
    let error = call {
      leaves.end(operation, load) { outcome in
        recordEnd(of: run, outcome)
        isAccepted = engine.runEnded(run, outcome, in: stage, at: now)
        return isAccepted
      }
    }
    if isAccepted, let error { errors.updateValue(error, forKey: load).map { garbage.append($0) } }
  }

  // MARK: Operations

  private func start(_ run: RunID) {
    let state = engine.runs[run]
    let now = time
    let hasValue =
      looksUp && engine.wantsLookUp(state.load)
      && leaves.lookUp(state.row, state.load) { cost in
        engine.valueFound(run, generation: state.generation, cost: cost, at: now)
      }
    guard !hasValue else { return hasFreedSlots = true }
    guard engine.isAdmitted(run, state.generation) else { return hasFreedSlots = true }
    guard var operation = leaves.make(state.row, state.generation) else {
      engine.nothingFound(run, generation: state.generation, at: now)
      return hasFreedSlots = true
    }
    if !queue.claim(operation) {
      garbage.append(operation)
      operation = operation.failedStandIn()
    }
    guard engine.operationMade(run, generation: state.generation, at: now) else {
      garbage.append(operation)
      return hasFreedSlots = true
    }
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
    if operation.qualityOfService == .default { operation.qualityOfService = queue.qualityOfService }
    operation.reportEnd(
      to: inbox, as: Inbox.End(run: run, generation: state.generation),
      clock: reportsEvents ? clock.now : nil)
    queue.enqueue(operation)
  }

  private func forget(_ run: RunID) {
    guard Int(run.index) < operations.count, let operation = operations[Int(run.index)] else { return }
    operations[Int(run.index)] = nil
    garbage.append(operation)
  }

  // MARK: Slots

  /// What the tracker has in the slots, and wants of them.
  ///
  /// - Parameter isOwnTurn: Whether it has just judged what has happened. If not, it wants nothing until
  ///   it has.
  func slotBid(isOwnTurn: Bool) -> SlotBid {
    var bid = engine.slotBid(at: time)
    if !isOwnTurn, !engine.isJudged { bid.next = nil }
    return bid
  }

  func startNext(mayPrefetch: Bool) { engine.admitNext(mayPrefetch: mayPrefetch, at: time) }

  func yieldSlot(prefetchesYield: Bool) -> Bool {
    engine.yieldSlot(prefetchesYield: prefetchesYield, at: time)
  }

  // MARK: Events

  private func report(_ report: TrackerEngine.Report) {
    switch report.kind {
    case .started(let run), .finished(let run), .failed(let run), .cancelled(let run),
      .unwound(let run), .refused(let run):
      guard let operation = operations[Int(run.index)] else { return }
      leaves.report(report, operation, nil)
    case .timedOut(let run):
      guard let operation = operations[Int(run.index)] else { return }
      leaves.report(report, operation, Self.timeOut)
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .evicted:
      leaves.report(report, nil, nil)
    }
  }

  // MARK: Time

  /// Wakes the tracker up when the engine wants a turn though nothing has happened.
  func updateTimer() {
    let deadline = engine.nextDeadline
    guard deadline != timer?.deadline else { return }
    // A timer that comes too early sets another one; that is cheaper than setting it anew each time.
    if let deadline, let timer, timer.deadline < deadline { return }
    timer?.task.cancel()
    timer = nil
    guard let deadline else { return }
    let sleep = clock.sleep
    timer = (
      deadline,
      Task { [weak self] in
        do {
          try await sleep(deadline)
        } catch {
          // A clock that fails is looked at again from time to time, so that no deadline is lost.
          guard !Task.isCancelled, (try? await Task.sleep(for: .milliseconds(50))) != nil
          else { return }
        }
        guard !Task.isCancelled else { return }
        self?.timerFired()
      }
    )
  }

  private func timerFired() {
    timer = nil
    takeTurn()
  }
}

extension Snapshot {
  /// Of a cell without a row.
  static let idle = Snapshot(
    load: LoadID(index: -1), phase: .idle, hasValue: false, failure: .none)
}
