import Foundation

/// The frames of the cells on screen at the last layout.
///
/// A layout in the middle of a batch update may move a cell off screen and bring no other one on
/// screen, which the list reports in no way.
struct CellFrames {
  private struct Entry {
    weak var view: AnyObject?
    let frame: CGRect?
  }

  private var entries: [Entry] = []

  /// Records the cells of a layout.
  ///
  /// - Parameter frame: Returns the frame of a cell, or `nil` if it is hidden or in no view.
  @MainActor
  mutating func record(_ cells: [ListLayout.Cell], frame: (AnyObject) -> CGRect?) {
    entries.removeAll(keepingCapacity: true)
    for cell in cells { entries.append(Entry(view: cell.view, frame: frame(cell.view))) }
  }

  /// Whether a cell has another frame now, or was hidden, shown or deallocated.
  ///
  /// O(cells on screen)
  func haveChanged(frame: (AnyObject) -> CGRect?) -> Bool {
    entries.contains { $0.view.flatMap(frame) != $0.frame }
  }
}
