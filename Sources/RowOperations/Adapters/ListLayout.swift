/// The content of a view after a layout.
@MainActor
package struct ListLayout {
  /// A cell on screen.
  package struct Cell {
    let view: AnyObject
    /// The cell's position in the list; `nil` if the list does not report it.
    package let position: ListPosition?
    /// Whether the cell's section scrolls by itself.
    let isInner: Bool

    package init(_ view: AnyObject, at position: ListPosition?, isInner: Bool = false) {
      (self.view, self.position, self.isInner) = (view, position, isInner)
    }
  }

  /// The cells on screen, in any order.
  package var cells: [Cell] = []
  /// Headers, footers and other views on screen.
  var others: [AnyObject] = []
  /// Whether the positions of cells and the counts of items agree with the model.
  ///
  /// They may not while items are dragged or dropped.
  package var isSettled = true
  package var sectionCount = 0
  /// The size of the content, in points.
  ///
  /// A change suggests another number of rows.
  package var contentSize = ContentSize()
  /// Whether a part of the list is in sight.
  var isInSight = true
  /// Whether Low Data Mode is on.
  var isDataConstrained = false
  /// The number of items in a section, as the list counts them.
  package var itemCount: (_ section: Int) -> Int = { _ in 0 }

  package init() {}

  /// Makes the layout of a view that does not count its items: all ids are in one section.
  static func uncounted() -> ListLayout {
    var layout = ListLayout()
    layout.sectionCount = 1
    layout.itemCount = { _ in .max }
    layout.isCounted = false
    return layout
  }

  /// Whether the view counts its items.
  ///
  /// If not, another content size counts as another order.
  private(set) var isCounted = true

  package var counts: [Int] { (0..<sectionCount).map(itemCount) }

  /// All views on screen.
  var views: [AnyObject] { cells.map(\.view) + others }
}

/// The size of a list's content, in points.
package struct ContentSize: Hashable, Sendable {
  var width: Double
  var height: Double

  package init(width: Double = 0, height: Double = 0) {
    (self.width, self.height) = (width, height)
  }
}
