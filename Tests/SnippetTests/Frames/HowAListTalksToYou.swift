import RowOperations

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private final class CoveredViewController: UITableViewController {
    let tracker = DisplayTracker<Int, String> { "\($0.row)" }

    //@ override func viewDidAppear(_ animated: Bool) {
  }
#endif

private struct Photo: Identifiable {
  let id: Int
}

private enum Item {
  case photo(Photo.ID)
  case advertisement
}

@MainActor
private class PhotoCell {
  func show(_ text: String?) {}
}

@MainActor
private final class PhotoList {
  let tracker = DisplayTracker<Photo.ID, String> { "\($0.row)" }

  //@ func configure(_ cell: PhotoCell, for item: Item) {
}
