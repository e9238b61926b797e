import Foundation
import RowOperations

// A terminal list; older Apple systems lack `MainActor.assumeIsolated`.
#if os(Linux)
  @MainActor
  private func terminal() {
    //@ import Foundation
  }
#endif

@MainActor
private final class ChangingList {
  private var rows = Array(1...10_000)
  private let tracker = DisplayTracker<Int, String> { "Row \($0.row)" }

  func scroll(by step: Int) {}

  func remove(_ row: Int, at index: Int) {
    //@ rows.remove(at: index)
  }
}

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
