/// A place that shows a row and cannot be bound by its list, such as a row of a SwiftUI list.
@MainActor
package protocol RowPlace: AnyObject {
  /// Rows were removed from the tracker, perhaps that of this place.
  func rowsWereRemoved()
}

/// The places that show rows of a tracker, held weakly, by the cells that stand for them.
@MainActor
struct RowPlaces {
  private struct Entry {
    weak var place: (any RowPlace)?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// O(1).
  ///
  /// - Parameter cell: Outlives its entry, so that no other place takes its address meanwhile.
  mutating func add(_ place: any RowPlace, as cell: AnyObject) {
    entries[ObjectIdentifier(cell)] = Entry(place: place)
  }

  mutating func remove(_ cell: AnyObject) { entries[ObjectIdentifier(cell)] = nil }

  /// All of them that are there at this moment.
  var all: [any RowPlace] { entries.values.compactMap(\.place) }

  var count: Int { entries.count }
}

extension DisplayTracker {
  package func addPlace(_ place: any RowPlace, as cell: AnyObject) {
    store.places.add(place, as: cell)
  }

  package func removePlace(_ cell: AnyObject) { store.places.remove(cell) }

  /// Whether a cell is bound to a row.
  ///
  /// Removing a row unbinds its cells.
  package func isBound(_ cell: AnyObject) -> Bool {
    core.books.cells.id(at: cell).map { core.books.engine.cells[$0].row != nil } ?? false
  }

  /// Notifies places of a removal, since no list binds them anew.
  ///
  /// O(places).
  func notifyPlacesOfRemoval() {
    for place in store.places.all { place.rowsWereRemoved() }
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
