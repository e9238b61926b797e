import Foundation

/// Keeps the books of a list whose rows load asynchronously: what is on screen, what will be, which
/// loads that takes, and which value belongs into which cell.
///
/// Tell it what the list tells you, by cell and by row id, and it loads what is wanted, cancels what
/// is not, and renders each cell with its own row's phase, never with another's.
///
/// ```swift
/// let tracker = DisplayTracker<Photo.ID, UIImage> { context in
///   let data = try await context.stage(.fetch) { try await download(context.row) }
///   return try await context.stage(.decode) { try decode(data) }
/// }
///
/// tracker.bind(cell, to: photo.id) { cell, phase in cell.picture.image = phase.value }  // cellFor
/// tracker.willDisplay(cell)
/// tracker.didEndDisplaying(cell)
/// ```
///
/// **One rule**: being displayed belongs to the cell, and the row to its binding; a row is displayed
/// while a displayed cell is bound to it. So the order of `bind` and `willDisplay` does not matter,
/// binding a displayed cell anew moves its claim, and a cell that is bound but not displayed starts
/// nothing. A row can be displayed by several cells at once.
///
/// **Claims**: a row's work lives while it has a claim: displayed, expected where the list will come
/// to rest, or prefetched. The strongest claim is its priority. Without a claim a running load lives
/// on for the configuration's `grace`.
///
/// **Turns**: events only take note. What follows from them is decided when the pass ends, in the
/// next turn of the main queue: values that arrived are committed, displayed rows first; rows that
/// gained or lost claims are judged; free slots are given away; and each cell whose row changed is
/// rendered once.
///
/// **Threading**: everything happens on the main actor, and no call blocks. Update closures run
/// elsewhere.
///
/// **Re-entrancy**: `render`, `onEvent` and the other closures may call the tracker. Such a call
/// takes effect when the closure has returned.
///
/// **Cost**: each event is O(1); a turn is O(what changed). A row that scrolls past costs a few
/// dictionary look-ups and no operation.
///
/// **Lifetime**: when the tracker goes, its operations are cancelled.
///
/// What to call for which list: <doc:HowAListTalksToYou>.
@MainActor
public final class DisplayTracker<Row: Hashable & Sendable, Value: Sendable> {
  typealias MakeOperation = @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?

  @usableFromInline let configuration: TrackerConfiguration<Row, Value>
  /// Whether the app has a cache of its own.
  @usableFromInline let hasCache: Bool
  /// Whether rows may share loads.
  @usableFromInline let sharesLoads: Bool
  /// Whether anybody wants to know what happens.
  @usableFromInline let tellsEvents: Bool
  @usableFromInline let slots: UpdateSlots
  let makeOperation: MakeOperation
  let clock: TrackerClock
  let queue = OperationQueue()
  let inbox: Inbox<Value>

  @usableFromInline package internal(set) var machine: TrackerMachine
  @usableFromInline var rows = RowTable<Row>()
  @usableFromInline var cells = CellTable()
  /// By load.
  @usableFromInline var values: ContiguousArray<Value?> = []
  var resources = ResourceTable()
  @usableFromInline var errors: [LoadID: any Error] = [:]
  /// Operations that have not come to their end, by generation.
  var runs: [UInt64: Run] = [:]

  // Calls that arrive while the tracker calls out wait here.
  @usableFromInline var isCallingOut = false
  var isDraining = false
  var laterCalls: [(DisplayTracker) -> Void] = []
  @usableFromInline var hasLaterCalls = false
  var events: [TrackerEvent<Row>] = []
  var isTellingEvents = false
  /// Writes down what the tracker is told, if somebody asked for it.
  @usableFromInline var recorder: EventRecorder<Row>?

  @usableFromInline var isTurnRequested = false
  /// When the last turn was taken for arrivals, on the system's clock.
  var lastArrivals: UInt64 = 0
  /// The time of the last turn that was taken.
  var lastTurnTime: Int64 = 0
  /// The time of the turn that is being taken.
  @usableFromInline var turnTime: Int64?
  /// Loads whose cells this turn is to render, and those whose values it committed.
  @usableFromInline var changedLoads: [LoadID] = []
  @usableFromInline var committedLoads: [LoadID] = []
  var timer: (deadline: Int64, task: Task<Void, Never>)?

  var waiters: [UInt64: Waiter] = [:] {
    didSet { hasWaiters = !waiters.isEmpty }
  }
  @usableFromInline var hasWaiters = false
  var lastWaiter: UInt64 = 0
  var watches: [ProgressWatch<Row>] = []
  /// Rows whose loads this turn has brought to an end, if anybody watches; they may be forgotten when
  /// it is over.
  var endedRows: Set<Row> = []

  /// Makes a tracker that loads rows with a closure.
  ///
  /// - Parameters:
  ///   - configuration: How to go about it.
  ///   - update: Makes a row's value, in stages; runs off the main actor. What it throws is the
  ///     row's failure.
  public convenience init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    update: @escaping @Sendable (UpdateContext<Row>) async throws -> Value
  ) {
    self.init(
      configuration: configuration,
      operation: { UpdateOperation(token: $0, update: update) })
  }

  /// Makes a tracker that loads rows with operations of your own.
  ///
  /// - Parameters:
  ///   - configuration: How to go about it.
  ///   - operation: Makes the operation that loads a row, with the token that it is given; asked when
  ///     a slot is free for it. It must be new each time. `nil`: there is nothing to load for this
  ///     row.
  public init(
    configuration: TrackerConfiguration<Row, Value> = .init(),
    operation: @escaping @MainActor (RowToken<Row>) -> UpdateOperation<Row, Value>?
  ) {
    self.configuration = configuration
    hasCache = configuration.cached != nil
    sharesLoads = configuration.resource != nil
    tellsEvents = configuration.onEvent != nil
    slots = configuration.slots
    makeOperation = operation
    machine = TrackerMachine(settings: TrackerMachine.Settings(configuration))
    clock = TrackerClock(configuration.clock)
    queue.qualityOfService = configuration.qualityOfService
    let owner = WeakTracker<Row, Value>(slots: slots)
    inbox = Inbox(announce: owner.takeTurn)
    owner.tracker = self
    slots.add(self)
  }

  deinit {
    timer?.task.cancel()
    let running = runs.values.filter { !$0.isAbandoned }
    // Its loads leave the slots' count with it; their bodies are still to come to an end.
    DispatchQueue.main.async { [slots] in
      slots.abandon(running.count)
      slots.admit()
    }
    for run in running { run.operation.cancel() }
  }

  // MARK: Cells

  /// A cell is to show a row from now on.
  ///
  /// Call it where the list asks for a cell. `render` is called at once with the phase of the
  /// moment, then at each change for as long as the cell shows the row, and never again once the
  /// cell was bound to another one. Binding the same row again keeps the row's work and replaces
  /// `render`.
  ///
  /// - Parameters:
  ///   - cell: Any object that stands for a place on screen: a UIKit cell, a SwiftUI row's state
  ///     object, a GTK list item's box. Held weakly.
  ///   - row: The row's identity in your model; not an index path.
  ///   - render: Shows a phase in the cell, on the main actor. Do not capture the cell.
  @inlinable
  public func bind<Cell: AnyObject>(
    _ cell: Cell, to row: Row, render: @escaping @MainActor (Cell, RowPhase<Value>) -> Void
  ) {
    guard !isCallingOut else { return later { $0.bind(cell, to: row, render: render) } }
    recorder?.bound(cell, to: row, at: time)
    let rowID = intern(row)
    if hasCache { lookUp(row, rowID) }
    let id = liveID(of: cell)
    if tellsEvents { noteMove(of: id, to: rowID) }
    machine.cellBound(id, to: rowID)
    cells.setRenderer(TypedRenderer(render), of: id)
    let phase = phase(of: machine.load(of: rowID))
    isCallingOut = true
    render(cell, phase)
    isCallingOut = false
    settle()
  }

  /// A cell no longer shows its row; it may still be displayed.
  ///
  /// Not needed when a cell is bound anew, or before it is deallocated.
  public func unbind(_ cell: AnyObject) {
    guard !isCallingOut else { return laterIfKnown(cell) { $0.unbind($1) } }
    recorder?.unbound(cell, at: time)
    switch cells.find(cell) {
    case .no: return
    case .dead(let id): forget(id)
    case .yes(let id): unbind(id)
    }
    settle()
  }

  /// A cell came on screen.
  ///
  /// May come before the cell is bound, and again without a `bind` in between.
  @inlinable
  public func willDisplay(_ cell: AnyObject) {
    guard !isCallingOut else { return later { $0.willDisplay(cell) } }
    recorder?.displayed(cell, at: time)
    display(cell)
    settle()
  }

  /// A cell left the screen.
  ///
  /// The row is the one that the cell is bound to, whatever index path the list names. Unknown cells
  /// and repeated calls are ignored. May be called from the cell's `deinit`.
  @inlinable
  public func didEndDisplaying(_ cell: AnyObject) {
    guard !isCallingOut else { return laterIfKnown(cell) { $0.didEndDisplaying($1) } }
    recorder?.ended(cell, at: time)
    end(cell)
    settle()
  }

  /// What is truly on screen, to repair whatever events were missed or sent in vain.
  ///
  /// O(cells that the tracker knows).
  ///
  /// - Parameter displayedCells: All cells that are on screen now, bound or not.
  public func reconcile<Cell: AnyObject>(displayedCells: some Sequence<Cell>) {
    let displayed = Array(displayedCells)
    guard !isCallingOut else { return later { $0.reconcile(displayedCells: displayed) } }
    recorder?.reconciled(displayed.map { $0 as AnyObject }, at: time)
    for cell in displayed { display(cell) }
    for id in cells.ids(except: Set(displayed.map { ObjectIdentifier($0) })) {
      end(id)
    }
    settle()
  }

  @usableFromInline
  func display(_ cell: AnyObject) {
    let id = liveID(of: cell)
    let wasDisplayed = machine.cells[id].isDisplayed
    machine.cellDisplayed(id)
    if !wasDisplayed, tellsEvents { note(.displayed, of: machine.cells[id].row) }
  }

  /// Has a goodbye wait without holding on to the cell, which may say it from its `deinit`.
  @usableFromInline
  func laterIfKnown(
    _ cell: AnyObject, _ call: @escaping (DisplayTracker, AnyObject) -> Void
  ) {
    switch cells.find(cell) {
    case .no: return
    case .yes: later { call($0, cell) }
    case .dead: requestTurn()  // Which finds that it is dead.
    }
  }

  private func unbind(_ id: CellID) {
    if tellsEvents { noteMove(of: id, to: nil) }
    machine.cellUnbound(id)
    dropRenderer(of: id)
  }

  /// Lets go of what renders a cell that is bound no longer.
  func dropRenderer(of id: CellID) {
    cells.dropRenderer(of: id)
    forgetIfUnused(id)
  }

  /// Notes that a displayed cell goes from one row to another, or to none.
  @usableFromInline
  func noteMove(of id: CellID, to row: RowID?) {
    guard machine.cells[id].isDisplayed, machine.cells[id].row != row else { return }
    note(.endedDisplaying, of: machine.cells[id].row)
    note(.displayed, of: row)
  }

  @usableFromInline
  func end(_ cell: AnyObject) {
    switch cells.find(cell) {
    case .no: break
    case .dead(let id): forget(id)
    case .yes(let id): end(id)
    }
  }

  private func end(_ id: CellID) {
    if tellsEvents, machine.cells[id].isDisplayed {
      note(.endedDisplaying, of: machine.cells[id].row)
    }
    machine.cellEnded(id)
    forgetIfUnused(id)
  }

  /// The number of a cell that is known, or a new one.
  @usableFromInline
  func liveID(of cell: AnyObject) -> CellID {
    switch cells.find(cell) {
    case .yes(let id):
      return id
    case .dead(let id):
      forget(id)
    case .no:
      break
    }
    let id = machine.cellAppeared()
    cells.insert(cell, as: id)
    return id
  }

  func forget(_ id: CellID) {
    guard machine.cells.contains(id) else { return }
    if machine.cells[id].isDisplayed { note(.endedDisplaying, of: machine.cells[id].row) }
    machine.cellVanished(id)
    // What renders it may hold the last reference to another cell, which then says goodbye.
    let gone = cells.remove(id)
    withExtendedLifetime(gone) {}
  }

  private func forgetIfUnused(_ id: CellID) {
    guard !machine.cells[id].isDisplayed, machine.cells[id].row == nil else { return }
    forget(id)
  }
}
