import Foundation

/// Everything of a tracker that changes: the engine, and the objects that its numbers stand for.
///
/// It is one value behind one property, so that a call checks for exclusive access once and not at each
/// field. No code of the app's runs while it is being changed: objects that are no longer needed wait in
/// `garbage` for the loop to release them.
@MainActor
struct TrackerBooks {
  var engine: TrackerEngine
  var cells = CellTable()
  /// Operations that have not come to their end, by run.
  var operations: ContiguousArray<(any TrackedUpdate)?> = []
  var errors: [LoadID: any Error] = [:]
  var garbage = Garbage()

  /// Whether the app's code may be running, called from the loop or by `bind`.
  var isBusy = false
  var isTurnRequested = false
  /// Whether a load that was admitted needed no operation.
  var hasFreedSlots = false

  /// Objects of the app that are to be released when nothing is being changed.
  struct Garbage {
    var renderers: ContiguousArray<CellTable.Renderer> = []
    var objects: ContiguousArray<AnyObject> = []
    var errors: ContiguousArray<any Error> = []

    var isEmpty: Bool { renderers.isEmpty && objects.isEmpty && errors.isEmpty }
  }

  /// What a call has to do when the books are closed again.
  struct Aftermath {
    var hasWork = false
    var needsTurn = false
  }

  init(_ settings: TrackerEngine.Settings) { engine = TrackerEngine(settings: settings) }

  /// Whether there is work for the loop and nobody runs it, and whether a turn has to be asked for.
  mutating func aftermath() -> Aftermath {
    guard !isBusy else { return Aftermath() }
    let needsTurn = engine.needsTurn && !isTurnRequested
    if needsTurn { isTurnRequested = true }
    return Aftermath(
      hasWork: engine.pendingEffects > 0 || !garbage.isEmpty || hasFreedSlots, needsTurn: needsTurn)
  }

  // MARK: Cells

  /// The number of a cell, a new one if it is not known.
  mutating func id(of cell: AnyObject, at now: Int64) -> CellID {
    if let entry = cells.find(cell) {
      if entry.cell === cell { return entry.id }
      forgetDead(entry, at: now)
    }
    let id = engine.cellAppeared()
    cells.insert(cell, as: id)
    return id
  }

  mutating func forgetDead(_ entry: CellTable.Entry, at now: Int64) {
    cells.unlist(entry)
    engine.vanished(entry.id, at: now)
  }

  mutating func willDisplay(_ cell: AnyObject, at now: Int64) -> Aftermath {
    engine.willDisplay(id(of: cell, at: now), at: now)
    return aftermath()
  }

  /// Looks at the address alone: the cell may be deallocated at this moment.
  mutating func didEndDisplaying(_ cell: AnyObject, at now: Int64) -> Aftermath {
    guard let entry = cells.find(cell) else { return Aftermath() }
    engine.didEndDisplaying(entry.id, at: now)
    return aftermath()
  }

  mutating func apply(_ input: TrackerInput<RowID, AnyObject>, at now: Int64) -> Aftermath {
    switch input {
    case .didEndDisplaying(_, let cell): return didEndDisplaying(cell, at: now)
    case .unbind(let cell): if let entry = cells.find(cell) { engine.unbound(entry.id, at: now) }
    default:
      if let input = input.map(row: { $0 }, cell: { id(of: $0, at: now) }) {
        engine.apply(input, at: now)
      }
    }
    return aftermath()
  }

  mutating func sweep(at now: Int64) {
    for entry in cells.sweep() { forgetDead(entry, at: now) }
  }

  // MARK: Binding

  mutating func bind(
    _ cell: AnyObject, to row: RowID?, in host: AnyObject?, renderer: @escaping CellTable.Renderer,
    at now: Int64
  ) -> TrackerCore.Binding {
    let id = id(of: cell, at: now)
    let hostID = host.map { self.id(of: $0, at: now) }
    let isSound = engine.bind(id, to: row, in: hostID, at: now)
    if let row {
      if let old = cells.setRenderer(renderer, of: id) { garbage.renderers.append(old) }
      let snapshot = engine.snapshot(of: row)
      return beginRender(id, snapshot, isHostSound: isSound)
    }
    return beginRender(id, .idle, isHostSound: isSound)
  }

  private mutating func beginRender(
    _ cell: CellID, _ snapshot: Snapshot, isHostSound: Bool
  ) -> TrackerCore.Binding {
    let wasBusy = isBusy
    isBusy = true
    return TrackerCore.Binding(
      cell: cell, serial: engine.cells[cell].serial, wasBusy: wasBusy, isHostSound: isHostSound,
      snapshot: snapshot, error: error(of: snapshot))
  }

  mutating func rendered(_ binding: TrackerCore.Binding) -> Aftermath {
    checkBinding(of: binding.cell, binding.serial)
    isBusy = binding.wasBusy
    return aftermath()
  }

  /// The app may have bound a cell anew while it was rendered.
  mutating func checkBinding(of cell: CellID, _ serial: UInt64) {
    guard engine.cells.contains(cell), engine.cells[cell].serial != serial else { return }
    engine.renderWasOvertaken(cell)
  }

  // MARK: Renders

  /// What it takes to render a cell.
  struct Render {
    let cell: AnyObject
    let renderer: CellTable.Renderer
    let snapshot: Snapshot
    let error: (any Error)?
    let serial: UInt64
  }

  func render(of cell: CellID) -> Render? {
    guard let row = engine.cells[cell].row else { return nil }
    return render(of: cell, engine.snapshot(of: row))
  }

  func render(of cell: CellID, _ snapshot: Snapshot) -> Render? {
    guard let entry = cells[cell], let renderer = entry.renderer, let object = entry.cell else {
      return nil
    }
    return Render(
      cell: object, renderer: renderer, snapshot: snapshot, error: error(of: snapshot),
      serial: engine.cells[cell].serial)
  }

  mutating func dropRenderer(of cell: CellID) {
    guard engine.cells.contains(cell), engine.cells[cell].row == nil,
      let old = cells.setRenderer(nil, of: cell)
    else { return }
    garbage.renderers.append(old)
  }

  func error(of snapshot: Snapshot) -> (any Error)? {
    switch snapshot.failure {
    case .none: nil
    case .error: errors[snapshot.load] ?? CancellationError()
    case .timeOut: TrackerCore.timeOut
    }
  }

  // MARK: The end of things

  mutating func keepError(_ error: any Error, of load: LoadID) {
    if let old = errors.updateValue(error, forKey: load) { garbage.errors.append(old) }
  }

  mutating func dropError(of load: LoadID) {
    if let old = errors.removeValue(forKey: load) { garbage.errors.append(old) }
  }

  mutating func forget(_ cell: CellID) {
    if let entry = cells.remove(cell) { garbage.objects.append(entry) }
  }

  mutating func keep(_ operation: any TrackedUpdate, as run: RunID) {
    operations.extend(to: Int(run.index), with: nil)
    operations[Int(run.index)] = operation
  }

  mutating func forget(_ run: RunID) {
    guard Int(run.index) < operations.count, let old = operations[Int(run.index)] else { return }
    operations[Int(run.index)] = nil
    garbage.objects.append(old)
    if engine.runs.count == 0 { operations.emptyForReuse() }
  }

  /// Takes one object out of the garbage, for the caller to release.
  mutating func takeGarbage() -> Any? {
    if let renderer = garbage.renderers.popLast() { return renderer }
    return garbage.objects.popLast() ?? garbage.errors.popLast()
  }
}
