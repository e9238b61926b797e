extension DisplayTracker {
  /// The share of a row that is in sight now, from 0 to 1.
  ///
  /// It is the visible area of a cell over the largest area that its list, the clipping views and
  /// the window can show. Views over the cell do not count. Of several cells, the largest share
  /// counts. It is 1 for a displayed cell without a known frame, as in SwiftUI, and 0 without a
  /// displayed cell.
  ///
  /// ```swift
  /// let playing = tracker.displayedRows.max {
  ///   tracker.visibleShare(of: $0) < tracker.visibleShare(of: $1)
  /// }
  /// ```
  ///
  /// **Cost**: O(cells of the row · (lists of the tracker + views around a cell)).
  public func visibleShare(of row: Row) -> Double {
    guard let id = knownID(of: row) else { return 0 }
    let lists = core.lists.lists.values
    return core.displayedViews(of: id).map { view in
      var share: Double?
      for list in lists where share ?? 0 <= 0 { share = list.share?(view) ?? share }
      return share ?? 1
    }.max() ?? 0
  }

  /// Requests a turn if impressions depend on it.
  ///
  /// The end of the turn reads the shares, when it knows all displays.
  func sightChanged() {
    if store.impressions?.readsShares ?? false { core.requestTurn() }
  }

  /// Forgets the impressions of rows, so that `onImpression` may be called for them again.
  ///
  /// ``remove(_:)`` keeps impressions. A row on screen must stay for the whole `impressionTime`
  /// from now on.
  ///
  /// O(given rows).
  public func forgetImpressions(of rows: some Sequence<Row>) {
    let gone = rows.map { store.rows.renamed.name(of: $0) ?? $0 }
    changeImpressions { $0.forget(gone, at: core.time) }
  }

  /// Forgets all impressions, as ``forgetImpressions(of:)``; O(seen rows).
  public func forgetImpressions() {
    changeImpressions { $0.forgetAll(at: core.time) }
  }

  private func changeImpressions(_ change: (ImpressionWatch<Row>) -> Void) {
    guard let impressions = store.impressions else { return }
    core.call { change(impressions) }
    // The deadlines of rows on screen change.
    core.requestTurn()
    core.run()
  }
}
