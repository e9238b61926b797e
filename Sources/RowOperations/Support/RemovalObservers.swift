/// Shows a row that no list binds, such as one of SwiftUI.
@MainActor
protocol RemovalObserver: AnyObject {
  /// Called after a removal, perhaps of the observer's own row.
  func rowsWereRemoved()
}

/// Weak references to observers, by the cells that represent them.
@MainActor
struct RemovalObservers {
  private struct Entry {
    weak var observer: (any RemovalObserver)?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// - Parameter cell: It outlives its entry: no other object gets its address.
  mutating func add(_ observer: any RemovalObserver, as cell: AnyObject) {
    entries[ObjectIdentifier(cell)] = Entry(observer: observer)
  }

  mutating func remove(_ cell: AnyObject) { entries[ObjectIdentifier(cell)] = nil }

  var all: [any RemovalObserver] { entries.values.compactMap(\.observer) }

  var count: Int { entries.count }
}
