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

private struct Post: Identifiable {
  let id: Int
  let author: String?
}

private struct Picture: Identifiable {
  let id: Int
}

@MainActor
private class PhotoCell {
  func show(_ text: String?) {}
}

@MainActor
private final class PostCell: PhotoCell {
  let avatar = PhotoCell()
}

private typealias PictureCell = PhotoCell
private typealias CarouselCell = PhotoCell

@MainActor
private final class PhotoList {
  let tracker = DisplayTracker<Photo.ID, String> { "\($0.row)" }

  //@ func configure(_ cell: PhotoCell, for item: Item) {
}

@MainActor
private final class PostList {
  let texts = DisplayTracker<Post.ID, String> { "\($0.row)" }
  let avatars = DisplayTracker<String, String> { $0.row }

  //@ func configure(_ cell: PostCell, for post: Post) {
}

@MainActor
private final class Carousels {
  let pictures = DisplayTracker<Picture.ID, String> { "\($0.row)" }

  //@ func configure(_ item: PictureCell, with picture: Picture.ID, in carousel: CarouselCell) {
}

#if canImport(SwiftUI)
  import SwiftUI

  private enum Rows {
    //@ @MainActor
  }
#endif
