import Foundation

extension DisplayTracker {
  // MARK: Prefetching

  /// Prefetches rows that are likely to be displayed soon.
  ///
  /// At rest they are loaded after all displayed rows, the newest call first, its rows in the given
  /// order. While the list moves, and for rows in an order
  /// (``setOrder(_:)-(RandomAccessCollection<Row>)``), those that come on screen soon go first, see
  /// <doc:Tuning>.
  ///
  /// The claim ends when the row is displayed or removed, with `cancelPrefetch(_:)`, when memory is
  /// low, and with newer claims beyond the limit of the configuration's `prefetchWindow`. Until
  /// then the tracker keeps the row's value. A running load is then cancelled after the
  /// configuration's `grace`.
  ///
  /// A running prefetch gives its slot to a row that loses more by waiting, and loads again later.
  ///
  /// Lists announce rows late. So this call prefetches no row that was removed from an order, until
  /// the tracker has read it there again or a cell is bound to it.
  ///
  /// O(given rows).
  ///
  /// - Parameter rows: Nearest first. Beyond the limit, the far end is ignored.
  public func prefetch(_ rows: some Sequence<Row>) {
    if !hasOrder { store.rows.removedFromOrder = [] }
    var wanted: [Row] = []
    for row in rows where !store.isRemovedFromOrder(row) {
      guard wanted.count < core.state.engine.settings.prefetchWindow.limit else { break }
      wanted.append(row)
    }
    enter(.prefetch(wanted.map { intern($0) }))
  }

  /// Ends the prefetch claims of rows; O(given rows).
  ///
  /// Displayed rows are loaded regardless.
  public func cancelPrefetch(_ rows: some Sequence<Row>) {
    receive(.cancelPrefetch(Array(rows)))
  }

  // MARK: Scrolling

  // Without these calls the policy holds no row back.

  /// Reports that the list begins to move, by a finger or an animation.
  ///
  /// The landing claims of the list end. `ListTracking` and `.trackedRows` report this by
  /// themselves.
  public func scrollWillBegin() { enter(.scrollWillBegin) }

  /// Reports that the list has moved.
  ///
  /// Call it for each change of the offset while the list is dragged or decelerates. After
  /// `quietTime` without a call the list counts as settled.
  public func scrollDidMove() { enter(.scrollDidMove) }

  /// Reports that the finger lifted, and which rows are on screen when the list rests.
  ///
  /// They are loaded in time, unless the scroll policy is ``ScrollPolicy/whenSettled``. The claim
  /// ends when the list settles or moves anew.
  ///
  /// O(given rows).
  ///
  /// - Parameter rows: The rows in the order of loading; empty if unknown.
  public func scrollWillEnd(landingOn rows: some Sequence<Row>) {
    enter(.scrollWillEnd(landingOn: Array(rows).map { intern($0) }))
  }

  /// Reports that the list rests.
  public func scrollDidSettle() { enter(.scrollDidSettle) }

  /// Suspends the tracker while the list is not visible: nothing starts.
  ///
  /// The list may keep its cells. Running loads finish and are kept, and displayed rows keep their
  /// claims. Prefetch and landing claims, streams of live rows and motions end.
  public func suspend() { enter(.suspend) }

  /// Resumes the tracker when the list is back.
  ///
  /// Report changes during the suspension with ``reconcile(displayedCells:)``. Failed rows on
  /// screen are loaded again within a second, unless they were given up; within three seconds if
  /// the last resume is less than two seconds ago. Streams of live rows on screen open within the
  /// same time.
  ///
  /// O(failed rows and live rows).
  public func resume() { enter(.resume) }

  /// Reports that the network is back.
  ///
  /// On Apple systems the tracker detects this by itself, from the first connectivity failure on.
  /// Call it on other systems, or when a server is reachable again.
  ///
  /// Failed rows on screen are loaded again as after ``resume()``. Connectivity failures (timeouts,
  /// and `URLError`s such as `notConnectedToInternet`) are forgotten, also for rows that were given
  /// up, and claimed rows among them are loaded again. Under ``RetryPolicy/never``, and for errors
  /// that `shouldRetry` refuses, nothing happens.
  ///
  /// O(failed rows).
  public func networkDidReturn() { enter(.networkDidReturn) }

  // MARK: Values

  /// Sets a row's value by hand, for a local edit.
  ///
  /// A running load is cancelled. Cells that show the row are rendered in the next turn.
  public func setValue(_ value: Value, for row: Row) {
    core.setValue(ValueBox(value), of: intern(row))
    core.run()
  }

  /// Marks the values of rows as out of date.
  ///
  /// Claimed rows are loaded again at once, others at their next claim. Until then they show the
  /// old value as `previous`.
  ///
  /// A running load continues: its value is shown as `previous`, and one more load follows.
  ///
  /// O(given rows).
  public func invalidate(_ rows: some Sequence<Row>) { receive(.invalidate(Array(rows))) }

  /// Marks all values as out of date, as ``invalidate(_:)``; O(rows).
  public func invalidateAll() { enter(.invalidateAll) }

  /// Invalidates rows and waits for their loads, for pull to refresh.
  ///
  /// It returns when each row's first load after the call has succeeded, has failed or was refused,
  /// even if another attempt follows. It does not wait for unclaimed rows.
  ///
  /// **Cancellation**: a cancelled task stops waiting, and the rows are still loaded.
  ///
  /// **Cost**: O(given rows) in each turn until then.
  public func refresh(_ rows: some Sequence<Row>) async {
    let stale = Array(rows)
    await refresh(stale) { invalidate(stale) }
  }

  /// Invalidates all rows and waits for those on screen, as ``refresh(_:)``.
  ///
  /// **Cost**: O(known rows), however many the list has.
  public func refresh() async {
    await refresh(Array(displayedRows)) { invalidateAll() }
  }

  private func refresh(_ rows: [Row], _ invalidate: () -> Void) async {
    let attempts = FirstAttempts(of: rows, after: core.state.engine.lastSerial)
    invalidate()
    await core.wait { [self] in
      attempts.areOver({ store.rows.renamed.name(of: $0) }) { row in
        guard let id = knownID(of: row) else { return .over }
        return core.progress(of: id)
      }
    }
  }

  /// Loads a failed row again if it has a claim, else forgets the failure.
  public func retry(_ row: Row) { receive(.retry(row: row)) }

  /// Retries all failed rows, such as when a server is back; O(rows).
  public func retryFailed() {
    for row in Array(core.state.engine.rows.ids) where core.state.engine.canRetry(row) {
      core.record(.retry(row: row))
      core.state.engine.take(.retry(row: row), at: core.time)
    }
    core.run()
  }

  // MARK: Removing

  /// Removes rows that left the model, with their claims, loads, values and failures.
  ///
  /// Cells that show the rows are unbound. Those on screen keep their content until they leave it
  /// or are bound; the others are rendered as idle. If a list shows a cell again without a `bind`,
  /// the cell binds its row anew in the next turn, unless the lists with a known order lack the
  /// row. A `TrackedRow` on screen binds itself again and loads.
  ///
  /// O(given rows, and cells that show them), and O(`TrackedRow`s of the tracker).
  public func remove(_ rows: some Sequence<Row>) {
    let gone = rows.map { store.rows.renamed.name(of: $0) ?? $0 }
    if hasOrder { store.recordRemovals(gone) }
    remove(by: .remove(gone.compactMap { knownID(of: $0) }))
  }

  /// Removes all rows, as ``remove(_:)``; O(rows).
  public func removeAll() {
    if hasOrder { store.recordRemovals(store.rows.rows.lazy.compactMap(\.self)) }
    remove(by: .removeAll)
  }

  private var hasOrder: Bool { core.state.engine.hasOrder }

  private func remove(by input: TrackerInput<RowID, AnyObject>) {
    // A look-up in progress must not go on, as the rows may be forgotten.
    store.rows.version &+= 1
    enter(input)
    notifyRemovalObservers()
  }

  /// Drops the values of all rows off screen, for memory warnings.
  ///
  /// Prefetched rows lose their claims as well, those in the prefetch window until their list
  /// moves. Cells under another screen are rendered without values, and load when they are back.
  /// Rows in the background, and those where a list lands, keep theirs.
  ///
  /// O(values and covered cells).
  public func removeCachedValues() { enter(.removeCachedValues) }

  // MARK: Looking up

  /// For a row that is about to be bound: looks it up in the app's cache.
  @inlinable
  func prepare(_ row: Row) -> RowID {
    let id = intern(row)
    guard core.looksUp else { return id }
    core.lookUp(id)
    return intern(row)
  }

  @inlinable
  func intern(_ row: Row) -> RowID { store.number(of: row, in: core) }

  func knownID(of row: Row) -> RowID? { store.id(of: row, RowTable.hash(row)) }
}
