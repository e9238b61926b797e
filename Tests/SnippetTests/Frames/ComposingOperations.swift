import AsyncOperations
import Foundation

private struct Image: Sendable {}
private struct Photo: Sendable {}
private struct Feed: Sendable {}
private struct User: Sendable {
  let name: String
}
private struct Card: Sendable {
  let name: String
  let photo: Photo
}
private struct Page: Sendable {
  let links: [URL]
}
private enum SessionError: Error {
  case expired
}
private actor Session {
  var isValid: Bool { true }
}

private func render(_ photo: Photo) async throws -> Image { Image() }
private func load(_ url: URL) async throws -> Page { Page(links: []) }
private func uploadPhoto() async throws {}
private func uploadPhotos() async throws {}
private func makeSyncGroup() -> GroupOperation<Image> { GroupOperation([]) }
private func fetchFeed() async throws -> Feed { Feed() }
private func fetchUser() async throws -> User { User(name: "") }
private func fetchPhoto() async throws -> Photo { Photo() }
private func showAlert() async {}

private func groups(
  _ photos: [Photo], _ start: URL, _ queue: OperationQueue
) async throws -> [Image] {
  //@ let thumbnails = GroupOperation<Image>(width: 4, photos.map { photo in
  //@ @Sendable func visit(_ url: URL, in crawl: GroupOperation<Page>) -> TaskOperation<Page> {
  return images
}

private func retries(_ queue: OperationQueue) -> [Operation] {
  #if canImport(Darwin) && !canImport(_Concurrency, _version: 5.9)
    // SDKs older than iOS 17 and macOS 14 do not say that it is Sendable.
    nonisolated(unsafe) let queue = queue
  #endif
  //@ let upload = RetryOperation(
  //@ let sync = RetryOperation(.delays([.seconds(1), .seconds(5)])) { _ in
  return [upload, sync]
}

private func limits() -> [Operation] {
  //@ let feed = TaskOperation { try await fetchFeed() }.timeout(after: .seconds(10))
  //@ let alert = TaskOperation { await showAlert() }.exclusive(in: "alert")
  return [feed, alert]
}

private func conditions(_ session: Session, _ queue: OperationQueue) {
  //@ let upload = TaskOperation { try await uploadPhotos() }
}

private func requirements(_ queue: OperationQueue) {
  //@ let user = TaskOperation { try await fetchUser() }
}
