import Foundation

/// The shell of an engine, without types of rows and values: maps objects to numbers, and performs
/// effects.
@MainActor
@usableFromInline
package final class TrackerCore {
  // A change of the state runs no code of the app, and the main actor makes one at a time, so that
  // no two overlap.
  var state: TrackerState
  let closures: TrackerClosures
  package let slots: UpdateSlots
  let clock: TrackerClock
  let queue = OperationQueue()
  let qualityOfService: QualityOfService
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
  var reportsEvents: Bool

  private var turnItem: DispatchWorkItem?
  /// Of the turn in progress, or of the last one.
  private var turnTime: Int64?
  private(set) var lastTurnTime: Int64 = 0
  /// Used once a load has failed for lack of a network.
  var networkWatch = NetworkWatch.shared
  private var isWatchingNetwork = false
  /// Set if the app observes impressions.
  var follower: (any TurnFollowing)?
  var timer: (deadline: Int64, task: Task<Void, Never>)?
  var lists = TrackerLists()
  /// The lists with a known order, found by the rows on screen.
  var followed: [ListNumber: FollowedOrder] = [:] {
    didSet { state.engine.hasOrder = !followed.isEmpty }
  }
  var waiters: [Waiter] = []
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init(_ options: TrackerOptions, closures: TrackerClosures) {
    state = TrackerState(options.settings)
    reportsEvents = options.settings.reportsEvents
    looksUp = options.looksUp
    slots = options.slots
    clock = TrackerClock(options.clock)
    qualityOfService = options.qualityOfService
    queue.qualityOfService = qualityOfService
    self.closures = closures
    let reference = TrackerReference(slots: slots)
    inbox = Inbox(number: slots.reserveNumber(), announce: reference.takeTurn)
    reference.core = self
    slots.add(self)
    AppWatch.shared.add(self)
    turnItem = DispatchWorkItem { [weak self] in self?.takeTurn() }
  }

  deinit {
    timer?.task.cancel()
    let running = state.operations.compactMap(\.self)
    slots.trackerEnded(inbox.number, bodies: running.count)
    for operation in running { operation.cancel() }
    for stream in state.streams { stream?.stream.close() }
  }

  /// Covers the lists and drops values kept by cost: the system ends background apps that use much
  /// memory.
  func appWentIntoBackground() {
    cover(.background)
    if state.engine.settings.costLimit != nil { enter(.removeCachedValues) }
  }

  @usableFromInline package var time: Int64 { turnTime ?? clock.now() }

  /// The time; 0 if events are not reported.
  private var eventTime: Int64 { reportsEvents ? time : 0 }

  // MARK: Inputs

  func enter(_ input: TrackerInput<RowID, AnyObject>) {
    record(input)
    let followUp = state.apply(input, at: time)
    if followUp.isRefused { reportEndlessBinding() }
    follow(followUp)
  }

  @usableFromInline
  func willDisplay(_ cell: AnyObject) {
    let followUp = state.willDisplay(cell, at: eventTime)
    if followUp.isRecorded { record(.willDisplay(row: nil, cell: cell)) }
    follow(followUp)
  }

  @usableFromInline
  func didEndDisplaying(_ cell: AnyObject) {
    let followUp = state.didEndDisplaying(cell, at: eventTime)
    if followUp.isRecorded { record(.didEndDisplaying(row: nil, cell: cell)) }
    follow(followUp)
  }

  @usableFromInline
  func addRow() -> RowID { state.engine.addRow() }

  // MARK: Binding

  /// A bound cell for the caller to render.
  @usableFromInline
  struct Binding {
    /// `nil` if the bind is refused, or comes from the cell's own render.
    let render: TrackerEngine.Render?
    /// The cell's renders have bound it too often.
    let isRefused: Bool
    let isHostSound: Bool
    /// Whether lists follow bindings.
    let isFollowed: Bool
    @usableFromInline let snapshot: Snapshot
    @usableFromInline var isDue: Bool { render != nil }
  }

  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: @escaping @MainActor (AnyObject, Snapshot, (any Error)?) -> Void
  ) -> Binding {
    let binding = state.bind(
      cell, to: row, in: host, rendersLeaving: rendersLeaving,
      renderer: CellTable.Renderer(render: renderer), at: eventTime)
    if state.recorder != nil { recordBind(cell, to: row, in: host) }
    return binding
  }

  private func recordBind(_ cell: AnyObject, to row: RowID?, in host: AnyObject?) {
    switch (row, host) {
    case (let row, let host?): record(.viewFor(row: row, view: cell, host: host))
    case (let row?, nil): record(.cellFor(row: row, cell: cell))
    case (nil, nil): record(.unbind(cell: cell))
    }
  }

  @usableFromInline
  func error(of snapshot: Snapshot) -> (any Error)? { state.error(of: snapshot) }

  /// The caller has rendered a cell that it bound, if that is due.
  ///
  /// - Parameter view: The bound view or its host.
  @usableFromInline
  func rendered(_ binding: Binding, in view: AnyObject) {
    state.endBinding(binding)
    if binding.isRefused { reportEndlessBinding() }
    if !binding.isHostSound { reportCircle() }
    run()
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

  private func reportEndlessBinding() {
    OperationDiagnostics.report(
      .endlessBinding, nil,
      """
      The renders of a cell go on binding it to other rows or none. The last change was ignored, and \
      the cell shows the row before. Bind a cell where the list requests it.
      """)
  }

  static var timeOut: OperationError {
    OperationError(
      code: .timedOut,
      description: "The load took longer than the tracker's timeout. Retry it, or allow more time.")
  }

  /// The effects of the app's calls wait until the code has returned.
  @usableFromInline
  func call<Output>(_ body: () -> Output) -> Output {
    state.turns.callBegan()
    defer { state.turns.callEnded() }
    return body()
  }

  // MARK: The loop

  /// Performs effects, and requests a turn if one is due.
  package func run() { follow(state.followUp()) }

  private func follow(_ followUp: TrackerState.CallFollowUp) { follow(followUp.next) }

  // The check alone is inlined: most calls need nothing (figure B12).
  @inline(__always)
  private func follow(_ next: Turns.FollowUp) {
    if next.needsTurn || next.hasWork { perform(next) }
  }

  private func perform(_ next: Turns.FollowUp) {
    if next.needsTurn { postTurn() }
    guard next.hasWork else { return }
    let isDone = performEffects()
    if state.endLoop(isDone: isDone) { postTurn() }
    // The end of a turn goes on with effects, not with dropped values.
    if !isDone { requestTurn() }
  }

  /// - Returns: Whether everything was performed.
  private func performEffects() -> Bool {
    var loop = state.beginLoop()
    // The last render, checked by the next step.
    var rendered: TrackerEngine.Render?
    while true {
      let last = rendered
      rendered = nil
      // Not a constant, which the switch would copy.
      switch state.next(&loop, after: last) {
      case .render(let render):
        render.renderer.render(render.cell, render.snapshot, render.error)
        rendered = render.rendered
      case .start(let run, let load): start(run, load)
      case .startTogether(let operations): queue.enqueueTogether(operations)
      case .claim(let operation, let claim): operation?.claimChanged(to: RowClaim(claim))
      case .cancel(let operation): operation?.cancel()
      case .openStream(let stream, let opened): open(stream, opened)
      case .closeStream(let stream): stream?.close()
      case .dropValue(let row): closures.dropValue(row)
      case .dropStep(let row): closures.dropStep(row)
      case .committed(let rows): closures.committed(rows)
      case .report(let report): self.report(report)
      case .done: break
      case .forget(let freed):
        if !freed.rows.isEmpty { closures.forgetRows(freed.rows) }
      case .admit: slots.admit(in: self)
      case .release(let discarded): releaseHere(discarded)
      case .end: if !closures.releaseDiscarded() { return true }
      case .pause: return false
      }
    }
  }

  // MARK: Turns

  @usableFromInline
  func requestTurn() {
    if state.turns.request() { postTurn() }
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
    let isNested = state.beginTurn(without: deadCells(), at: now)
    for step in Turns.Step.allCases {
      switch step {
      case .evaluate: evaluate(at: now)
      case .admit: slots.admit(in: self)
      case .performStarts, .performRenders: run()
      case .finish: state.engine.finishTurn()
      }
    }
    if let follower { passEnded(for: follower, at: now) }
    turnTime = outerTime
    follow(state.endTurn(isNested: isNested))
    slots.turnEnded(self)
    updateTimer()
    if !isWatchingNetwork, state.engine.hasLackedNetwork {
      isWatchingNetwork = true
      networkWatch.add(self)
    }
    if !waiters.isEmpty { resumeWaiters() }
  }

  /// Checks a few cells for an unreported deallocation; O(1).
  private func deadCells() -> [(id: CellID, entry: CellTable.Entry)] {
    var dead: [(id: CellID, entry: CellTable.Entry)] = []
    var left = state.cells.checksInTurn
    for _ in 0..<8 * left where left > 0 {
      guard let next = state.cells.nextToCheck() else { continue }
      left -= 1
      if next.entry.cell == nil { dead.append(next) }
    }
    return dead
  }

  private func evaluate(at now: Int64) {
    let mail = inbox.empty()
    if !mail.arrivals.isEmpty { commit(mail.arrivals, at: now) }
    let errors = state.hasStreams ? takeElements(of: mail.streams, at: now) : []
    if !followed.isEmpty { followOrders() }
    record(.passEnd)
    if state.engine.hasWindows { state.engine.expectRows(at: now) }
    let lost = state.engine.cellsToBindAnew.count
    state.engine.endTurn(at: now)
    // The next turn finds the positions of cells that were bound anew in the order.
    if state.engine.cellsToBindAnew.count < lost, !followed.isEmpty { requestTurn() }
    for (row, error) in errors { state.streamFailed(row, error) }
    state.dropBodies()
  }

  private func commit(_ arrived: [Inbox.Arrival], at now: Int64) {
    let ended = state.ended(arrived)
    if let batches = closures.batches {
      for run in ended { endInBatch(run, batches, at: now) }
    } else {
      for run in ended { end(run, at: now) }
    }
    // Of a load that has ended, only the end is shown.
    for arrival in arrived where !arrival.isEnd { step(arrival.id) }
  }

  private func step(_ id: UpdateID) {
    guard let (run, operation, row) = state.stepping(id) else { return }
    if let batches = closures.batches { return stepInBatch(run, operation, batches) }
    guard let hasValue = closures.step(operation, row) else { return }
    recordStep(of: operation, hasValue: hasValue)
    state.engine.take(.step(run, hasValue: hasValue), at: time)
  }

  /// The store reads the result, the engine accepts it, and the store keeps it.
  private func end(_ run: RunID, at now: Int64) {
    guard let ending = state.beginEnding(run) else { return }
    let (operation, row) = (ending.operation, ending.row)
    let stage = ending.isCancelled ? operation.stageLog.cancelledAt : nil
    var isAccepted = false
    let error = closures.end(operation, row, ending.isCurrent) { outcome in
      recordEnd(ending, outcome)
      isAccepted = state.engine.take(.end(run, outcome), at: now)
      if let stage, case .failure = outcome { state.cancelledPerStage[stage, default: 0] += 1 }
      return isAccepted
    }
    state.finishEnding(ending, isAccepted ? error : nil)
  }

  // MARK: Events

  private func report(_ report: TrackerEngine.Report) {
    switch report.kind {
    case .joined(let run), .started(let run), .finished(let run), .failed(let run),
      .cancelled(let run),
      .stopped(let run), .refused(let run):
      if let batches = closures.batches { return self.report(report, of: run, batches) }
      guard let operation = state.operation(of: run) else { return }
      closures.report(report, operation, nil)
    case .timedOut(let run):
      if let batches = closures.batches { return self.report(report, of: run, batches) }
      guard let operation = state.operation(of: run) else { return }
      closures.report(report, operation, Self.timeOut)
    case .displayed, .endedDisplaying, .prefetched, .landing, .waiting, .leftWaiting, .evicted,
      .listening, .stoppedListening:
      closures.report(report, nil, nil)
    }
  }
}
