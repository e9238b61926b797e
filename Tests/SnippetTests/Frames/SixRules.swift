import RowOperations

private struct Path {
  let row: Int
}

private typealias IndexPath = Path

private struct Photo: Identifiable {
  let id: Int
}

@MainActor
private final class PhotoCell {
  final class Label {
    var text: String?
  }

  final class Button {
    var isHidden = true
  }

  let title = Label()
  let retryButton = Button()
}

@MainActor
private final class PhotoList {
  let photos: [Photo] = []
  let tracker = DisplayTracker<Photo.ID, String> { "\($0.row)" }

  //@ func configure(_ cell: PhotoCell, at path: IndexPath) {
}
