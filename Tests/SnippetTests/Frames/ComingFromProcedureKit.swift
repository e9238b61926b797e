import AsyncOperations
import Foundation

private func startRequest(_ completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {}
private func cancelRequest() {}

private enum Procedures {
  //@ final class Fetch: ResultOperation<Data>, @unchecked Sendable {
}
