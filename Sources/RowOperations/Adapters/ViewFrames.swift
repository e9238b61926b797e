import Foundation

/// The frames of the views on screen at the last layout.
///
/// Amid a batch update, a layout may move a cell off screen without a report.
struct ViewFrames {
  private struct Entry {
    weak var view: AnyObject?
    let frame: CGRect?
  }

  private var entries: [Entry] = []

  /// - Parameter frame: `nil` for a view that is hidden or in no view.
  mutating func record(_ views: [AnyObject], frame: (AnyObject) -> CGRect?) {
    entries.removeAll(keepingCapacity: true)
    for view in views { entries.append(Entry(view: view, frame: frame(view))) }
  }

  /// Also if a view was hidden, shown or deallocated.
  func haveChanged(frame: (AnyObject) -> CGRect?) -> Bool {
    entries.contains { $0.view.flatMap(frame) != $0.frame }
  }
}
