/// The views of a list that count as displayed: cells, headers, footers and other views.
///
/// It compares what is on screen after a layout with what was reported before, and names the
/// differences alone. It ends no view that it was not given.
struct DisplayedViews {
  /// An object, so that a look at it copies no weak reference.
  private final class Entry {
    private(set) weak var view: AnyObject?
    /// Whether a layout that does not show the view ends it.
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

  /// What a layout changed.
  ///
  /// New views are reported before old ones leave, as lists do.
  struct Changes {
    var appeared: [AnyObject] = []
    var left: [AnyObject] = []
  }

  /// The list was laid out with these views on screen, in any order.
  ///
  /// O(views on screen, before and after)
  mutating func laidOut(_ visible: some Sequence<AnyObject>) -> Changes {
    layout += 1
    var changes = Changes()
    var found = 0
    for view in visible {
      let known = entries[ObjectIdentifier(view)]
      if let known, known.view === view, known.isListed {
        if known.layout != layout { found += 1 }
        known.layout = layout
        continue
      }
      // A view that was forwarded, and is found now, leaves with a layout as well. A dead view's
      // address may have been used again.
      if known?.view !== view { changes.appeared.append(view) }
      entries[ObjectIdentifier(view)] = Entry(view, isListed: true, layout: layout)
      found += 1
    }
    if entries.count > found { changes.left = takeLeft() }
    return changes
  }

  private mutating func takeLeft() -> [AnyObject] {
    let gone = entries.filter {
      $0.value.view == nil || $0.value.isListed && $0.value.layout != layout
    }
    for key in gone.keys { entries[key] = nil }
    return gone.values.compactMap(\.view)
  }

  /// The app reports that a view comes on screen.
  ///
  /// - Parameter isListed: Whether a layout finds the view if it is on screen.
  mutating func forwarded(_ view: AnyObject, isListed: Bool) {
    let known = entries[ObjectIdentifier(view)]
    guard known?.view !== view else { return }
    entries[ObjectIdentifier(view)] = Entry(view, isListed: isListed, layout: layout)
  }

  /// The app reports that a view left the screen; it may be deallocated at this moment.
  mutating func ended(_ view: AnyObject) { entries[ObjectIdentifier(view)] = nil }

  /// Nobody watches the list any more.
  ///
  /// - Returns: The views that count as displayed.
  mutating func takeAll() -> [AnyObject] {
    defer { entries = [:] }
    return entries.values.compactMap(\.view)
  }
}
