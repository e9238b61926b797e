extension DisplayTracker {
  // A host that has nothing to say of scrolling calls none of these, and nothing is held back.

  /// The list begins to move: a finger took hold of it, or an animation begins.
  ///
  /// Where it was going to come to rest means nothing any more.
  public func scrollWillBegin() {
    guard !isCallingOut else { return later { $0.scrollWillBegin() } }
    recorder?.note("B", at: time)
    machine.scrollBegan(at: time)
    settle()
    updateTimer()
  }

  /// The list has moved.
  ///
  /// Call it for each change of the offset while the list is dragged or decelerates. When it has not
  /// been called for the configuration's `quietTime`, the list counts as settled, so that a lost end
  /// event holds nothing back for good.
  public func scrollDidMove() {
    guard !isCallingOut else { return later { $0.scrollDidMove() } }
    recorder?.note("M", at: time)
    machine.scrollMoved(at: time)
    updateTimer()
  }

  /// The finger let go of the list; it comes to rest with these rows on screen.
  ///
  /// They are loaded before everything else, unless the scroll policy is ``ScrollPolicy/whenSettled``.
  /// The claim ends when the list has settled, or moves anew.
  ///
  /// O(rows that are given).
  ///
  /// - Parameter rows: In the order in which they are to be loaded; empty if it is not known.
  public func scrollWillEnd(landingOn rows: some Sequence<Row>) {
    let landing = Array(rows)
    guard !isCallingOut else { return later { $0.scrollWillEnd(landingOn: landing) } }
    recorder?.note("L", landing, at: time)
    let ids = landing.map(intern)
    machine.scrollWillEnd(landingOn: ids, at: time)
    for id in ids { note(.landing, of: id) }
    settle()
    updateTimer()
  }

  /// The list has come to rest.
  public func scrollDidSettle() {
    guard !isCallingOut else { return later { $0.scrollDidSettle() } }
    recorder?.note("S", at: time)
    machine.scrollSettled()
    requestTurn()
    settle()
  }

  /// The list is out of sight, though its cells may stay: nothing starts.
  ///
  /// Running loads finish and are kept, rows on screen keep their claims, and what was prefetched or
  /// expected is dropped.
  public func suspend() {
    guard !isCallingOut else { return later { $0.suspend() } }
    recorder?.note("Z", at: time)
    machine.suspended()
    settle()
  }

  /// The list is back; ``reconcile(displayedCells:)`` tells the tracker what has changed meanwhile.
  public func resume() {
    guard !isCallingOut else { return later { $0.resume() } }
    recorder?.note("z", at: time)
    machine.resumed()
    requestTurn()
    settle()
  }
}
