import Foundation
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

private struct UIImage {}

#if !canImport(UIKit)
  extension IndexPath {
    fileprivate var row: Int { self[1] }
  }
#endif

private final class PhotoCell {
  func show(_ image: UIImage?) {}
}

@MainActor
private final class PhotoList {
  var ids: [Photo.ID] = []

  //@ let tracker = DisplayTracker<Photo.ID, UIImage> { try await thumbnail(of: $0.row) }
}

private func thumbnail(of id: Photo.ID) async throws -> UIImage { UIImage() }

#if canImport(SwiftUI)
  import SwiftUI

  private enum Rows {
    //@ @MainActor
  }
#endif
