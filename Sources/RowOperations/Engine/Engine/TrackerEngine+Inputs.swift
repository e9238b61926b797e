extension TrackerEngine {
  /// What the shell alone learns: the outcome of an effect, a reading of a list, the end of a load.
  package enum News: Sendable {
    /// Binds a cell, or unbinds it; a host that closes a circle is ignored.
    case bind(CellID, to: RowID?, in: CellID?, rendersLeaving: Bool)
    /// A list shows these positions, of the same or other data; none while covered.
    case listShows(ListNumber, [ShownPositions], isOtherData: Bool)
    case positionsRead(OrderWindow.Key, Range<Int>, [OrderWindow.Place])
    /// The positions that the list's windows need are read.
    case endReading(ListNumber)
    /// By hand, or by a look-up in the app's cache.
    case setValue(RowID, cost: Int)
    case reportEvents(Bool)
    /// See ``keptRow(of:_:)``.
    case merge(RowID, into: RowID)

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

  /// Records an event of a list or a request of the app; the end of the turn draws the conclusions.
  ///
  /// Orders, values, and ends of loads and turns carry more than an input can name: they come as
  /// ``News``, and are ignored here.
  // Inlined: a call with a known input becomes one of its member (figure B12).
  @inline(__always)
  package mutating func take(_ input: TrackerInput<RowID, CellID>, at now: Int64) {
    switch input {
    case .cellFor(let row, let cell): bind(cell, to: row, at: now)
    case .viewFor(let row, let view, let host): bind(view, to: row, in: host, at: now)
    case .willDisplay(_, let cell): report(.displayed, of: cell, at: now)
    case .didEndDisplaying(_, let cell): endedDisplaying(cell, at: now)
    case .cover(let cell): report(.covered, of: cell, at: now)
    case .background(let cell): report(.inBackground, of: cell, at: now)
    case .unbind(let cell): unbound(cell, at: now)
    case .deallocate(let cell): vanished(cell, at: now)
    case .reconcile(let shown): reconcile(shown, at: now)
    case .prefetch(let rows): prefetched(rows, at: now)
    case .cancelPrefetch(let rows): for row in rows { prefetchCancelled(row) }
    case .scrollWillBegin: scrollBegan(.unnumbered, at: now)
    case .scrollDidMove: scrollMoved(.unnumbered, at: now)
    case .scrollWillEnd(let rows): scrollWillEnd(.unnumbered, landingOn: rows, at: now)
    case .scrollDidSettle: scrollSettled(.unnumbered)
    case .listScrollWillBegin(let list): scrollBegan(list, at: now)
    case .listScrollDidMove(let list): scrollMoved(list, at: now)
    case .listScrollWillEnd(let rows, let list): scrollWillEnd(list, landingOn: rows, at: now)
    case .listScrollDidSettle(let list): scrollSettled(list)
    case .suspend: suspended(at: now)
    case .resume: resumed(at: now)
    case .networkDidReturn: failures.networkReturned(at: now)
    case .retry(let row): retried(row, at: now)
    case .invalidate(let rows): for row in rows { invalidated(row, at: now) }
    case .remove(let rows): for row in rows { removed(row, at: now) }
    case .invalidateAll: invalidateAll(at: now)
    case .removeAll: removeAll(at: now)
    case .removeCachedValues: evictAll(at: now)
    case .rename, .setOrder, .listRows, .itemRows, .showPositions, .show, .report, .finish, .fail,
      .miss, .element, .endStream, .failStream, .setValue, .passEnd, .time:
      break
    }
  }

  /// Records news; the end of the turn draws the conclusions.
  ///
  /// - Returns: `false` for a host in a circle, for an outcome that comes too late, for the end of
  ///   a reading unless the list turns around, and for a merge without a value.
  @discardableResult
  @inline(__always)
  package mutating func take(_ news: News, at now: Int64) -> Bool {
    switch news {
    case .bind(let cell, let row, let host, let rendersLeaving):
      return bind(cell, to: row, in: host, rendersLeaving: rendersLeaving, at: now)
    case .listShows(let list, let spans, let isOtherData):
      return listShows(list, spans, isOtherData: isOtherData)
    case .positionsRead(let key, let positions, let places): positionsRead(key, positions, places)
    case .endReading(let list): return endReading(list)
    case .setValue(let row, let cost): valueSet(row, cost: cost, at: now)
    case .reportEvents(let isReporting): settings.reportsEvents = isReporting
    case .merge(let gone, let kept): return merge(gone, into: kept, at: now)
    case .made(let run, let generation): return made(run, generation, at: now)
    case .foundNothing(let run, let generation): return foundNothing(run, generation, at: now)
    case .foundValue(let run, let generation, let cost):
      return foundValue(run, generation, cost: cost, at: now)
    case .step(let run, let hasValue): return stepped(run, hasValue: hasValue)
    case .end(let run, let outcome): return ended(run, outcome, at: now)
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
