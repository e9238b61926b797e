import Foundation

/// The shell of an engine, without types of rows and values: maps objects to numbers, and performs
/// effects.
///
/// Rows and values are in `TrackerStore`. All state is changed on the main actor.
@MainActor
@usableFromInline
package final class TrackerCore {
  var state: TrackerState
  var streams: [RowID: OpenStream] = [:]
  var errors: [RowID: any Error] = [:]
  /// Rows whose errors have the body of a response.
  var bodies: Set<RowID> = []
  /// Cancelled operations by the stage that they stopped in.
  var cancelledPerStage: [UpdateStage: Int] = [:]
  let closures: TrackerClosures
  package let slots: UpdateSlots
  let queue = OperationQueue()
  let qualityOfService: QualityOfService
  let inbox: Inbox
  @usableFromInline let looksUp: Bool
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
  var waiters: [Waiter] = []
  var lastWaiter: UInt64 = 0

  @usableFromInline
  init(_ options: TrackerOptions, closures: TrackerClosures) {
    state = TrackerState(options.settings, clock: TrackerClock(options.clock))
    looksUp = options.looksUp
    slots = options.slots
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
    for open in streams.values { open.stream.close() }
  }

  /// Covers the lists and drops values kept by cost: the system ends background apps that use much
  /// memory.
  func appWentIntoBackground() {
    cover(.background)
    if state.engine.settings.costLimit != nil { enter(.removeCachedValues) }
  }

  /// A copy, for tests.
  package var engine: TrackerEngine { state.engine }

  @usableFromInline package var time: Int64 { state.time }

  // MARK: Inputs

  func enter(_ input: TrackerInput<RowID, AnyObject>) {
    let now = time
    switch input {
    case .willDisplay(_, let cell): return willDisplay(cell)
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell)
    case .unbind(let cell):
      record(input)
      guard let id = state.cells.id(at: cell) else { return }
      let isRefused = state.engine.refuses(nil, in: id)
      state.engine.take(.unbind(id), at: now)
      if isRefused { reportEndlessBinding() }
    default:
      record(input)
      let known = input.map(row: { $0 }, cell: { state.id(of: $0, at: now) })
      if let input = known.flatMap(TrackerEngine.Input.init) { state.engine.take(input, at: now) }
    }
    run()
  }

  @usableFromInline
  func willDisplay(_ cell: AnyObject) {
    let (next, isRecorded) = state.willDisplay(cell)
    if isRecorded { record(.willDisplay(row: nil, cell: cell)) }
    follow(next)
  }

  @usableFromInline
  func didEndDisplaying(_ cell: AnyObject) {
    let (next, isRecorded) = state.didEndDisplaying(cell)
    if isRecorded { record(.didEndDisplaying(row: nil, cell: cell)) }
    follow(next)
  }

  @usableFromInline
  func addRow() -> RowID { state.engine.addRow() }

  // MARK: Binding

  @usableFromInline
  func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, rendersLeaving: Bool,
    renderer: @escaping @MainActor (AnyObject, Snapshot, (any Error)?) -> Void
  ) -> TrackerEngine.Binding {
    let (binding, isRecorded) = state.bind(
      cell, to: row, in: host, rendersLeaving: rendersLeaving,
      renderer: CellTable.Renderer(render: renderer))
    if isRecorded { recordBind(cell, to: row, in: host) }
    return binding
  }

  private func recordBind(_ cell: AnyObject, to row: RowID?, in host: AnyObject?) {
    switch (row, host) {
    case (let row, let host?): record(.viewFor(row: row, view: cell, host: host))
    case (let row?, nil): record(.cellFor(row: row, cell: cell))
    case (nil, nil): record(.unbind(cell: cell))
    }
  }

  /// The caller has rendered a cell that it bound, if that is due.
  ///
  /// - Parameter view: The bound view or its host.
  @usableFromInline
  func rendered(_ binding: TrackerEngine.Binding, in view: AnyObject) {
    let next = state.endBinding(binding)
    if binding.isRefused { reportEndlessBinding() }
    if !binding.isHostSound { reportCircle() }
    follow(next)
    // After the render, which may lay the list out.
    for hook in lists.bindHooks { hook(view) }
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

  /// The effects of the app's calls wait until the code has returned.
  @usableFromInline
  func call<Output>(_ body: () -> Output) -> Output {
    state.engine.turns.callBegan()
    defer { state.engine.turns.callEnded() }
    return body()
  }
}
