import Foundation

/// The shell of an engine, without types of rows and values: maps objects to numbers, performs
/// effects.
///
/// All state is changed on the main actor.
@MainActor
@usableFromInline
package final class TrackerCore {
  /// Makes the operation of one row, or of the rows of a batch; `nil` if there is nothing to load.
  @usableFromInline typealias Maker =
    @MainActor (_ rows: [RowID], _ generation: UInt64) -> (any TrackedUpdate)?
  /// A value, `nil` if the answer to a batch lacks the row, or an error.
  @usableFromInline typealias Outcome = Result<AnyValue?, any Error>
  /// Returns the outcome of an update, or that of a row at a place in a batch; `nil` for no row.
  @usableFromInline typealias Reader =
    @MainActor (any TrackedUpdate, _ member: (place: Int, row: RowID)?) -> Outcome
  /// Forgets rows, which it adds to the objects to release.
  @usableFromInline typealias Forgetter =
    @MainActor (_ rows: [RowID], _ discarded: inout ContiguousArray<Any>) -> Void

  var state: TrackerState
  var streams: [RowID: OpenStream] = [:]
  /// Rows whose errors have the body of a response.
  var bodies: Set<RowID> = []
  /// Cancelled operations by the stage that they stopped in.
  var cancelledPerStage: [UpdateStage: Int] = [:]
  let store: any RowStore
  // Closures of inlinable code are compiled for the app's types; no override of a generic class is
  // (figures B12 and B13).
  let makeUpdate: Maker
  let readOutcome: Reader
  let forgetRows: Forgetter
  package let slots: UpdateSlots
  /// That of the tracker in its slots.
  nonisolated let number: Int
  let queue = OperationQueue()
  let qualityOfService: QualityOfService
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
  let usesLanes: Bool
  var turnItem: DispatchWorkItem?
  /// Used once a load has failed for lack of a network.
  var networkWatch = NetworkWatch.shared
  var isWatchingNetwork = false
  /// Set if the app observes impressions.
  var follower: (any TurnFollowing)?
  var timer: (deadline: Int64, task: Task<Void, Never>)?
  var lists = TrackerLists()
  /// The lists with a known order, found by the rows on screen.
  var followed: [ListNumber: FollowedOrder] = [:] {
    didSet { state.engine.hasOrder = !followed.isEmpty }
  }
  /// The last rename, and the last before a turn.
  var lastRename = 0
  var lastEndedRename = 0
  var waiters: [Waiter] = []
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init<Row, Value>(
    _ store: TrackerStore<Row, Value>, batchSize: Int, makeUpdate: @escaping Maker,
    readOutcome: @escaping Reader, forgetRows: @escaping Forgetter
  ) {
    let configuration = store.configuration
    state = TrackerState(
      TrackerEngine.Settings(configuration, store.live, batchSize: batchSize),
      clock: TrackerClock(configuration.clock))
    self.store = store
    self.makeUpdate = makeUpdate
    self.readOutcome = readOutcome
    self.forgetRows = forgetRows
    looksUp = configuration.cached != nil
    usesLanes = configuration.lane != nil
    slots = configuration.slots.forOneTracker
    number = slots.reserveNumber()
    qualityOfService = configuration.qualityOfService
    queue.qualityOfService = qualityOfService
    inbox = Inbox(slots: slots)
    inbox.core = self
    slots.add(self)
    AppWatch.shared.add(self)
    turnItem = DispatchWorkItem { [weak self] in self?.takeTurn() }
  }

  deinit {
    timer?.task.cancel()
    let running = state.operations.compactMap(\.self)
    slots.trackerEnded(number, bodies: running.count)
    for operation in running { operation.cancel() }
    for open in streams.values { open.stream.close() }
  }

  /// Covers the lists and drops values kept by cost: the system ends large background apps.
  func appWentIntoBackground() {
    cover(.background)
    if state.engine.settings.costLimit != nil { enter(.removeCachedValues) }
  }

  /// A copy, for tests.
  package var engine: TrackerEngine { state.engine }

  package var time: Int64 { state.time }

  // MARK: Inputs

  func enter(_ input: TrackerInput<RowID, AnyObject>) {
    let now = time
    switch input {
    case .willDisplay(_, let cell): return willDisplay(cell)
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell)
    case .unbind(let cell): return unbind(cell)
    case .suspend: cover(.suspended)
    case .resume: uncover(.suspended)
    case .networkDidReturn: networkWatch.healPages()
    default: break
    }
    record(input)
    let known = input.map(row: { $0 }, cell: { state.id(of: $0, at: now) })
    if let known { state.engine.take(known, at: now) }
    run()
    followMotion(input)
  }

  /// A motion changes the next deadline, and its end the loads.
  private func followMotion(_ input: TrackerInput<RowID, AnyObject>) {
    switch input {
    case .scrollWillBegin, .scrollDidMove, .scrollWillEnd, .listScrollWillBegin,
      .listScrollDidMove, .listScrollWillEnd:
      updateTimer()
    case .scrollDidSettle, .listScrollDidSettle, .suspend: requestTurn()
    default: break
    }
  }

  private func unbind(_ cell: AnyObject) {
    record(.unbind(cell: cell))
    guard let id = state.cells.id(at: cell) else { return }
    let isRefused = state.engine.refuses(nil, in: id)
    state.engine.take(.unbind(cell: id), at: time)
    if isRefused { reportEndlessBinding() }
    run()
  }

  func willDisplay(_ cell: AnyObject) {
    let (next, isRecorded) = state.willDisplay(cell)
    if isRecorded { record(.willDisplay(row: nil, cell: cell)) }
    follow(next)
  }

  func didEndDisplaying(_ cell: AnyObject) {
    let (next, isRecorded) = state.didEndDisplaying(cell)
    if isRecorded { record(.didEndDisplaying(row: nil, cell: cell)) }
    follow(next)
  }

  @usableFromInline
  func addRow() -> RowID { state.engine.addRow() }

  // MARK: Binding

  /// Binds a cell, and renders it if that is due.
  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    render: @escaping @MainActor (AnyObject, RowContent) -> Void
  ) {
    let due = state.bind(
      cell, to: row, in: host, rendersLeaving: rendersLeaving,
      renderer: CellTable.Renderer(render: render))
    if due.isRecorded { recordBind(cell, to: row, in: host) }
    if let content = due.content { render(cell, content) }
    let next = state.endBinding(due.binding)
    if due.binding.isRefused { reportEndlessBinding() }
    if !due.binding.isHostSound { reportCircle() }
    follow(next)
    // After the render, which may lay the list out.
    for hook in lists.bindHooks { hook(host ?? cell) }
  }

  private func recordBind(_ cell: AnyObject, to row: RowID?, in host: AnyObject?) {
    switch (row, host) {
    case (let row, let host?): record(.viewFor(row: row, view: cell, host: host))
    case (let row?, nil): record(.cellFor(row: row, cell: cell))
    case (nil, nil): record(.unbind(cell: cell))
    }
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

  // MARK: Values

  func setValue(_ value: AnyValue, of row: RowID) {
    record(.setValue(row: row))
    let cost = cost(of: value)
    state.engine.take(.setValue(row, cost: cost), at: time)
    state.keep(value, of: row)
  }

  func cost(of value: AnyValue) -> Int {
    guard state.engine.settings.costLimit != nil else { return 0 }
    return call { store.cost(of: value) }
  }

  /// Looks up a row without a value in the app's cache.
  @usableFromInline
  func lookUp(_ row: RowID) {
    guard looksUp, state.engine.wantsLookUp(row), let value = call({ store.cached(row) }),
      state.engine.wantsLookUp(row)
    else { return }
    setValue(value, of: row)
  }

  func content(of row: RowID) -> RowContent {
    state.content(of: state.engine.snapshot(of: row))
  }

  /// Releases an object of the app outside of changes.
  func discard(_ object: Any) { state.discarded.append(object) }

  /// Releases an old instance outside of changes.
  @usableFromInline
  func replaced(_ row: RowID, _ old: Any) {
    discard(old)
    state.engine.rowReplaced(row)
  }

  /// The effects of the app's calls wait until the code has returned.
  func call<Output>(_ body: () -> Output) -> Output {
    state.engine.turns.callBegan()
    defer { state.engine.turns.callEnded() }
    return body()
  }
}
