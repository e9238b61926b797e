extension TrackerEngine {
  /// An event of a list, a request of the app, the outcome of an effect, or the end of a load.
  package enum Input: Sendable {
    // Cells and views.
    /// Binds a cell, or unbinds it; a host that closes a circle is ignored.
    case bind(CellID, to: RowID?, in: CellID?, rendersLeaving: Bool)
    /// Unbinds a cell and all views inside it.
    case unbind(CellID)
    case willDisplay(CellID)
    case didEndDisplaying(CellID)
    /// The list of a cell is covered, until the cell's next `willDisplay`.
    case cover(CellID)
    case vanish(CellID)
    /// These cells are on screen, and no others.
    case reconcile([CellID])

    // The list.
    /// The nearest row comes first.
    case prefetch([RowID])
    case cancelPrefetch([RowID])
    /// A list shows these positions, of the same or other data; none while covered.
    case listShows(ListNumber, [ShownPositions], isOtherData: Bool)
    case positionsRead(OrderWindow.Key, Range<Int>, [OrderWindow.Place])
    /// The positions that the list's windows need are read.
    case endReading(ListNumber)
    case scrollWillBegin(ListNumber)
    case scrollDidMove(ListNumber)
    case scrollWillEnd(ListNumber, landingOn: [RowID])
    case scrollDidSettle(ListNumber)

    // The app.
    case suspend
    case resume
    case networkDidReturn
    /// By hand, or by a look-up in the app's cache.
    case setValue(RowID, cost: Int)
    case invalidate([RowID])
    case invalidateAll
    case retry(RowID)
    case remove([RowID])
    case removeAll
    case removeCachedValues
    case reportEvents(Bool)

    // Loads. Their outcomes count only while the run has this generation.
    /// If the operation of a run is not accepted, it never starts.
    case made(RunID, generation: UInt64)
    /// The app has neither an operation nor a value for the row of a run.
    case foundNothing(RunID, generation: UInt64)
    /// The app's cache has the value: no operation is made.
    case foundValue(RunID, generation: UInt64, cost: Int)
    /// Before the end of the operation.
    case step(RunID, hasValue: Bool)
    case end(RunID, Outcome)

    // Streams. Their news counts only while they are open.
    /// A newer element, an end, or both.
    case streamHas(StreamID, element: Bool, end: StreamEnd?)
    /// The newest element becomes the row's value.
    case element(StreamID, cost: Int)
  }

  package enum Outcome: Hashable, Sendable {
    case value(cost: Int)
    case failure(FailureCause)
  }

  /// Records an event; the end of the turn draws the conclusions.
  ///
  /// O(1), and O(given rows or cells); more at the members.
  ///
  /// - Returns: `false` for a host in a circle, for an outcome that comes too late, and for the end
  ///   of a reading unless the list turns around.
  // Inlined: a call with a known input becomes one of its member (figure B12).
  @discardableResult
  @inline(__always)
  package mutating func take(_ input: Input, at now: Int64) -> Bool {
    switch input {
    case .bind(let cell, let row, let host, let rendersLeaving):
      return bind(cell, to: row, in: host, rendersLeaving: rendersLeaving, at: now)
    case .unbind(let cell): unbound(cell, at: now)
    case .willDisplay(let cell): report(.displayed, of: cell, at: now)
    case .didEndDisplaying(let cell): endedDisplaying(cell, at: now)
    case .cover(let cell): report(.covered, of: cell, at: now)
    case .vanish(let cell): vanished(cell, at: now)
    case .reconcile(let shown): reconcile(shown, at: now)
    case .prefetch(let rows): prefetched(rows, at: now)
    case .cancelPrefetch(let rows): for row in rows { prefetchCancelled(row) }
    case .listShows(let list, let spans, let isOtherData):
      return listShows(list, spans, isOtherData: isOtherData)
    case .positionsRead(let key, let positions, let places): positionsRead(key, positions, places)
    case .endReading(let list): return endReading(list)
    case .scrollWillBegin(let list): scrollBegan(list, at: now)
    case .scrollDidMove(let list): scrollMoved(list, at: now)
    case .scrollWillEnd(let list, let rows): scrollWillEnd(list, landingOn: rows, at: now)
    case .scrollDidSettle(let list): scrollSettled(list)
    case .suspend: suspended(at: now)
    case .resume: resumed(at: now)
    case .networkDidReturn: failures.networkReturned(at: now)
    case .setValue(let row, let cost): valueSet(row, cost: cost, at: now)
    case .invalidate(let rows): for row in rows { invalidated(row, at: now) }
    case .invalidateAll: invalidateAll(at: now)
    case .retry(let row): retried(row, at: now)
    case .remove(let rows): for row in rows { removed(row, at: now) }
    case .removeAll: removeAll(at: now)
    case .removeCachedValues: evictAll(at: now)
    case .reportEvents(let isReporting): settings.reportsEvents = isReporting
    case .made(let run, let generation): return made(run, generation, at: now)
    case .foundNothing(let run, let generation): return foundNothing(run, generation, at: now)
    case .foundValue(let run, let generation, let cost):
      return foundValue(run, generation, cost: cost, at: now)
    case .step(let run, let hasValue): return stepped(run, hasValue: hasValue)
    case .end(let run, let outcome):
      return ended(run, outcome, at: now)
    case .streamHas(let stream, let hasElement, let end):
      return streamHas(stream, element: hasElement, end: end, at: now)
    case .element(let stream, let cost): return element(stream, cost: cost, at: now)
    }
    return true
  }

  private mutating func invalidateAll(at now: Int64) {
    for row in Array(rows.ids) { invalidated(row, at: now) }
  }

  private mutating func removeAll(at now: Int64) {
    for row in Array(rows.ids) { removed(row, at: now) }
  }

  private mutating func reconcile(_ displayed: [CellID], at now: Int64) {
    for cell in displayed { report(.displayed, of: cell, at: now) }
    let kept = Set(displayed)
    // Views follow their hosts.
    for cell in Array(cells.ids) where cells[cell].host == .none && !kept.contains(cell) {
      if cells[cell].report == .displayed { endedDisplaying(cell, at: now) }
    }
  }
}
