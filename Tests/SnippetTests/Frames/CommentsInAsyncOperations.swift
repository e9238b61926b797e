import AsyncOperations
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Feed: Sendable {}
private struct User: Sendable {
  let name: String
}
private struct Photo: Sendable {
  static let placeholder = Photo()
}
private struct Card: Sendable {
  let name: String
  let photo: Photo
}
private struct Page: Sendable {
  let user: User
  let photo: Photo
}
private enum SessionError: Error {
  case expired
}
private actor Session {
  var isValid: Bool { true }
}

private let session = Session()

private func uploadPhotos() async throws {}
private func checkQuota() async throws {}
private func migrateDatabase() async throws {}
private func fetch(_ url: URL) async throws -> Data { Data() }
private func fetchFeed(fromMirror number: Int = 0) async throws -> Feed { Feed() }
private func render(_ completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {}
private func fetchUser() async throws -> User { User(name: "") }
private func fetchPhoto() async throws -> Photo { Photo() }

//@ extension OperationCondition {
//@ extension ExclusionCategory {

extension ExclusionCategory {
  fileprivate static let database = ExclusionCategory("database")
}

private func conditions(_ queue: OperationQueue) {
  //@ let upload = TaskOperation { try await uploadPhotos() }
}

private func exclusion(_ queue: OperationQueue) {
  //@ let migration = TaskOperation { try await migrateDatabase() }
}

private func uploadReceipt() async throws -> Int { 1 }

private func permit() async throws -> Int {
  //@ let receipt = try await ExclusionCategory.uploads.withPermit { try await uploadReceipt() }
  return receipt
}

private func group(_ urls: [URL], _ queue: OperationQueue) async throws -> [Data] {
  //@ let group = GroupOperation<Data>(width: 2, urls.map { url in
  return pages
}

private func requirements(_ queue: OperationQueue) -> Operation {
  //@ let user = TaskOperation { try await fetchUser() }
  //@ let page = TaskOperation(requiringResultsOf: user, photo) { user, photo in
  return page
}

private func retries(_ queue: OperationQueue) async throws -> Feed {
  //@ let strategy = RetryStrategy.exponential(from: .milliseconds(200), limit: 4)
  _ = strategy
  //@ let feed = RetryOperation(.exponential(from: .milliseconds(200), limit: 4)) { attempt in
  return posts
}

private func limits(_ queue: OperationQueue) async throws -> Feed {
  //@ let feed = TaskOperation { try await fetchFeed() }
  return posts
}

// MARK: Operations

private enum Subclass {
  //@ final class Download: AsyncOperation, @unchecked Sendable {
}

private func closures(_ queue: OperationQueue) async throws {
  //@ let feed = queue.enqueue { try await fetchFeed() }
}

private func ownQueue(_ download: AsyncOperation) {
  //@ let queue = AsyncOperationQueue()
}

private func explanation(_ queue: OperationQueue, _ upload: Operation) {
  //@ print(queue.explain(upload))
}

private func observe(_ operation: AsyncOperation) {
  //@ operation.addObserver(OperationObserver(willFinish: { print("done:", $0) }))
}

private func result(_ queue: OperationQueue) async throws -> Data {
  //@ final class Thumbnail: ResultOperation<Data>, @unchecked Sendable {
  return data
}

private func task() async throws -> Feed {
  //@ let queue = OperationQueue()
  return feed
}
