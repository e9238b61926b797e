import Foundation
import OperationComposition
import RowOperations

private func download(_ url: URL) async throws -> Data { Data() }

private func overview(_ urls: [URL]) async throws -> [Data] {
  //@ import Foundation
  return data
}
