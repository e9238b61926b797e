/// A place that shows a row and cannot be bound by its list, such as a row of a SwiftUI list.
@MainActor
package protocol RemovalObserver: AnyObject {
  /// Rows were removed from the tracker, perhaps that of this place.
  func rowsWereRemoved()
}

/// The places that show rows of a tracker, held weakly, by the cells that stand for them.
@MainActor
struct RemovalObservers {
  private struct Entry {
    weak var observer: (any RemovalObserver)?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// O(1).
  ///
  /// - Parameter cell: Outlives its entry, so that no other place takes its address meanwhile.
  mutating func add(_ observer: any RemovalObserver, as cell: AnyObject) {
    entries[ObjectIdentifier(cell)] = Entry(observer: observer)
  }

  mutating func remove(_ cell: AnyObject) { entries[ObjectIdentifier(cell)] = nil }

  /// All of them that are there at this moment.
  var all: [any RemovalObserver] { entries.values.compactMap(\.observer) }

  var count: Int { entries.count }
}

extension DisplayTracker {
  package func addRemovalObserver(_ observer: any RemovalObserver, as cell: AnyObject) {
    store.removalObservers.add(observer, as: cell)
  }

  package func removeRemovalObserver(_ cell: AnyObject) { store.removalObservers.remove(cell) }

  /// Whether a cell is bound to a row.
  ///
  /// Removing a row unbinds its cells.
  package func isBound(_ cell: AnyObject) -> Bool {
    core.books.cells.id(at: cell).map { core.books.engine.cells[$0].row != nil } ?? false
  }

  /// Notifies places of a removal, since no list binds them anew.
  ///
  /// O(places).
  func notifyRemovalObservers() {
    for observer in store.removalObservers.all { observer.rowsWereRemoved() }
  }
}

extension TrackerCore {
  /// Calls the tracker while views are evaluated, when no code of the app may run.
  ///
  /// What follows from the call waits for the next turn.
  package func quietly<Output>(_ body: () -> Output) -> Output {
    defer { if books.engine.pendingEffects > 0 || books.engine.needsTurn { requestTurn() } }
    return call(body)
  }
}
