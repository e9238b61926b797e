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

#if canImport(SwiftUI)
  import SwiftUI

  private struct LinkedPhoto {
    let url: URL
  }

  @MainActor
  private struct PhotoRow: View {
    let photo: LinkedPhoto
    let tracker: DisplayTracker<URL, DecodedPicture>

    var body: some View {
      //@ TrackedRow(photo.url, tracker) { phase in
    }
  }
#endif
