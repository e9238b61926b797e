/// A set of views, held weakly.
struct ViewSet {
  private struct Entry {
    weak var view: AnyObject?
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  mutating func insert(_ view: AnyObject) { entries[ObjectIdentifier(view)] = Entry(view: view) }

  var isEmpty: Bool { entries.isEmpty }

  mutating func takeAll() -> [AnyObject] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries.values.compactMap(\.view)
  }

  /// Forgets the views that no tracker knows.
  mutating func all(isKnown: (AnyObject) -> Bool) -> [AnyObject] {
    guard !entries.isEmpty else { return [] }
    var views: [AnyObject] = []
    for (key, entry) in entries {
      if let view = entry.view, isKnown(view) { views.append(view) } else { entries[key] = nil }
    }
    return views
  }
}
