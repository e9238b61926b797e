/// The views of a list that count as displayed.
///
/// It compares the views after a layout with those reported before, and never ends another view.
@MainActor
struct DisplayedViews {
  /// An object, so that a read copies no weak reference.
  private final class Entry {
    private(set) weak var view: AnyObject?
    /// Whether a layout without the view ends its display.
    var isListed: Bool
    var layout: Int

    init(_ view: AnyObject, isListed: Bool, layout: Int) {
      self.view = view
      self.isListed = isListed
      self.layout = layout
    }
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var layout = 0

  /// New views are reported before old ones leave, as lists do.
  struct Changes {
    var appeared: [AnyObject] = []
    var left: [AnyObject] = []
    var hasVanished = false
  }

  /// O(views on screen, before and after).
  mutating func laidOut(_ list: ListLayout) -> Changes {
    layout += 1
    var changes = Changes()
    // Loops over indices, since a weakly held view is slow to retain.
    for cell in list.cells.indices { see(list.cells[cell].view, &changes) }
    for view in list.others.indices { see(list.others[view], &changes) }
    let gone = entries.filter { _, entry in
      entry.isListed ? entry.layout != layout : entry.view == nil
    }
    for (key, entry) in gone {
      entries[key] = nil
      if let view = entry.view { changes.left.append(view) } else { changes.hasVanished = true }
    }
    return changes
  }

  /// A forwarded view that a layout finds also leaves with one.
  private mutating func see(_ view: AnyObject, _ changes: inout Changes) {
    // An address may belong to another view by now.
    if let known = entries[ObjectIdentifier(view)], known.view === view {
      (known.isListed, known.layout) = (true, layout)
    } else {
      changes.appeared.append(view)
      entries[ObjectIdentifier(view)] = Entry(view, isListed: true, layout: layout)
    }
  }

  /// - Parameter isListed: Whether layouts find the view on screen.
  mutating func forwarded(_ view: AnyObject, isListed: Bool) {
    guard !contains(view) else { return }
    entries[ObjectIdentifier(view)] = Entry(view, isListed: isListed, layout: layout)
  }

  /// The view may be in its `deinit`.
  mutating func ended(_ view: AnyObject) { entries[ObjectIdentifier(view)] = nil }

  func contains(_ view: AnyObject) -> Bool { entries[ObjectIdentifier(view)]?.view === view }

  /// - Parameter isListed: Whether layouts find them.
  func all(isListed: Bool? = nil) -> [AnyObject] {
    entries.values.filter { isListed == nil || $0.isListed == isListed }.compactMap(\.view)
  }

  mutating func takeAll() -> [AnyObject] {
    defer { entries = [:] }
    return all()
  }
}
