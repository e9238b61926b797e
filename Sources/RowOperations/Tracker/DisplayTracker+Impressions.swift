extension DisplayTracker {
  /// The share of a row that is in sight now, from 0 to 1.
  ///
  /// It is the visible area of a cell over the area of the cell, or of its list if that is smaller.
  /// All views that clip the cell, and the window, count; views over the cell do not. Of several
  /// cells, the one with the largest share counts. A displayed cell of a list without known frames,
  /// such as one of SwiftUI, has the share 1. A row without a displayed cell has 0.
  ///
  /// ```swift
  /// let playing = tracker.displayedRows.max {
  ///   tracker.visibleShare(of: $0) < tracker.visibleShare(of: $1)
  /// }
  /// ```
  ///
  /// **Cost**: it reads the frames when it is called, O(cells of the row and views around them).
  public func visibleShare(of row: Row) -> Double {
    guard let id = knownID(of: row) else { return 0 }
    let lists = core.lists.lists.values
    return core.state.displayedViews(of: id).map { view in
      lists.compactMap { $0.share?(view) }.max() ?? 1
    }.max() ?? 0
  }

  /// Tells the impressions that other parts of cells may be in sight.
  ///
  /// O(unseen rows on screen), and nothing without an `impressionShare`.
  package func sightChanged() {
    guard store.configuration.impressionShare > 0, let impressions = store.impressions else {
      return
    }
    let isOther = core.call { impressions.sightChanged(at: core.time, visibleShare) }
    guard isOther else { return }
    core.requestTurn()
    core.run()
  }

  /// Forgets the impressions of rows, so that `onImpression` may be called for them again.
  ///
  /// Use it to free the memory of deleted rows, or to start a new session. ``remove(_:)`` keeps
  /// impressions, since an app may remove a row and load it again. A row on screen must stay for
  /// the whole `impressionTime` from now on. Unseen rows are ignored.
  ///
  /// O(given rows).
  public func forgetImpressions(of rows: some Sequence<Row>) {
    let gone = Array(rows)
    changeImpressions { $0.forget(gone, at: core.time) }
  }

  /// Forgets all impressions, as ``forgetImpressions(of:)`` does for all rows.
  ///
  /// O(seen rows).
  public func forgetImpressions() {
    changeImpressions { $0.forgetAll(at: core.time) }
  }

  private func changeImpressions(_ change: (ImpressionWatch<Row>) -> Void) {
    guard let impressions = store.impressions else { return }
    core.call { change(impressions) }
    sightChanged()
    // The deadlines of rows on screen change.
    core.requestTurn()
    core.run()
  }
}
