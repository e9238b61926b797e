/// The views of a list that count as displayed.
///
/// It compares the views after a layout with those before, and never ends another view.
@MainActor
struct DisplayedViews {
  /// An object, so that a read copies no weak reference.
  private final class Entry {
    private(set) weak var view: AnyObject?

    init(_ view: AnyObject) { self.view = view }
  }

  /// A layout without such a view ends its display.
  private var listed: [ObjectIdentifier: Entry] = [:]
  /// Only the app ends the display of such a view, unless a layout finds it.
  private var forwarded: [ObjectIdentifier: Entry] = [:]
  /// Of the last layout, during one; else empty, with its room.
  private var last: [ObjectIdentifier: Entry] = [:]

  /// New views are reported before old ones leave, as lists do.
  struct Changes {
    var appeared: [AnyObject] = []
    var left: [AnyObject] = []
    var hasVanished = false
  }

  mutating func laidOut(_ layout: ListLayout) -> Changes {
    swap(&listed, &last)
    var changes = Changes()
    // Loops over indices, since a weakly held view is slow to retain.
    for cell in layout.cells.indices { see(layout.cells[cell].view, &changes) }
    for view in layout.others.indices { see(layout.others[view], &changes) }
    for entry in last.values {
      if let view = entry.view { changes.left.append(view) } else { changes.hasVanished = true }
    }
    last.removeAll(keepingCapacity: true)
    for (key, entry) in forwarded where entry.view == nil {
      forwarded[key] = nil
      changes.hasVanished = true
    }
    return changes
  }

  private mutating func see(_ view: AnyObject, _ changes: inout Changes) {
    let key = ObjectIdentifier(view)
    var known = last.removeValue(forKey: key)
    if known == nil, !forwarded.isEmpty { known = forwarded.removeValue(forKey: key) }
    // An address may belong to another view by now.
    if let known, known.view === view {
      listed[key] = known
    } else if listed.updateValue(Entry(view), forKey: key) == nil {
      changes.appeared.append(view)
    }
  }

  /// - Parameter isListed: Whether layouts find the view on screen.
  mutating func forwarded(_ view: AnyObject, isListed: Bool) {
    guard !contains(view) else { return }
    if isListed {
      listed[ObjectIdentifier(view)] = Entry(view)
    } else {
      forwarded[ObjectIdentifier(view)] = Entry(view)
    }
  }

  /// The view may be in its `deinit`.
  mutating func ended(_ view: AnyObject) {
    listed[ObjectIdentifier(view)] = nil
    forwarded[ObjectIdentifier(view)] = nil
  }

  func contains(_ view: AnyObject) -> Bool {
    let key = ObjectIdentifier(view)
    return listed[key]?.view === view || forwarded[key]?.view === view
  }

  var listedViews: [AnyObject] { listed.values.compactMap(\.view) }

  var forwardedViews: [AnyObject] { forwarded.values.compactMap(\.view) }

  mutating func takeAll() -> [AnyObject] {
    defer { (listed, forwarded) = ([:], [:]) }
    return listedViews + forwardedViews
  }
}
