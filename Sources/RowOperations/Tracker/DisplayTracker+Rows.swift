import Foundation

extension DisplayTracker {
  // MARK: Prefetching

  /// Rows are likely to be displayed soon.
  ///
  /// They are loaded after everything that is displayed, with all slots but one at most. The newest
  /// call goes first, its rows in the order given; a row that is given again is ranked anew. Rows
  /// whose place in the list is known (``setOrder(_:)``) go by how soon they come on screen
  /// instead.
  ///
  /// The claim ends when the row has a value or has failed, when it is displayed, when as many
  /// other rows as the configuration's `prefetchLimit` have come on screen since, or when the list
  /// jumps: when one pass replaces all rows on screen. Then an operation that has begun is
  /// cancelled after the configuration's `grace`.
  ///
  /// A row on screen takes the slot of a prefetched row that has been loading for twice as long as
  /// loads take, or for half a second while that is not known. A row that has given its slot away
  /// is not prefetched again before it was displayed or its claim has ended.
  ///
  /// O(rows that are given).
  ///
  /// - Parameter rows: Nearest first. Beyond the configuration's `prefetchLimit` the far end is
  ///   ignored, and older claims end.
  public func prefetch(_ rows: some Sequence<Row>) {
    let wanted = Array(rows.prefix(core.books.engine.settings.prefetchLimit))
    enter(.prefetch(wanted.map { intern($0) }))
  }

  /// Rows are not expected any more.
  ///
  /// Only their prefetch claim ends: displayed rows are loaded all the same. Rows that were never
  /// prefetched are ignored.
  ///
  /// O(rows that are given).
  public func cancelPrefetch(_ rows: some Sequence<Row>) {
    receive(.cancelPrefetch(Array(rows)))
  }

  // MARK: Scrolling

  // A host that does not report scrolling calls none of these, and nothing is held back.

  /// The list begins to move: a finger took hold of it, or an animation begins.
  ///
  /// The rows on which it was about to rest lose that claim.
  public func scrollWillBegin() {
    enter(.scrollWillBegin)
    core.updateTimer()
  }

  /// The list has moved.
  ///
  /// Call it for each change of the offset while the list is dragged or decelerates. When it has
  /// not been called for the configuration's `quietTime`, the list counts as settled, so that a
  /// lost end event holds nothing back for good.
  public func scrollDidMove() {
    enter(.scrollDidMove)
    core.updateTimer()
  }

  /// The finger let go of the list; it comes to rest with these rows on screen.
  ///
  /// They are loaded before everything else, unless the scroll policy is
  /// ``ScrollPolicy/whenSettled``. The claim ends when the list has settled, or moves anew.
  ///
  /// O(rows that are given).
  ///
  /// - Parameter rows: In the order in which they are to be loaded; empty if it is not known.
  public func scrollWillEnd(landingOn rows: some Sequence<Row>) {
    let landing = Array(rows)
    enter(.scrollWillEnd(landingOn: landing.map { intern($0) }))
    core.updateTimer()
  }

  /// The list has come to rest.
  public func scrollDidSettle() {
    enter(.scrollDidSettle)
    core.requestTurn()
  }

  /// The list is out of sight, though its cells may stay: nothing starts.
  ///
  /// Running loads finish and are kept, rows on screen keep their claims, and prefetch and landing
  /// claims end.
  public func suspend() {
    core.cover(.suspended)
    enter(.suspend)
    core.requestTurn()
  }

  /// The list is back.
  ///
  /// ``reconcile(displayedCells:)`` reports what has changed meanwhile. Rows on screen that have
  /// failed are loaded again within a second, unless they were given up; within three seconds if
  /// the list came back less than two seconds before. Rows that wait for another attempt go on
  /// waiting.
  ///
  /// O(failed rows).
  public func resume() {
    core.uncover(.suspended)
    enter(.resume)
    core.requestTurn()
  }

  /// The network is back.
  ///
  /// On Apple systems the tracker finds that out by itself, from the first failure for want of a
  /// network on. Call it elsewhere, or when a server is reachable again.
  ///
  /// Rows on screen that have failed are loaded again as after ``resume()``. Failures for want of a
  /// network are forgotten, also those of rows that were given up, and rows on screen among them
  /// are loaded again: time-outs, and `URLError`s such as `notConnectedToInternet`. Under
  /// ``RetryPolicy/never`` nothing happens, and `shouldRetry` has the last word.
  ///
  /// O(failed rows).
  public func networkDidReturn() { enter(.networkDidReturn) }

  // MARK: Values

  /// What a row has to show at the moment; the same as a cell that is bound to it now.
  ///
  /// O(1).
  public func phase(of row: Row) -> RowPhase<Value> {
    defer { if core.sharesLoads { core.run() } }
    guard let snapshot = snapshot(of: row) else { return .waiting(previous: nil) }
    return store.phase(snapshot, core.error(of: snapshot))
  }

  private func snapshot(of row: Row) -> Snapshot? {
    if let id = store.rows.id(of: row, RowTable.hash(row)) {
      return core.books.engine.snapshot(of: id)
    }
    return sharedLoad(of: row).map { core.books.engine.snapshot(ofNewRowSharing: $0) }
  }

  /// Sets a row's value by hand, for a local edit.
  ///
  /// It counts as the newest load of the row: one that is running is cancelled. Cells that show the
  /// row are rendered in the next turn.
  public func setValue(_ value: Value, for row: Row) {
    let id = intern(row)
    core.record(.setValue(row: id))
    set(value, for: id)
    core.run()
  }

  private func set(_ value: Value, for row: RowID) {
    let load = core.books.engine.rows[row].load
    let cost = core.call { store.cost(of: value) }
    core.books.engine.valueFound(for: load, cost: cost, at: core.time)
    store.keep(value, load)
  }

  /// The rows' values are out of date.
  ///
  /// Rows with a claim are loaded again at once, others when they are claimed the next time. Until
  /// then they show the old value, as `previous`. Rows that the tracker does not know are ignored.
  ///
  /// A load that runs goes on: its value is shown as `previous`, and one more load follows, however
  /// often this is called meanwhile.
  ///
  /// O(rows that are given).
  public func invalidate(_ rows: some Sequence<Row>) { receive(.invalidate(Array(rows))) }

  /// All values are out of date; as ``invalidate(_:)`` for all rows that the tracker knows.
  ///
  /// O(rows).
  public func invalidateAll() { enter(.invalidateAll) }

  /// Invalidates rows and waits until the next load of each has ended.
  ///
  /// For pull to refresh. It returns when the first load of each row that started after the call
  /// has brought a value or has failed, also if another attempt follows. Rows without a claim are
  /// invalidated and not waited for.
  ///
  /// **Cancellation**: a cancelled task stops waiting; the rows are loaded all the same.
  ///
  /// **Cost**: O(rows that are given) in each turn until then.
  public func refresh(_ rows: some Sequence<Row>) async {
    let stale = Array(rows)
    let attempts = FirstAttempts(of: stale, after: core.books.engine.lastSerial)
    invalidate(stale)
    await core.wait { [self] in
      attempts.areOver { row in
        guard let load = knownLoad(of: row) else { return .over }
        return core.progress(of: load)
      }
    }
  }

  /// Loads a row again that has failed, if it has a claim; else forgets the failure.
  public func retry(_ row: Row) { receive(.retry(row: row)) }

  /// Retries all rows that have failed; for when the network is back.
  ///
  /// O(rows).
  public func retryFailed() {
    for load in Array(core.books.engine.loads.ids) where core.books.engine.canRetry(load) {
      if let row = core.books.engine.leader(of: load) {
        core.record(.retry(row: row))
      }
      core.books.engine.retried(load)
    }
    core.run()
  }

  // MARK: Removing

  /// Rows are gone from the model: their claims, loads, values and failures go at once.
  ///
  /// Nothing is rendered. Cells that still show them are unbound; those on screen wait for their
  /// next `bind`. A `TrackedRow` on screen binds itself again and loads. A load that other rows
  /// share goes on for them.
  ///
  /// O(rows that are given and cells that show them).
  public func remove(_ rows: some Sequence<Row>) {
    let gone = Array(rows)
    for row in gone { recordRemoval(row) }
    enter(.remove(gone)) { idOfOwner($0) }
    if store.isWatched { store.countCompleted(Set(gone).contains) }
    notifyRemovalObservers()
  }

  /// All rows are gone from the model; as ``remove(_:)`` for all that the tracker knows.
  ///
  /// O(rows).
  public func removeAll() {
    for row in displayedRows { recordRemoval(row) }
    enter(.removeAll)
    if store.isWatched { store.countCompleted { _ in true } }
    notifyRemovalObservers()
  }

  /// Remembers a row that is on screen, for ``explain(_:)``.
  private func recordRemoval(_ row: Row) {
    guard let id = knownID(of: row), core.books.engine.rows[id].displays > 0 else { return }
    let cells = core.books.engine.cells
    store.recordRemoval(
      row, from: cells.ids.filter { cells[$0].row == id && cells[$0].isDisplayed })
  }

  /// Drops all values that no row claims; for memory warnings.
  ///
  /// O(values).
  public func removeCachedValues() { enter(.removeCachedValues) }

  // MARK: Looking up

  /// The number of a row that is about to be bound, with the value that the app's cache has for it.
  @inlinable
  func prepare(_ row: Row) -> RowID {
    let id = intern(row)
    if core.looksUp { lookUp(id) }
    return id
  }

  /// The number of a row, a new one if it is not known.
  @inlinable
  func intern(_ row: Row) -> RowID {
    let hash = RowTable.hash(row)
    if core.sharesLoads { return store.rows.id(of: row, hash) ?? addSharing(row, hash) }
    var hasOrders = false
    let id = store.rows.id(
      of: row, hash,
      orAdd: {
        let added = core.addRow()
        hasOrders = added.hasOrders
        return added.id
      })
    if hasOrders { setOrderIndices(id, row) }
    return id
  }

  /// Adds a row whose load may be that of others.
  @usableFromInline
  func addSharing(_ row: Row, _ hash: UInt32) -> RowID {
    let resource = resource(of: row)
    // The app's closure may have mentioned the row.
    if let id = store.rows.id(of: row, hash) { return id }
    let shared = resource.flatMap { store.loads[$0] }
    let id = core.books.engine.rowAppeared(sharing: shared)
    store.rows.insert(row, hash, as: id)
    setOrderIndices(id, row)
    if let resource, shared == nil {
      let load = core.books.engine.rows[id].load
      store.loads[resource] = load
      if let old = store.resources.updateValue(resource, forKey: load) {
        store.dropped.resources.append(old)
      }
    }
    return id
  }

  private func resource(of row: Row) -> AnyHashable? {
    core.call { store.configuration.resource?(row) }
  }

  private func sharedLoad(of row: Row) -> LoadID? {
    guard core.sharesLoads else { return nil }
    return resource(of: row).flatMap { store.loads[$0] }
  }

  func knownLoad(of row: Row) -> LoadID? {
    if let id = store.rows.id(of: row, RowTable.hash(row)) {
      return core.books.engine.rows[id].load
    }
    return sharedLoad(of: row)
  }

  /// The number of a row that is known.
  func knownID(of row: Row) -> RowID? { store.rows.id(of: row, RowTable.hash(row)) }

  /// The number of a row that is known, or of one that has its load.
  func idOfSharing(_ row: Row) -> RowID? {
    if let id = knownID(of: row) { return id }
    return sharedLoad(of: row).map { core.books.engine.leader(of: $0) ?? intern(row) }
  }

  /// The number of a row that is known, or whose load is, if no other row has it.
  func idOfOwner(_ row: Row) -> RowID? {
    if let id = knownID(of: row) { return id }
    guard let load = sharedLoad(of: row), core.books.engine.leader(of: load) == nil else {
      return nil
    }
    return intern(row)
  }

  /// Asks the app's cache for a row whose value is not there.
  @usableFromInline
  func lookUp(_ row: RowID) {
    let load = core.books.engine.rows[row].load
    guard core.books.engine.wantsLookUp(load) else { return }
    let now = core.time
    core.call {
      _ = store.lookUp(row, load) { cost in
        guard core.books.engine.wantsLookUp(load) else { return false }
        core.books.engine.valueFound(for: load, cost: cost, at: now)
        return true
      }
    }
  }
}
