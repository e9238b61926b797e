import Foundation
import RowOperations

// The names of Nuke 12 in the article.

private final class UIImage: Sendable {}

private struct ImageContainer {
  let image: UIImage
}

private struct ImageResponse: Sendable {
  let image: UIImage
}

private struct ImageTask: Sendable {
  var previews: AsyncStream<ImageResponse> { AsyncStream { $0.finish() } }
  var image: UIImage { get async throws { UIImage() } }
}

private final class ImagePipeline: Sendable {
  struct Cache {
    subscript(url: URL) -> ImageContainer? { nil }
  }

  static let shared = ImagePipeline()

  var cache: Cache { Cache() }

  func image(for url: URL) async throws -> UIImage { UIImage() }
  func imageTask(with url: URL) -> ImageTask { ImageTask() }
}

private struct Photo {
  let url: URL
}

@MainActor
private final class PhotoCell {
  final class Picture {
    var image: UIImage?
  }

  let picture = Picture()
}

@MainActor
private func list(_ cell: PhotoCell, _ photo: Photo) {
  //@ var configuration = TrackerConfiguration<URL, UIImage>()
  //@ tracker.bind(cell, to: photo.url) { $0.picture.image = $1.value }
}

@MainActor
private func steps() {
  //@ let tracker = DisplayTracker<URL, UIImage> { context in
  tracker.removeAll()
}
