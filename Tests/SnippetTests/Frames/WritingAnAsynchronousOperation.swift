import AsyncOperations
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Feed: Sendable {}

private func fetchFeed() async throws -> Feed { Feed() }

private func overview(_ url: URL) async throws -> (Data, Feed) {
  //@ import AsyncOperations
  //@ let operation = TaskOperation { try await fetchFeed() }
  return (data, feed)
}

private func fetching(_ url: URL) -> Operation {
  //@ let download = TaskOperation {
  return download
}

private func log(_ message: String) {}

private func diagnostics() {
  //@ OperationDiagnostics.onMisuse = { log($0.description) }
}
