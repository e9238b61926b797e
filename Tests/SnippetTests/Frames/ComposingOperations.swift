import AsyncOperations
import Foundation

private struct Image: Sendable {}
private struct Photo: Sendable {}
private struct Page: Sendable {
  let links: [URL]
}

private func render(_ photo: Photo) async throws -> Image { Image() }
private func load(_ url: URL) async throws -> Page { Page(links: []) }
private func uploadPhoto() async throws {}
private func makeSyncGroup() -> GroupOperation<Image> { GroupOperation([]) }

private func groups(
  _ photos: [Photo], _ start: URL, _ queue: OperationQueue
) async throws -> [Image] {
  //@ let thumbnails = GroupOperation<Image>(width: 4, photos.map { photo in
  //@ @Sendable func visit(_ url: URL, in crawl: GroupOperation<Page>) -> TaskOperation<Page> {
  return images
}

@Sendable private func record(_ result: Result<Image, any Error>, of photo: Photo) {}

private func fates(_ photos: [Photo]) -> Operation {
  //@ let uploads = photos.map { photo in
  return group
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
