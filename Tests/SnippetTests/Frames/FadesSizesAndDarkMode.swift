#if canImport(UIKit) && !os(watchOS)
  import RowOperations
  import UIKit

  private struct Photo: Identifiable {
    let id: Int
  }

  private final class PhotoCell: UITableViewCell {
    func show(_ title: String?) { textLabel?.text = title }
    func fade() { layer.add(CATransition(), forKey: nil) }
    func pause() {}
    func play(_ film: String?) {}
  }

  @MainActor
  private func fade(_ cell: PhotoCell, _ photo: Photo, _ tracker: DisplayTracker<Int, String>) {
    //@ tracker.bind(cell, to: photo.id) { cell, phase, moment in
    //@ tracker.bind(cell, to: photo.id) { cell, phase, moment in
  }

  @MainActor
  private func traits(_ tracking: ListTracking) {
    //@ tracking.valueTraits = [.colors, .textSize]
  }

  #if canImport(_Concurrency, _version: 5.9)
    @available(iOS 17, tvOS 17, *)
    private final class TraitsViewController: UITableViewController {
      let tracker = DisplayTracker<Int, String> { "\($0.row)" }

      //@ override func viewDidLoad() {
    }
  #endif
#endif
