import AsyncOperations
import Foundation

private func download(_ url: URL) async throws -> Data { Data() }

private func overview(_ urls: [URL]) async throws -> [Data] {
  //@ import AsyncOperations
  return data
}
