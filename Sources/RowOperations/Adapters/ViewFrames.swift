import Foundation

/// The frames of the views on screen at the last layout.
///
/// A layout in the middle of a batch update may move a cell off screen and bring no other one on
/// screen, which the list reports in no way.
struct ViewFrames {
  private struct Entry {
    weak var view: AnyObject?
    let frame: CGRect?
  }

  private var entries: [Entry] = []

  /// Records the cells, headers and other views of a layout.
  ///
  /// - Parameter frame: Returns the frame of a view, or `nil` if it is hidden or in no view.
  mutating func record(_ views: [AnyObject], frame: (AnyObject) -> CGRect?) {
    entries.removeAll(keepingCapacity: true)
    for view in views { entries.append(Entry(view: view, frame: frame(view))) }
  }

  /// Whether a view has another frame now, or was hidden, shown or deallocated.
  ///
  /// O(views on screen)
  func haveChanged(frame: (AnyObject) -> CGRect?) -> Bool {
    entries.contains { $0.view.flatMap(frame) != $0.frame }
  }
}
