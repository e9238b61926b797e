import AsyncOperations
import Foundation

private struct Photo: Sendable {}
private struct User: Sendable {
  let name: String
}
private struct Card: Sendable {
  let name: String
  let photo: Photo
}

private func fetchUser() async throws -> User { User(name: "") }
private func fetchPhoto() async throws -> Photo { Photo() }

private func requirements(_ queue: OperationQueue) {
  //@ let user = TaskOperation { try await fetchUser() }
}

private enum Subclass {
  //@ final class Decode: ResultOperation<String>, @unchecked Sendable {
}
