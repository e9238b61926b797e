extension TrackerCore {
  /// Pauses impressions, since the user cannot see the list.
  func cover(_ cover: Cover) { impressions?.cover(cover, at: time) }

  /// Resumes impressions, since the user sees the list again.
  ///
  /// The next turn sets the deadline of the next impression.
  func uncover(_ cover: Cover) {
    guard let impressions else { return }
    impressions.uncover(cover, at: time)
    requestTurn()
  }

  /// Reports impressions after all effects of a turn, when the watch knows all displays.
  func reportImpressions(to watch: any ImpressionWatching, at now: Int64) {
    // A nested or interrupted turn leaves effects for the next one.
    guard !state.turns.isBusy, state.engine.pendingEffects == 0 else { return requestTurn() }
    call { watch.passEnded(at: now) }
    run()
  }
}
