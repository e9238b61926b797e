extension DisplayTracker {
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
    // The deadlines of rows on screen change.
    core.requestTurn()
    core.run()
  }
}
