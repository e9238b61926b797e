extension DisplayTracker {
  /// Rows have not been seen: the configuration's `onImpression` may be called for them again.
  ///
  /// For rows that are gone for good, so that they take no memory, or for a new session of
  /// counting. ``remove(_:)`` keeps impressions, as an app may remove a row and load it again. A
  /// row on screen has to stay for the whole `impressionTime` from now on. Rows that were not seen
  /// are ignored.
  ///
  /// O(rows that are given).
  public func forgetImpressions(of rows: some Sequence<Row>) {
    let gone = Array(rows)
    changeImpressions { $0.forget(gone, at: core.time) }
  }

  /// No row has been seen; as ``forgetImpressions(of:)`` for all rows.
  ///
  /// O(rows that were seen).
  public func forgetImpressions() {
    changeImpressions { $0.forgetAll(at: core.time) }
  }

  private func changeImpressions(_ change: (ImpressionWatch<Row>) -> Void) {
    guard let impressions = store.impressions else { return }
    core.call { change(impressions) }
    // Rows on screen have another deadline.
    core.requestTurn()
    core.run()
  }
}
