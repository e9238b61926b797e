import AsyncOperations
import Foundation

private enum SessionError: Error {
  case expired
}
private actor Session {
  var isValid: Bool { true }
}

private func uploadPhotos() async throws {}
private func uploadReceipt() async throws -> Int { 1 }

//@ extension ExclusionCategory {

private func overview(_ session: Session, _ queue: OperationQueue) {
  //@ let upload = TaskOperation { try await uploadPhotos() }
}

private func permit() async throws -> Int {
  //@ let receipt = try await ExclusionCategory.network.withPermit {
  return receipt
}
