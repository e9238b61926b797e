import Foundation
import RowOperations

// A terminal list; older Apple systems lack `MainActor.assumeIsolated`.
#if os(Linux)
  @MainActor
  private func terminal() {
    //@ import Foundation
  }
#endif

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail {}

private final class Tile {
  func draw(_ picture: Thumbnail?) {}
}

@MainActor
private final class PhotoWall {
  //@ let tracker = DisplayTracker<Photo.ID, Thumbnail> { try await thumbnail(of: $0.row) }
}

private func thumbnail(of id: Photo.ID) async throws -> Thumbnail { Thumbnail() }

#if canImport(SwiftUI)
  import SwiftUI

  private enum Rows {
    //@ @MainActor
  }
#endif
