extension TrackerEngine {
  /// Records an event of a list or a request of the app.
  ///
  /// The end of the turn draws the conclusions.
  ///
  /// Ends of loads, values and turns carry more than an input can name, so they have members of
  /// their own.
  package mutating func apply(_ input: TrackerInput<RowID, CellID>, at now: Int64) {
    switch input {
    case .cellFor(let row, let cell): bind(cell, to: row, at: now)
    case .viewFor(let row, let view, let host): bind(view, to: row, in: host, at: now)
    case .willDisplay(_, let cell): willDisplay(cell, at: now)
    case .didEndDisplaying(_, let cell): didEndDisplaying(cell, at: now)
    case .cover(let cell): covered(cell, at: now)
    case .unbind(let cell): unbound(cell, at: now)
    case .deallocate(let cell): vanished(cell, at: now)
    case .reconcile(let shown): reconcile(shown, at: now)
    case .prefetch(let rows): prefetched(rows, at: now)
    case .cancelPrefetch(let rows): for row in rows { prefetchCancelled(row) }
    case .scrollWillBegin: scrollBegan(at: now)
    case .scrollDidMove: scrollMoved(at: now)
    case .scrollWillEnd(let rows): scrollWillEnd(landingOn: rows, at: now)
    case .scrollDidSettle: scrollSettled()
    case .suspend: suspended(at: now)
    case .resume: resumed(at: now)
    case .networkDidReturn: networkReturned(at: now)
    case .retry(let row): retried(row)
    case .invalidate(let rows): for row in rows { invalidated(row, at: now) }
    case .remove(let rows): for row in rows { removed(row, at: now) }
    case .invalidateAll: for row in Array(rows.ids) { invalidated(row, at: now) }
    case .removeAll: removeAll(at: now)
    case .removeCachedValues: evictAll(at: now)
    case .setOrder, .show, .report, .finish, .fail, .setValue, .passEnd, .time: break
    }
  }

  private mutating func reconcile(_ displayed: [CellID], at now: Int64) {
    for cell in displayed { willDisplay(cell, at: now) }
    let kept = Set(displayed)
    // Views follow their hosts.
    for cell in Array(cells.ids) where cells[cell].host == .none && !kept.contains(cell) {
      if cells[cell].report == .displayed { didEndDisplaying(cell, at: now) }
    }
  }

  private mutating func removeAll(at now: Int64) {
    for row in Array(rows.ids) { removed(row, at: now) }
  }
}
