import Foundation
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail {
  static let placeholder = Thumbnail()
}

@MainActor
private final class PhotoCell {
  func show(_ image: Thumbnail) {}
}

private func thumbnail(of id: Photo.ID) async throws -> Thumbnail { Thumbnail() }

private enum Recipe {
  //@ @MainActor
}
