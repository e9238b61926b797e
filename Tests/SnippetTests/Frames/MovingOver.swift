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
private func startRequest(_ completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {}
private func cancelRequest() {}

private enum Recipe {
  //@ @MainActor
}

private enum Procedures {
  //@ final class Fetch: ResultOperation<Data>, @unchecked Sendable {
}
