import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs a body for so long at most.
func withTimeout<Output: Sendable>(
  _ timeout: Duration, _ body: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  try await withThrowingTaskGroup(of: Output.self) { group in
    group.addTask(operation: body)
    group.addTask {
      try await Task.sleep(for: timeout)
      throw URLError(.timedOut)
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
