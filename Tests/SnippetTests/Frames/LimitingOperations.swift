import AsyncOperations
import Foundation

private enum SessionError: Error {
  case expired
}
private actor Session {
  var isValid: Bool { true }
}

private func uploadPhotos() async throws {}

private func overview(_ session: Session, _ queue: OperationQueue) {
  //@ let upload = TaskOperation { try await uploadPhotos() }
}
