import Foundation

extension DisplayTracker {
  // MARK: Prefetching

  /// Rows are likely to be displayed soon.
  ///
  /// They are loaded after everything that is displayed, in the order given, with all slots but one
  /// at most. A row that is prefetched already stays where it is; one that comes to be displayed has
  /// used its prefetch claim up.
  ///
  /// O(rows that are given).
  ///
  /// - Parameter rows: Nearest first. Beyond the configuration's `prefetchLimit` the far end is
  ///   ignored, and older claims go.
  public func prefetch(_ rows: some Sequence<Row>) {
    let wanted = Array(rows.prefix(machine.settings.prefetchLimit))
    guard !isCallingOut else { return later { $0.prefetch(wanted) } }
    recorder?.note("P", wanted, at: time)
    let ids = wanted.map(intern)
    machine.prefetched(ids)
    for id in ids { note(.prefetched, of: id) }
    settle()
  }

  /// Rows are not expected any more.
  ///
  /// Only their prefetch claim goes: what is displayed is loaded all the same. Rows that were never
  /// prefetched are ignored.
  ///
  /// O(rows that are given).
  public func cancelPrefetch(_ rows: some Sequence<Row>) {
    let unwanted = Array(rows)
    guard !isCallingOut else { return later { $0.cancelPrefetch(unwanted) } }
    recorder?.note("X", unwanted, at: time)
    for id in unwanted.compactMap(self.rows.id(of:)) { machine.prefetchCancelled(id) }
    settle()
  }

  // MARK: Values

  /// What a row has to show at the moment.
  ///
  /// O(1).
  public func phase(of row: Row) -> RowPhase<Value> {
    guard let load = knownLoad(of: row) else { return .idle }
    return phase(of: load)
  }

  /// Sets a row's value by hand, for a local edit.
  ///
  /// It counts as the newest load of the row: one that is running is cancelled. Cells that show the
  /// row are rendered in the next turn.
  public func setValue(_ value: Value, for row: Row) {
    guard !isCallingOut else { return later { $0.setValue(value, for: row) } }
    recorder?.note("v", row: row, at: time)
    let id = intern(row)
    keep(value, for: machine.rows[id].load)
    settle()
  }

  /// The rows' values are out of date.
  ///
  /// Rows with a claim are loaded again at once, others when they are claimed the next time. Until
  /// then they show the old value, as `previous`. Rows that the tracker does not know are ignored.
  ///
  /// O(rows that are given).
  public func invalidate(_ rows: some Sequence<Row>) {
    let stale = Array(rows)
    guard !isCallingOut else { return later { $0.invalidate(stale) } }
    recorder?.note("!", stale, at: time)
    for load in stale.compactMap(knownLoad(of:)) { machine.invalidated(load, at: time) }
    settle()
  }

  /// All values are out of date; as ``invalidate(_:)`` for all rows that the tracker knows.
  ///
  /// O(rows).
  public func invalidateAll() {
    guard !isCallingOut else { return later { $0.invalidateAll() } }
    recorder?.note("!*", at: time)
    for load in Array(machine.loads.ids) { machine.invalidated(load, at: time) }
    settle()
  }

  /// Invalidates rows and waits until each is loaded, has failed, or has no claim.
  ///
  /// For pull to refresh. Rows without a claim are invalidated and not waited for.
  ///
  /// **Cancellation**: a cancelled task stops waiting; the rows are loaded all the same.
  ///
  /// **Cost**: O(rows that are given) in each turn until then.
  public func refresh(_ rows: some Sequence<Row>) async {
    let stale = Array(rows)
    invalidate(stale)
    await wait(until: .settled(Set(stale)))
  }

  /// Loads a row again that has failed, if it has a claim; else forgets the failure.
  public func retry(_ row: Row) {
    guard !isCallingOut else { return later { $0.retry(row) } }
    recorder?.note("y", row: row, at: time)
    if let load = knownLoad(of: row) { machine.retried(load) }
    settle()
  }

  /// Retries all rows that have failed; for when the network is back.
  ///
  /// O(rows).
  public func retryFailed() {
    guard !isCallingOut else { return later { $0.retryFailed() } }
    for load in Array(machine.loads.ids) {
      if machine.canRetry(load) { recordRetry(of: load) }
      machine.retried(load)
    }
    settle()
  }

  // MARK: Removing

  /// Rows are gone from the model: their claims, loads, values and failures go at once.
  ///
  /// Nothing is rendered. Cells that still show them are unbound; those on screen wait for their next
  /// `bind`. A load that other rows share goes on for them.
  ///
  /// O(rows that are given and cells that show them).
  public func remove(_ rows: some Sequence<Row>) {
    let gone = Array(rows)
    guard !isCallingOut else { return later { $0.remove(gone) } }
    recorder?.note("-", gone, at: time)
    for row in gone {
      removeOne(row)
      carryOut()
    }
    if !watches.isEmpty { finishProgress(ofRowsWhere: Set(gone).contains) }
    settle()
  }

  /// All rows are gone from the model; as ``remove(_:)`` for all that the tracker knows.
  ///
  /// O(rows).
  public func removeAll() {
    guard !isCallingOut else { return later { $0.removeAll() } }
    recorder?.note("-*", at: time)
    for id in Array(machine.rows.ids) where machine.rows.contains(id) {
      removeOne(id)
    }
    // What is left are values whose rows are not known any more, as rows that share loads are not.
    for load in Array(machine.loads.ids) { machine.discardIfUnused(load, at: time) }
    carryOut()
    finishProgress { _ in true }
    settle()
  }

  /// Drops all values that no row claims; for memory warnings.
  ///
  /// O(values).
  public func removeCachedValues() {
    guard !isCallingOut else { return later { $0.removeCachedValues() } }
    recorder?.note("~*", at: time)
    machine.evictAll()
    settle()
  }

  private func removeOne(_ row: Row) {
    if let id = rows.id(of: row) {
      removeOne(id)
    } else if let load = knownLoad(of: row) {
      machine.discardIfUnused(load, at: time)
    }
  }

  private func removeOne(_ id: RowID) {
    let bound = Array(machine.cells(boundTo: id))
    for cell in bound where tellsEvents { noteMove(of: cell, to: nil) }
    machine.removed(id, at: time)
    for cell in bound { dropRenderer(of: cell) }
  }

  // MARK: Progress

  /// The progress of a set of rows: how many of them have been loaded, have failed, or were removed.
  ///
  /// The tracker holds it weakly.
  ///
  /// **Cancellation**: cancelling it, on any thread, cancels the prefetching of the rows.
  ///
  /// **Cost**: O(rows that are left) in each turn.
  public func progress(of rows: some Sequence<Row>) -> Progress {
    let pending = Set(rows)
    let progress = Progress(totalUnitCount: Int64(pending.count))
    progress.cancellationHandler = { [weak self] in
      DispatchQueue.main.async { self?.cancelPrefetch(pending) }
    }
    watches.append(ProgressWatch(progress: progress, pending: pending))
    updateProgress()
    return progress
  }

  // MARK: Looking up

  /// The number of a row, a new one if it is not known.
  @inlinable
  func intern(_ row: Row) -> RowID {
    if let id = rows.id(of: row) { return id }
    let id = sharesLoads ? sharingRowAppeared(row) : machine.rowAppeared()
    rows.insert(row, as: id)
    let load = Int(machine.load(of: id).index)
    if values.count <= load { values.extend(to: load, with: nil) }
    return id
  }

  /// A row is mentioned for the first time whose load may be that of others.
  @usableFromInline
  func sharingRowAppeared(_ row: Row) -> RowID {
    guard let resource = resource(of: row) else { return machine.rowAppeared() }
    let shared = resources.load(of: resource)
    let id = machine.rowAppeared(sharing: shared)
    if shared == nil { resources.insert(resource, as: machine.load(of: id)) }
    return id
  }

  func knownLoad(of row: Row) -> LoadID? {
    if let id = rows.id(of: row) { return machine.rows[id].load }
    return sharesLoads ? resource(of: row).flatMap(resources.load) : nil
  }

  private func resource(of row: Row) -> AnyHashable? {
    let resource = callOut { configuration.resource?(row) }
    // Who only looks something up does not go on to carry out what the closure has asked for.
    if hasLaterCalls { requestTurn() }
    return resource
  }

  /// Asks the app's cache for a row whose value is not there.
  @usableFromInline
  func lookUp(_ row: Row, _ id: RowID) {
    guard let cached = configuration.cached else { return }
    let load = machine.rows[id].load
    guard machine.loads[load].knowledge == .unknown, machine.loads[load].work != .running else {
      return
    }
    if let value = callOut({ cached(row) }) { keep(value, for: load) }
  }

  func keep(_ value: Value, for load: LoadID) {
    machine.valueFound(for: load, cost: cost(of: value), at: time)
    values[Int(load.index)] = value
    errors[load] = nil
  }

  func cost(of value: Value) -> Int { callOut { configuration.retention.cost(of: value) } }

  @inlinable
  func phase(of load: LoadID) -> RowPhase<Value> {
    let value = values[Int(load.index)]
    switch machine.phase(of: load) {
    case .idle:
      return .idle
    case .waiting:
      return .waiting(previous: value)
    case .loading:
      return .loading(previous: value)
    case .failed:
      return .failed(errors[load] ?? CancellationError(), previous: value)
    case .loaded:
      guard let value else { preconditionFailure("A loaded row has a value.") }
      return .loaded(value)
    }
  }
}
