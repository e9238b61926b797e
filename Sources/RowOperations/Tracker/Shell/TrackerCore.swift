import Foundation

/// The shell of an engine: maps objects to numbers, and performs effects.
///
/// Nothing in here depends on the types of rows and values.
@MainActor
@usableFromInline
package final class TrackerCore {
  var books: TrackerBooks
  let leaves: TrackerLeaves
  let slots: UpdateSlots
  let clock: TrackerClock
  let queue = OperationQueue()
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
  @usableFromInline let sharesLoads: Bool
  let reportsEvents: Bool
  @usableFromInline var recorder: InputRecorder?

  /// One block that is used for each turn.
  private var turnItem: DispatchWorkItem?
  /// The time of the turn that is being taken, and of the last one.
  private var turnTime: Int64?
  private(set) var lastTurnTime: Int64 = 0
  var timer: (deadline: Int64, task: Task<Void, Never>)?
  var waiters: [UInt64: Waiter] = [:]
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init(_ options: TrackerOptions, leaves: TrackerLeaves) {
    books = TrackerBooks(options.settings)
    reportsEvents = options.settings.reportsEvents
    sharesLoads = options.settings.sharesLoads
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
    let running = books.operations.compactMap(\.self)
    // Its loads leave the slots with it; their bodies are still to come to an end.
    DispatchQueue.main.async { [slots, count = running.count] in slots.orphansAdded(count) }
    for operation in running { operation.cancel() }
  }

  /// The time of the turn, or the time now.
  @usableFromInline var time: Int64 { turnTime ?? clock.now() }

  /// The time, if events are reported; else it does not matter.
  private var eventTime: Int64 { reportsEvents ? time : 0 }

  // MARK: Inputs

  /// Takes an input from outside and performs what follows at once.
  package func enter(_ input: TrackerInput<RowID, AnyObject>) {
    follow(books.apply(input, at: time))
  }

  @usableFromInline
  func willDisplay(_ cell: AnyObject) { follow(books.willDisplay(cell, at: eventTime)) }

  @usableFromInline
  func didEndDisplaying(_ cell: AnyObject) { follow(books.didEndDisplaying(cell, at: eventTime)) }

  /// Adds a row that shares its load with no other.
  @usableFromInline
  func addRow() -> RowID { books.engine.rowAppeared() }

  // MARK: Binding

  /// A cell that was bound and is to be rendered by the caller.
  @usableFromInline
  struct Binding {
    let cell: CellID
    let serial: UInt64
    let wasBusy: Bool
    let isHostSound: Bool
    @usableFromInline let snapshot: Snapshot
    @usableFromInline let error: (any Error)?
  }

  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?,
    renderer: @escaping @MainActor (AnyObject, Snapshot, (any Error)?) -> Void
  ) -> Binding {
    books.bind(cell, to: row, in: host, renderer: renderer, at: eventTime)
  }

  /// The caller has rendered a cell that it bound.
  @usableFromInline
  func rendered(_ binding: Binding) {
    repair(books.checkBinding(of: binding.cell, binding.serial))
    let aftermath = books.rendered(binding)
    if !binding.isHostSound { reportCircle() }
    follow(aftermath)
  }

  private func reportCircle() {
    OperationDiagnostics.report(
      .hostCircle, nil,
      """
      A view was bound in a host that is the view itself or is inside of it. The view was bound without \
      a host. Pass the cell that holds the view.
      """)
  }

  static var timeOut: RowOperationsError {
    RowOperationsError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  /// Calls the app's code, so that effects of its calls wait until it has returned.
  @usableFromInline
  func call<Output>(_ body: () -> Output) -> Output {
    let wasBusy = books.isBusy
    books.isBusy = true
    defer { books.isBusy = wasBusy }
    return body()
  }

  // MARK: The loop

  /// Performs what the engine has decided, and asks for a turn if one is due.
  package func run() { follow(books.aftermath()) }

  private func follow(_ aftermath: TrackerBooks.Aftermath) {
    if aftermath.needsTurn { postTurn() }
    if aftermath.hasWork, books.endRun(isDone: performEffects()).needsTurn { postTurn() }
  }

  /// - Returns: Whether everything was performed.
  private func performEffects() -> Bool {
    var loop = books.beginRun()
    while true {
      switch books.next(&loop) {
      case .perform(let effect): perform(effect)
      case .refill: if !forgetUnused(), !admitFreed(), !releaseGarbage() { return true }
      case .pause: return false
      }
    }
  }

  private func perform(_ effect: TrackerEngine.Effect) {
    switch effect {
    case .render(let cell): render(cell, books.render(of: cell))
    case .clear(let cell):
      render(cell, books.render(of: cell, .idle))
      books.dropRenderer(of: cell)
    case .start(let run): start(run)
    case .cancel(let run): books.operation(of: run)?.cancel()
    case .dropRenderer(let cell): books.dropRenderer(of: cell)
    case .dropValue(let load): leaves.dropValue(load)
    case .dropError(let load): books.dropError(of: load)
    case .rowSettled(let row): leaves.rowSettled(row)
    case .committed: leaves.committed(books.engine.takeCommittedRows())
    case .report(let report): self.report(report)
    }
  }

  private func render(_ id: CellID, _ render: TrackerBooks.Render?) {
    guard let render else { return }
    render.renderer(render.cell, render.snapshot, render.error)
    repair(books.checkBinding(of: id, render.serial))
  }

  /// Renders a cell as idle that the app unbound while it was rendered.
  private func repair(_ render: TrackerBooks.Render?) {
    if let render { render.renderer(render.cell, render.snapshot, nil) }
  }

  private func forgetUnused() -> Bool {
    guard let forgotten = books.takeForgotten() else { return false }
    if !forgotten.rows.isEmpty { leaves.forgetRows(forgotten.rows) }
    if !forgotten.loads.isEmpty { leaves.forgetLoads(forgotten.loads) }
    return true
  }

  private func admitFreed() -> Bool {
    guard books.hasFreedSlots else { return false }
    books.hasFreedSlots = false
    slots.admit(in: self)
    return true
  }

  private func releaseGarbage() -> Bool {
    let hadRows = leaves.releaseGarbage()
    // It is released when the books are closed.
    return books.takeGarbage() != nil || hadRows
  }

  // MARK: Turns

  /// Asks for a turn of the main queue.
  @usableFromInline
  package func requestTurn() {
    guard !books.isTurnRequested else { return }
    books.isTurnRequested = true
    postTurn()
  }

  private func postTurn() {
    if let turnItem { DispatchQueue.main.async(execute: turnItem) }
  }

  /// Takes a turn: commits what has arrived, judges, starts loads, and renders.
  @usableFromInline
  package func takeTurn() {
    let now = clock.now()
    let outerTime = turnTime
    turnTime = now
    lastTurnTime = now
    let isNested = books.beginTurn(at: now)
    for step in TrackerLoop.turn {
      switch step {
      case .judge: judge(at: now)
      case .admit: slots.admit(in: self)
      case .perform: run()
      case .finish: books.engine.finishTurn()
      }
    }
    turnTime = outerTime
    follow(books.finishTurn(isNested: isNested))
    if slots.mayBeHeld(by: books.engine.abandonedRuns) { slots.reportIfHeld() }
    updateTimer()
    if !waiters.isEmpty {
      resumeWaiters()
      run()
    }
  }

  private func judge(at now: Int64) {
    let arrived = inbox.empty()
    if !arrived.isEmpty { commit(arrived, at: now) }
    if recorder != nil { note(.passEnd) }
    books.engine.endTurn(at: now)
  }

  private func commit(_ arrived: [Inbox.End], at now: Int64) {
    for run in books.ended(arrived) { end(run, at: now) }
  }

  private func end(_ run: RunID, at now: Int64) {
    guard let (operation, state) = books.ending(run) else { return }
    let stage = state.stage == .abandoned ? operation.stageLog.cancelledAt : nil
    var isAccepted = false
    let error = call {
      leaves.end(operation, state.load) { outcome in
        recordEnd(of: run, outcome)
        isAccepted = books.engine.runEnded(run, outcome, in: stage, at: now)
        return isAccepted
      }
    }
    if isAccepted, let error { books.keepError(error, of: state.load) }
  }

  // MARK: Operations

  private func start(_ run: RunID) {
    let (state, looksUp) = books.beginStart(run, looksUp: looksUp)
    let now = time
    if looksUp {
      _ = leaves.lookUp(state.row, state.load) { cost in
        books.engine.valueFound(run, generation: state.generation, cost: cost, at: now)
      }
    }
    // The app's code may have ended the load's last claim, or its cache had the value.
    guard books.isAdmitted(run, state.generation) else { return books.hasFreedSlots = true }
    guard let made = leaves.make(state.row, state.generation) else {
      books.engine.nothingFound(run, generation: state.generation, at: now)
      return books.hasFreedSlots = true
    }
    start(queue.claim(made) ? made : replace(made), run, state.generation, at: now)
  }

  /// A failed operation takes the place of one that cannot be used.
  private func replace(_ operation: any TrackedUpdate) -> any TrackedUpdate {
    books.garbage.objects.append(operation)
    return operation.failedStandIn()
  }

  private func start(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) {
    guard books.engine.operationMade(run, generation: generation, at: now) else {
      books.garbage.objects.append(operation)
      return books.hasFreedSlots = true
    }
    books.keep(operation, as: run)
    if operation.qualityOfService == .default {
      operation.qualityOfService = queue.qualityOfService
    }
    operation.reportEnd(
      to: inbox, as: Inbox.End(run: run, generation: generation),
      clock: reportsEvents ? clock.now : nil)
    queue.enqueue(operation)
  }

  // MARK: Slots

  /// What the tracker has in the slots, and wants of them.
  ///
  /// - Parameter isOwnTurn: Whether it has just judged what has happened. If not, it wants nothing
  ///   until
  ///   it has.
  func slotBid(isOwnTurn: Bool) -> SlotBid {
    let now = time
    var bid = books.engine.slotBid(at: now)
    if !isOwnTurn, !books.engine.isJudged { bid.withdraw() }
    return bid
  }

  func startNext(mayPrefetch: Bool) {
    let now = time
    books.engine.admitNext(mayPrefetch: mayPrefetch, at: now)
  }

  func yieldSlot(prefetchesYield: Bool) -> Bool {
    let now = time
    return books.engine.yieldSlot(prefetchesYield: prefetchesYield, at: now)
  }

  // MARK: Events

  private func report(_ report: TrackerEngine.Report) {
    switch report.kind {
    case .started(let run), .finished(let run), .failed(let run), .cancelled(let run),
      .unwound(let run), .refused(let run):
      guard let operation = books.operation(of: run) else { return }
      leaves.report(report, operation, nil)
    case .timedOut(let run):
      guard let operation = books.operation(of: run) else { return }
      leaves.report(report, operation, Self.timeOut)
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .evicted:
      leaves.report(report, nil, nil)
    }
  }

  // MARK: Time

  /// Wakes the tracker up when the engine wants a turn though nothing has happened.
  func updateTimer() {
    let deadline = books.nextDeadline()
    guard deadline != timer?.deadline else { return }
    // A timer that comes too early sets another one; that is cheaper than setting it anew each
    // time.
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
