extension DisplayTracker {
  func addRemovalObserver(_ observer: any RemovalObserver, as cell: AnyObject) {
    store.removalObservers.add(observer, as: cell)
  }

  func removeRemovalObserver(_ cell: AnyObject) { store.removalObservers.remove(cell) }

  /// Removing a row unbinds its cells.
  func isBound(_ cell: AnyObject) -> Bool {
    core.state.cells.id(at: cell).map { core.state.engine.cells[$0].row != nil } ?? false
  }

  /// Notifies the observers of a removal, since no list binds them anew.
  func notifyRemovalObservers() {
    for observer in store.removalObservers.all { observer.rowsWereRemoved() }
  }
}

extension TrackerCore {
  /// For evaluations of views, when no code of the app may run: effects wait for the next turn.
  func quietly<Output>(_ body: () -> Output) -> Output {
    defer { if state.engine.pendingEffects > 0 || state.engine.needsTurn { requestTurn() } }
    return call(body)
  }
}
