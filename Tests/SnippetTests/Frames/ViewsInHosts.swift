import RowOperations

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  private struct Post {
    let avatar: URL
    let pictures: [URL]
  }

  private final class PostCell: UITableViewCell {
    let avatar = UIImageView()
    let pictures: [UIImageView] = []
  }

  @MainActor
  private final class PostList {
    let posts: [Post] = []
    let tableView = UITableView()
    let pictures = DisplayTracker<URL, UIImage> { _ in UIImage() }

    //@ func configure(_ cell: PostCell, for post: Post) {
  }
#endif

private struct Picture: Identifiable {
  let id: Int
}

@MainActor
private final class CarouselCell {}

@MainActor
private final class PictureCell {
  func show(_ text: String?) {}
}

@MainActor
private final class Carousels {
  let pictures = DisplayTracker<Picture.ID, String> { "\($0.row)" }

  //@ func configure(_ item: PictureCell, with picture: Picture.ID, in carousel: CarouselCell) {
}

private enum ByHand {
  @MainActor
  final class PostCell {}

  @MainActor
  final class PostList {
    let texts = DisplayTracker<Int, String> { "\($0.row)" }
    let avatars = DisplayTracker<String, String> { $0.row }

    //@ func willDisplay(_ cell: PostCell) {
  }
}
