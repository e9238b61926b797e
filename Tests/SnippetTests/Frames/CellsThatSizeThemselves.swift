import RowOperations

private struct Photo: Identifiable {
  let id: Int
  let aspectRatio: Double
}

@MainActor
private final class PhotoCell {
  let width = 320.0

  func setHeight(_ height: Double) {}
  func show(_ title: String?) {}
}

@MainActor
private final class PhotoList {
  let tracker = DisplayTracker<Photo.ID, String> { "\($0.row)" }

  //@ func configure(_ cell: PhotoCell, for photo: Photo) {
}

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private final class GrowingViewController: UITableViewController {
    //@ override func viewDidLoad() {
  }
#endif

#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit

  @MainActor
  private final class GrowingTable {
    let table = NSTableView()
    let order: [Int] = []

    func resizes(_ configuration: inout TrackerConfiguration<Int, String>) {
      //@ configuration.onCommit = { [weak self] ids in
    }
  }
#endif
