import Foundation
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail {
  init(_ data: Data) throws {}
}

private actor PhotoStore {
  func data(of id: Photo.ID) async throws -> Data { Data() }
  nonisolated func contains(_ id: Photo.ID) -> Bool { true }
}

@MainActor
private func subclass(_ store: PhotoStore) {
  //@ final class ThumbnailUpdate: UpdateOperation<Photo.ID, Thumbnail>, @unchecked Sendable {
  tracker.removeAll()
}
