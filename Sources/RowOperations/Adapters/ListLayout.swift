import Foundation

@MainActor
package struct ListLayout {
  package struct Cell {
    let view: AnyObject
    /// `nil` if the list does not report it.
    let position: ListPosition?
    let isInner: Bool

    package init(_ view: AnyObject, at position: ListPosition?, isInner: Bool = false) {
      (self.view, self.position, self.isInner) = (view, position, isInner)
    }
  }

  /// In any order.
  package var cells: [Cell] = []
  var others: [AnyObject] = []
  /// Whether positions and counts agree with the model.
  ///
  /// They may not during a drag or a drop.
  package var isSettled = true
  package var sectionCount = 0
  /// A change suggests another number of rows.
  package var contentSize = CGSize.zero
  var isInSight = true
  var isDataConstrained = false
  package var itemCount: (_ section: Int) -> Int = { _ in 0 }

  package init() {}

  /// All ids are in one section.
  static func uncounted() -> ListLayout {
    var layout = ListLayout()
    layout.sectionCount = 1
    layout.itemCount = { _ in .max }
    layout.isCounted = false
    return layout
  }

  /// Another content size of an uncounted view counts as another order.
  private(set) var isCounted = true

  package var counts: [Int] { (0..<sectionCount).map(itemCount) }

  var views: [AnyObject] { cells.map(\.view) + others }
}
