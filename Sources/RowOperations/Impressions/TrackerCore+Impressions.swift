extension TrackerCore {
  /// The user cannot see the list any more.
  func cover(_ cover: Cover) { impressions?.cover(cover, at: time) }

  /// The user sees the list again.
  ///
  /// The next turn sets the time at which a row counts.
  func uncover(_ cover: Cover) {
    guard let impressions else { return }
    impressions.uncover(cover, at: time)
    requestTurn()
  }

  /// A turn has performed all its effects, so that the watch knows all displays.
  func reportImpressions(to watch: any ImpressionWatching, at now: Int64) {
    // A turn that was taken by the app's code, or cut short, has left some for the next one.
    guard !books.isBusy, books.engine.pendingEffects == 0 else { return requestTurn() }
    call { watch.passEnded(at: now) }
    run()
  }
}
