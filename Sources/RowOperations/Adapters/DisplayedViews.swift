/// The views of a list that count as displayed.
///
/// It compares the views after a layout with those reported before, and never ends another view.
struct DisplayedViews {
  /// An object, so that a read copies no weak reference.
  private final class Entry {
    private(set) weak var view: AnyObject?
    /// Whether a layout without the view ends its display.
    let isListed: Bool
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
  mutating func laidOut(_ cells: [ListLayout.Cell], _ others: [AnyObject] = []) -> Changes {
    layout += 1
    var changes = Changes()
    var found = 0
    for cell in cells.indices where see(cells[cell].view, &changes) { found += 1 }
    for view in others where see(view, &changes) { found += 1 }
    if entries.count > found { takeLeft(atMost: entries.count - found, &changes) }
    return changes
  }

  /// - Returns: Whether the layout has not had the view before.
  private mutating func see(_ view: AnyObject, _ changes: inout Changes) -> Bool {
    let known = entries[ObjectIdentifier(view)]
    let isKnown = known?.view === view
    if let known, isKnown, known.isListed {
      defer { known.layout = layout }
      return known.layout != layout
    }
    // A forwarded view that a layout finds also leaves with one. An address may belong to another
    // view by now.
    if !isKnown { changes.appeared.append(view) }
    entries[ObjectIdentifier(view)] = Entry(view, isListed: true, layout: layout)
    return true
  }

  private mutating func takeLeft(atMost count: Int, _ changes: inout Changes) {
    var gone: [ObjectIdentifier] = []
    gone.reserveCapacity(count)
    changes.left.reserveCapacity(count)
    for (key, entry) in entries where !entry.isListed || entry.layout != layout {
      let view = entry.view
      guard view == nil || entry.isListed else { continue }
      gone.append(key)
      if let view { changes.left.append(view) } else { changes.hasVanished = true }
    }
    for key in gone { entries[key] = nil }
  }

  /// - Parameter isListed: Whether layouts find the view on screen.
  mutating func forwarded(_ view: AnyObject, isListed: Bool) {
    let known = entries[ObjectIdentifier(view)]
    guard known?.view !== view else { return }
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
    return entries.values.compactMap(\.view)
  }
}
