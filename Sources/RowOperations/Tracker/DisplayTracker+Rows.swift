import Foundation

extension DisplayTracker {
  // MARK: Prefetching

  /// Prefetches rows that are likely to be displayed soon.
  ///
  /// At rest they are loaded after all displayed rows, the newest call first, in the given order. A
  /// repeated row is ranked anew. Rows in an order (``setOrder(_:)-(RandomAccessCollection<Row>)``)
  /// are ranked by how soon they come on screen instead. While the list moves, rows that come on
  /// screen soon go first (<doc:Tuning>).
  ///
  /// The claim ends when the row is displayed or removed, with `cancelPrefetch(_:)`, and when
  /// memory is low. Newer claims beyond the `prefetchWindow`'s limit end it too. Until then the
  /// row's value is kept. A running operation without a claim is cancelled after the
  /// configuration's `grace`.
  ///
  /// A running prefetch gives its slot to a row that loses more by waiting, and loads again once a
  /// slot is free.
  ///
  /// Lists announce rows late: a row removed from an order is ignored until it is read there again
  /// or bound.
  ///
  /// O(given rows).
  ///
  /// - Parameter rows: Nearest first. Beyond the `prefetchWindow`'s limit the far end is ignored,
  ///   and older claims end.
  public func prefetch(_ rows: some Sequence<Row>) {
    if !hasOrder { store.removedFromOrder = [] }
    var wanted: [Row] = []
    for row in rows where !store.isRemovedFromOrder(row) {
      guard wanted.count < core.state.engine.settings.prefetchWindow.limit else { break }
      wanted.append(row)
    }
    enter(.prefetch(wanted.map { intern($0) }))
  }

  /// Ends the prefetch claims of rows.
  ///
  /// Displayed rows are loaded regardless, and rows never prefetched are ignored.
  ///
  /// O(given rows).
  public func cancelPrefetch(_ rows: some Sequence<Row>) {
    receive(.cancelPrefetch(Array(rows)))
  }

  // MARK: Scrolling

  // Without reports of scrolling the policy holds no row back.

  /// Reports that the list begins to move, by a finger or an animation; its landing claims end.
  ///
  /// `ListTracking` and `.trackedRows` report the scrolling of their lists by themselves.
  public func scrollWillBegin() {
    enter(.scrollWillBegin)
    core.updateTimer()
  }

  /// Reports that the list has moved: for each change of the offset while it is dragged or
  /// decelerates.
  ///
  /// After `quietTime` without a call the list counts as settled, so a lost end event holds no row
  /// back for good.
  public func scrollDidMove() {
    enter(.scrollDidMove)
    core.updateTimer()
  }

  /// Reports that the finger lifted, and which rows are on screen when the list rests.
  ///
  /// They are loaded in time, unless the scroll policy is ``ScrollPolicy/whenSettled``. The claim
  /// ends when the list settles or moves anew. The way to these rows also tells when the rows
  /// before them come on screen.
  ///
  /// O(given rows).
  ///
  /// - Parameter rows: In the order of loading; empty if unknown.
  public func scrollWillEnd(landingOn rows: some Sequence<Row>) {
    let landing = Array(rows)
    enter(.scrollWillEnd(landingOn: landing.map { intern($0) }))
    core.updateTimer()
  }

  /// Reports that the list rests.
  public func scrollDidSettle() {
    enter(.scrollDidSettle)
    core.requestTurn()
  }

  /// Suspends the tracker while its list, which may keep its cells, is not visible: nothing starts.
  ///
  /// Running loads finish and are kept, and displayed rows keep their claims. Prefetch and landing
  /// claims, the streams of live rows and the motions of lists end.
  public func suspend() {
    core.cover(.suspended)
    enter(.suspend)
    core.requestTurn()
  }

  /// Resumes the tracker when the list is back; report changes meanwhile with
  /// ``reconcile(displayedCells:)``.
  ///
  /// Failed rows on screen load again within a second, unless given up, and the streams of live
  /// rows open. Within two seconds of the last resume it is three seconds. Rows that wait for
  /// another attempt continue to.
  ///
  /// O(failed rows and live rows).
  public func resume() {
    core.uncover(.suspended)
    enter(.resume)
  }

  /// Reports that the network is back.
  ///
  /// Apple systems detect this from the first connectivity failure on: call it on others, or when a
  /// server is reachable again.
  ///
  /// Failed rows on screen load again as after ``resume()``. Connectivity failures (timeouts, and
  /// `URLError`s such as `notConnectedToInternet`) are forgotten, even of rows that were given up,
  /// and claimed rows among them load again. Nothing happens under ``RetryPolicy/never``, or for
  /// errors that `shouldRetry` refuses.
  ///
  /// O(failed rows).
  public func networkDidReturn() { enter(.networkDidReturn) }

  // MARK: Values

  /// Returns the current phase of a row, as a new binding shows it.
  ///
  /// O(1).
  public func phase(of row: Row) -> RowPhase<Value> {
    guard let id = knownID(of: row) else { return .waiting(previous: nil) }
    let snapshot = core.state.engine.snapshot(of: id)
    return store.phase(snapshot, core.error(of: snapshot))
  }

  /// Sets a row's value by hand, for a local edit.
  ///
  /// The value counts as the newest load of the row, so a running load is cancelled. Cells of the
  /// row are rendered in the next turn.
  public func setValue(_ value: Value, for row: Row) {
    let id = intern(row)
    core.record(.setValue(row: id))
    set(value, for: id)
    core.run()
  }

  private func set(_ value: Value, for row: RowID) {
    let cost = core.call { store.cost(of: value) }
    core.state.engine.take(.setValue(row, cost: cost), at: core.time)
    store.keep(value, row)
  }

  /// Marks the values of rows as out of date.
  ///
  /// Claimed rows load again at once, others at their next claim; until then the old value shows as
  /// `previous`.
  ///
  /// A running load continues, its value is shown as `previous`, and one more load follows,
  /// regardless of the number of calls.
  ///
  /// O(given rows).
  public func invalidate(_ rows: some Sequence<Row>) { receive(.invalidate(Array(rows))) }

  /// Marks all values as out of date, as ``invalidate(_:)`` does.
  ///
  /// O(rows).
  public func invalidateAll() { enter(.invalidateAll) }

  /// Invalidates rows and waits until the next load of each has ended, for pull to refresh.
  ///
  /// The first load after the call counts, even if it failed and another attempt follows. Unclaimed
  /// rows are not awaited.
  ///
  /// **Cancellation**: a cancelled task stops waiting; the rows still load.
  ///
  /// **Cost**: O(given rows) in each turn until then.
  public func refresh(_ rows: some Sequence<Row>) async {
    let stale = Array(rows)
    let attempts = FirstAttempts(of: stale, after: core.state.engine.lastSerial)
    invalidate(stale)
    await core.wait { [self] in
      attempts.areOver { row in
        guard let id = knownID(of: row) else { return .over }
        return core.progress(of: id)
      }
    }
  }

  /// Loads a failed row again if it has a claim, else forgets the failure.
  public func retry(_ row: Row) { receive(.retry(row: row)) }

  /// Retries all failed rows.
  ///
  /// O(rows).
  public func retryFailed() {
    for row in Array(core.state.engine.rows.ids) where core.state.engine.canRetry(row) {
      core.record(.retry(row: row))
      core.state.engine.take(.retry(row), at: core.time)
    }
    core.run()
  }

  // MARK: Removing

  /// Removes rows that left the model, with their claims, loads, values and failures.
  ///
  /// Cells of the rows are unbound: those on screen keep their content until they leave or are
  /// bound, others are rendered as idle. If a list shows a cell again without a `bind`, the cell
  /// binds its row anew in the next turn, unless the lists with a known order lack the row. A
  /// `TrackedRow` on screen binds itself again and loads.
  ///
  /// O(given rows, and cells that show them), and O(`TrackedRow`s of the tracker).
  public func remove(_ rows: some Sequence<Row>) {
    let gone = Array(rows)
    if hasOrder { store.recordRemovals(gone) }
    remove(by: .remove(gone.compactMap { knownID(of: $0) }))
  }

  /// Removes all rows, as ``remove(_:)`` does.
  ///
  /// O(rows).
  public func removeAll() {
    if hasOrder { store.recordRemovals(store.rows.rows.lazy.compactMap(\.self)) }
    remove(by: .removeAll)
  }

  private var hasOrder: Bool { core.state.engine.hasOrder }

  private func remove(by input: TrackerInput<RowID, AnyObject>) {
    // The rows may be forgotten: a look-up in progress must not go on.
    store.rows.version &+= 1
    enter(input)
    notifyRemovalObservers()
  }

  /// Drops the values of all rows off screen and the claims of prefetched rows, for memory
  /// warnings.
  ///
  /// Rows in the prefetch window load again once their list moves. Rows in covered lists, and those
  /// where a list lands, keep their values.
  ///
  /// O(values).
  public func removeCachedValues() { enter(.removeCachedValues) }

  // MARK: Looking up

  /// Returns the number of a row that is about to be bound, after a look-up in the app's cache.
  @inlinable
  func prepare(_ row: Row) -> RowID {
    let id = intern(row)
    if core.looksUp { lookUp(id) }
    return id
  }

  @inlinable
  func intern(_ row: Row) -> RowID {
    store.number(of: row, passedAt: store.ordersPassed) { core.addRow() }
  }

  func knownID(of row: Row) -> RowID? { store.id(of: row, RowTable.hash(row)) }

  @usableFromInline
  func lookUp(_ row: RowID) {
    guard core.state.engine.wantsLookUp(row) else { return }
    let now = core.time
    core.call {
      _ = store.lookUp(row) { cost in
        guard core.state.engine.wantsLookUp(row) else { return false }
        core.record(.setValue(row: row))
        core.state.engine.take(.setValue(row, cost: cost), at: now)
        return true
      }
    }
  }
}
