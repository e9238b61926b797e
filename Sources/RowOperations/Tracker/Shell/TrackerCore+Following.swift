extension TrackerCore {
  /// The user cannot see the lists.
  func cover(_ cover: Cover) { follower?.cover(cover, at: time) }

  /// The user sees the lists again; the next turn sets the follower's deadline.
  func uncover(_ cover: Cover) {
    guard let follower else { return }
    follower.uncover(cover, at: time)
    requestTurn()
  }

  /// After all effects of a turn, when all displays are known.
  ///
  /// The end of the turn performs the effects of its calls.
  func passEnded(for follower: any TurnFollowing, at now: Int64) {
    // A nested or interrupted turn leaves effects for the next one.
    guard !state.engine.turns.isBusy, state.engine.pendingEffects == 0 else { return requestTurn() }
    call { follower.passEnded(at: now) }
  }
}
