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

private struct ImageProcessing: Sendable {
  static func resize(width: Double) -> ImageProcessing { ImageProcessing() }
}

private struct ImageRequest: Sendable {
  let url: URL
  let processors: [ImageProcessing]
}

private final class ImagePipeline: Sendable {
  struct Cache {
    subscript(url: URL) -> ImageContainer? { nil }
    subscript(request: ImageRequest) -> ImageContainer? { nil }
  }

  static let shared = ImagePipeline()

  var cache: Cache { Cache() }

  func image(for url: URL) async throws -> UIImage { UIImage() }
  func image(for request: ImageRequest) async throws -> UIImage { UIImage() }
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

private struct Requests {
  //@ func thumbnail(of url: URL) -> ImageRequest {
}

private func thumbnail(of url: URL) -> ImageRequest { Requests().thumbnail(of: url) }

@MainActor
private func processors() {
  var configuration = TrackerConfiguration<URL, UIImage>()
  //@ configuration.cached = { ImagePipeline.shared.cache[thumbnail(of: $0)]?.image }
  thumbnails.removeAll()
}

#if canImport(SwiftUI) && canImport(UIKit)
  import SwiftUI
  import UIKit

  @MainActor
  private struct PhotoRow: View {
    let photo: Photo
    let tracker: DisplayTracker<URL, UIKit.UIImage>

    var body: some View {
      //@ TrackedRow(photo.url, tracker) { phase in
    }
  }
#endif
