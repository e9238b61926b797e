/// What a view shows after it was laid out.
@MainActor
package struct ListLayout {
  /// A cell on screen.
  package struct Cell {
    package let view: AnyObject
    /// Where the list has it; `nil` if the list does not say.
    package let position: PrefetchWindow.Position?

    package init(_ view: AnyObject, at position: PrefetchWindow.Position?) {
      (self.view, self.position) = (view, position)
    }
  }

  /// The cells on screen, in any order.
  package var cells: [Cell] = []
  /// Headers, footers and other views on screen.
  package var others: [AnyObject] = []
  package var sectionCount = 0
  /// The size of the content, in points; another one hints at another number of rows.
  package var contentSize = ContentSize()
  /// Whether the user asks to save data.
  package var isDataConstrained = false
  /// How many items a section has, as the list counts them.
  package var itemCount: (_ section: Int) -> Int = { _ in 0 }

  package init() {}

  /// Of a view that does not count its items: all ids are in one section.
  package static func uncounted() -> ListLayout {
    var layout = ListLayout()
    layout.sectionCount = 1
    layout.itemCount = { _ in .max }
    layout.isCounted = false
    return layout
  }

  /// Whether the view counts its items; if not, another size of the content is another order.
  package private(set) var isCounted = true

  package var counts: [Int] { (0..<sectionCount).map(itemCount) }
}

/// The size of a list's content, in points.
package struct ContentSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  package init(width: Double = 0, height: Double = 0) {
    (self.width, self.height) = (width, height)
  }
}
