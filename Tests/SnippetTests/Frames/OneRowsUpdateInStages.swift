import Foundation
import RowOperations

private struct Photo: Identifiable {
  let id: Int
}

private struct Thumbnail: Sendable {
  init(_ data: Data) throws {}
}

@MainActor
private final class PhotoCell {
  var photoID: Photo.ID?

  func show(_ image: Thumbnail) {}
}

private func download(_ id: Photo.ID) async throws -> Data { Data() }
private func decode(_ data: Data) throws -> Thumbnail { try Thumbnail(data) }
private func decrypt(_ data: Data) throws -> Data { data }
private func parse(_ line: Substring) throws -> String { String(line) }
private func loadCaption(_ context: UpdateContext<Int, String>) async throws -> String { "" }

private struct Disk: Sendable {
  func thumbnail(of id: Photo.ID) async -> Thumbnail? { nil }
}

private func url(of id: Photo.ID) -> URL { URL(fileURLWithPath: "/") }

@MainActor
private func opening(_ disk: Disk) {
  //@ let thumbnails = DisplayTracker<Photo.ID, Thumbnail> { context in
  thumbnails.removeAll()
}

@MainActor
private func alone(_ cell: PhotoCell, _ photo: Photo, _ queue: OperationQueue) {
  //@ let update = UpdateOperation<Photo.ID, Thumbnail>(
}

private func thumbnail(of id: Photo.ID) async throws -> Thumbnail { try Thumbnail(Data()) }

private func stored(
  _ context: UpdateContext<Photo.ID, Thumbnail>, _ disk: Disk
) async throws -> Thumbnail {
  //@ let stored = await disk.thumbnail(of: context.row)
}

private struct Library {
  func thumbnail(of id: Photo.ID, isUrgent: Bool) async throws -> Thumbnail {
    try Thumbnail(Data())
  }
}

private func urgent(
  _ context: UpdateContext<Photo.ID, Thumbnail>, _ library: Library
) async throws -> Thumbnail {
  //@ return try await library.thumbnail(of: context.row, isUrgent: context.claim == .displayed)
}

private func named(_ context: UpdateContext<Int, Data>, _ data: Data) async throws -> Data {
  //@ let bytes = try await context.stage("decrypt") { try decrypt(data) }
  return bytes
}

private func long(
  _ context: UpdateContext<Int, [String]>, _ text: String
) async throws -> [String] {
  //@ return try await context.stage(.decode) {
}

private func test() async throws -> String {
  //@ let context = UpdateContext<Int, String>(token: RowToken(row: 7, generation: 1))
  return caption
}
