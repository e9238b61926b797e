import Foundation

/// The shell of an engine: maps objects to numbers, and performs effects.
///
/// Nothing in here depends on the types of rows and values.
@MainActor
@usableFromInline
package final class TrackerCore {
  // A change of the books runs no code of the app, and the main actor makes one change at a time.
  // So no two changes overlap. Debug builds check that at each access (figure B12).
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var books: TrackerBooks
  let leaves: TrackerLeaves
  package let slots: UpdateSlots
  let clock: TrackerClock
  package let queue = OperationQueue()
  let qualityOfService: QualityOfService
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
  var reportsEvents: Bool

  /// The block of all turns.
  private var turnItem: DispatchWorkItem?
  /// The time of the turn in progress, and of the last one.
  private var turnTime: Int64?
  private(set) var lastTurnTime: Int64 = 0
  /// Reports the return of the network, once a load has failed for lack of one.
  var networkWatch = NetworkWatch.shared
  private var isWatchingNetwork = false
  /// Set if the app observes impressions.
  var impressions: (any ImpressionWatching)?
  var timer: (deadline: Int64, task: Task<Void, Never>)?
  /// The lists that show rows of the tracker.
  var lists = TrackerLists()
  /// The lists whose positions on screen are found by the rows there.
  var followed: [ListNumber: FollowedOrder] = [:]
  var waiters: [UInt64: Waiter] = [:]
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init(_ options: TrackerOptions, leaves: TrackerLeaves) {
    books = TrackerBooks(options.settings)
    reportsEvents = options.settings.reportsEvents
    looksUp = options.looksUp
    slots = options.slots
    clock = TrackerClock(options.clock)
    qualityOfService = options.qualityOfService
    queue.qualityOfService = qualityOfService
    self.leaves = leaves
    let reference = TrackerReference(slots: slots)
    inbox = Inbox(
      number: slots.reserveNumber(), permits: slots.permits, clock: clock.now,
      announce: reference.takeTurn)
    reference.core = self
    slots.add(self)
    AppWatch.shared.add(self)
    turnItem = DispatchWorkItem { [weak self] in self?.takeTurn() }
  }

  deinit {
    timer?.task.cancel()
    let running = books.operations.compactMap(\.self)
    slots.trackerEnded(inbox.number, bodies: running.count)
    for operation in running { operation.cancel() }
    for stream in books.streams { stream?.stream.close() }
  }

  /// Pauses impressions and drops values that are kept by cost.
  ///
  /// The system ends background apps that use much memory.
  func appWentIntoBackground() {
    cover(.background)
    if books.engine.settings.costLimit != nil { enter(.removeCachedValues) }
  }

  /// The time of the turn in progress, or the current time.
  @usableFromInline package var time: Int64 { turnTime ?? clock.now() }

  /// The time if events are reported, else 0.
  private var eventTime: Int64 { reportsEvents ? time : 0 }

  // MARK: Inputs

  /// Takes an input and performs its immediate effects.
  package func enter(_ input: TrackerInput<RowID, AnyObject>) {
    record(input)
    follow(books.apply(input, at: time))
  }

  @usableFromInline
  func willDisplay(_ cell: AnyObject) {
    let aftermath = books.willDisplay(cell, at: eventTime)
    if aftermath.isRecorded { record(.willDisplay(row: nil, cell: cell)) }
    follow(aftermath)
  }

  @usableFromInline
  func didEndDisplaying(_ cell: AnyObject) {
    let aftermath = books.didEndDisplaying(cell, at: eventTime)
    if aftermath.isRecorded { record(.didEndDisplaying(row: nil, cell: cell)) }
    follow(aftermath)
  }

  /// Adds a row.
  @usableFromInline
  func addRow() -> RowID { books.engine.addRow() }

  // MARK: Binding

  /// A bound cell for the caller to render.
  @usableFromInline
  struct Binding {
    let rendered: TrackerBooks.Rendered
    let isHostSound: Bool
    /// Whether lists follow bindings.
    let isFollowed: Bool
    @usableFromInline let snapshot: Snapshot
  }

  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: @escaping @MainActor (AnyObject, Snapshot, (any Error)?) -> Void
  ) -> Binding {
    let binding = books.bind(
      cell, to: row, in: host, rendersLeaving: rendersLeaving,
      renderer: CellTable.Renderer(render: renderer), at: eventTime)
    if books.recorder != nil { recordBind(cell, to: row, in: host) }
    return binding
  }

  private func recordBind(_ cell: AnyObject, to row: RowID?, in host: AnyObject?) {
    switch (row, host) {
    case (let row, let host?): record(.viewFor(row: row, view: cell, host: host))
    case (let row?, nil): record(.cellFor(row: row, cell: cell))
    case (nil, nil): record(.unbind(cell: cell))
    }
  }

  /// The error that a cell shows.
  @usableFromInline
  func error(of snapshot: Snapshot) -> (any Error)? { books.error(of: snapshot) }

  /// Records that the caller has rendered a cell that it bound.
  ///
  /// - Parameter view: The bound view or its host.
  @usableFromInline
  func rendered(_ binding: Binding, in view: AnyObject) {
    var aftermath = books.rendered(binding)
    if aftermath == nil {
      if let render = books.repair(of: binding.rendered) { repair(render) }
      aftermath = books.endBinding()
    }
    if !binding.isHostSound { reportCircle() }
    if let aftermath { follow(aftermath) }
    // After the render, which may lay the list out.
    if binding.isFollowed { for hook in lists.bindHooks { hook(view) } }
  }

  private func reportCircle() {
    OperationDiagnostics.report(
      .hostCircle, nil,
      """
      A view was bound in a host that is the view itself or lies inside it. The view was bound without \
      a host. Pass the cell that contains the view.
      """)
  }

  static var timeOut: OperationError {
    OperationError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  /// Calls code of the app.
  ///
  /// The effects of its calls wait until it has returned.
  @usableFromInline
  func call<Output>(_ body: () -> Output) -> Output {
    books.turns.callBegan()
    defer { books.turns.callEnded() }
    return body()
  }

  // MARK: The loop

  /// Performs the engine's effects, and requests a turn if one is due.
  package func run() { follow(books.aftermath()) }

  private func follow(_ aftermath: TrackerBooks.Aftermath) { follow(aftermath.next) }

  private func follow(_ next: Turns.FollowUp) {
    if next.needsTurn { postTurn() }
    guard next.hasWork else { return }
    let isDone = performEffects()
    if books.endLoop(isDone: isDone) { postTurn() }
    // The end of a turn goes on with effects, and not with dropped values of the app.
    if !isDone { requestTurn() }
  }

  /// - Returns: Whether everything was performed.
  private func performEffects() -> Bool {
    var loop = books.beginLoop()
    // The last render, checked by the next step.
    var rendered: TrackerBooks.Rendered?
    while true {
      let last = rendered
      rendered = nil
      // The step is not kept in a constant, which the switch would copy.
      switch books.next(&loop, after: last) {
      case .render(let render):
        render.renderer.render(render.cell, render.snapshot, render.error)
        rendered = render.rendered
      case .repair(let render): repair(render)
      case .start(let run, let state): start(run, state)
      case .startTogether(let operations): queue.enqueueTogether(operations)
      case .claim(let operation, let claim): operation?.claimChanged(to: RowClaim(claim))
      case .cancel(let operation): operation?.cancel()
      case .openStream(let stream, let opened): open(stream, opened)
      case .closeStream(let stream): stream?.close()
      case .dropValue(let row): leaves.dropValue(row)
      case .dropStep(let row): leaves.dropStep(row)
      case .committed(let rows): leaves.committed(rows)
      case .report(let report): self.report(report)
      case .done: break
      case .forget(let forgotten):
        if !forgotten.rows.isEmpty { leaves.forgetRows(forgotten.rows) }
      case .admit: slots.admit(in: self)
      case .release(let garbage): releaseHere(garbage)
      case .end: if !leaves.releaseGarbage() { return true }
      case .pause: return false
      }
    }
  }

  /// Renders a cell as idle, since the app unbound it during its render.
  private func repair(_ render: TrackerBooks.Render) {
    render.renderer.render(render.cell, render.snapshot, nil)
  }

  // MARK: Turns

  /// Schedules a turn of the main queue.
  @usableFromInline
  package func requestTurn() {
    if books.turns.request() { postTurn() }
  }

  private func postTurn() {
    if let turnItem { DispatchQueue.main.async(execute: turnItem) }
  }

  /// Takes a turn: commits arrivals, evaluates, starts loads, and renders.
  @usableFromInline
  package func takeTurn() {
    let now = clock.now()
    let outerTime = turnTime
    turnTime = now
    lastTurnTime = now
    let isNested = books.beginTurn(without: deadCells(), at: now)
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate: evaluate(at: now)
      case .admit: slots.admit(in: self)
      case .performStarts, .performRenders: run()
      case .finish: books.engine.finishTurn()
      }
    }
    if let impressions { reportImpressions(to: impressions, at: now) }
    turnTime = outerTime
    follow(books.endTurn(isNested: isNested))
    slots.turnEnded(self)
    updateTimer()
    if !isWatchingNetwork, books.engine.hasLackedNetwork {
      isWatchingNetwork = true
      networkWatch.add(self)
    }
    if !waiters.isEmpty {
      resumeWaiters()
      run()
    }
  }

  /// Checks a few cells for a deallocation without a report.
  ///
  /// O(1)
  private func deadCells() -> [(id: CellID, entry: CellTable.Entry)] {
    var dead: [(id: CellID, entry: CellTable.Entry)] = []
    var left = books.cells.checksInTurn
    for _ in 0..<8 * left where left > 0 {
      guard let next = books.cells.nextToCheck() else { continue }
      left -= 1
      if next.entry.cell == nil { dead.append(next) }
    }
    return dead
  }

  private func evaluate(at now: Int64) {
    let mail = inbox.empty()
    if !mail.arrivals.isEmpty { commit(mail.arrivals, at: now) }
    let errors = books.hasStreams ? takeElements(of: mail.streams, at: now) : []
    if !followed.isEmpty { followOrders() }
    record(.passEnd)
    if books.engine.hasWindows {
      _ = books.engine.expectRows(at: now)
      // The next turn reads the rows of these lists; another list reads them in its next layout.
      if books.engine.takeLackOfRows(), !followed.isEmpty { requestTurn() }
    }
    books.engine.endTurn(at: now)
    for (row, error) in errors { books.streamFailed(row, error) }
  }

  private func commit(_ arrived: [Inbox.Arrival], at now: Int64) {
    let ended = books.ended(arrived)
    if let batches = leaves.batches {
      for run in ended { endInBatch(run, batches, at: now) }
    } else {
      for run in ended { end(run, at: now) }
    }
    // Of a load that has ended, only the end is shown.
    for arrival in arrived where !arrival.isEnd { step(arrival.id) }
  }

  private func step(_ id: UpdateID) {
    guard let (run, operation, row) = books.stepping(id) else { return }
    if let batches = leaves.batches { return stepInBatch(run, operation, batches) }
    guard let hasValue = leaves.step(operation, row) else { return }
    recordStep(of: operation, hasValue: hasValue)
    books.engine.take(.step(run, hasValue: hasValue), at: time)
  }

  /// Commits the end of an operation: the store reads the result, the engine accepts it, and the
  /// store keeps it.
  private func end(_ run: RunID, at now: Int64) {
    guard let ending = books.beginEnding(run) else { return }
    let (operation, row) = (ending.operation, ending.row)
    let stage = ending.isCancelled ? operation.stageLog.cancelledAt : nil
    let waited = slots.permits == nil ? 0 : operation.stageLog.waitedTime
    var isAccepted = false
    let error = leaves.end(operation, row, ending.isCurrent) { outcome in
      recordEnd(ending, outcome)
      isAccepted = books.engine.take(.end(run, outcome, waited: waited), at: now)
      if let stage, case .failure = outcome { books.cancelledPerStage[stage, default: 0] += 1 }
      return isAccepted
    }
    books.finishEnding(ending, isAccepted ? error : nil)
  }

  // MARK: Operations

  private func start(_ run: RunID, _ state: RunState) {
    if let batches = leaves.batches { return startBatch(run, state, batches) }
    let now = time
    if looksUp, books.wantsLookUp(state.row) {
      _ = leaves.lookUp(state.row) { cost in
        record(.setValue(row: state.row))
        return books.engine.take(
          .foundValue(run, generation: state.generation, cost: cost), at: now)
      }
    }
    // The app's code may have ended the last claim of the load, or its cache had the value.
    guard !looksUp || books.isAdmitted(run, state.generation) else {
      return books.turns.slotFreed()
    }
    guard let made = leaves.make(state.row, state.generation) else {
      record(.setValue(row: state.row))
      books.engine.take(.foundNothing(run, generation: state.generation), at: now)
      return books.turns.slotFreed()
    }
    start(queue.claim(made) ? made : replace(made), run, state.generation, at: now)
  }

  /// Replaces an unusable operation by a failed one.
  private func replace(_ operation: any TrackedUpdate) -> any TrackedUpdate {
    books.garbage.objects.append(operation)
    return operation.failedStandIn()
  }

  func start(
    _ operation: any TrackedUpdate, _ run: RunID, _ generation: UInt64, at now: Int64
  ) {
    guard books.operationMade(operation, run, generation, at: now) else { return }
    operation.report(
      to: inbox, as: UpdateID(index: run.index, generation: generation),
      claim: RowClaim(books.engine.claim(of: run)), qualityOfService: qualityOfService,
      clock: reportsEvents ? clock.now : nil)
    books.starting.append(operation)
  }

  // MARK: Events

  private func report(_ report: TrackerEngine.Report) {
    switch report.kind {
    case .joined(let run), .started(let run), .finished(let run), .failed(let run),
      .cancelled(let run),
      .stopped(let run), .refused(let run):
      if let batches = leaves.batches { return self.report(report, of: run, batches) }
      guard let operation = books.operation(of: run) else { return }
      leaves.report(report, operation, nil)
    case .timedOut(let run):
      if let batches = leaves.batches { return self.report(report, of: run, batches) }
      guard let operation = books.operation(of: run) else { return }
      leaves.report(report, operation, Self.timeOut)
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .evicted,
      .listening, .stoppedListening:
      leaves.report(report, nil, nil)
    }
  }
}
