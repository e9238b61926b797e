import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Fetches under stress", .timeLimit(.minutes(60)))
struct FetchStress {
  @Test("Cancels that meet redirects leave the session alive")
  func redirects() async throws {
    let server = try Server.redirecting()
    let url = try server.url()
    let tasks = Log<Task<Data, any Error>>([])
    let delegate = SessionDelegate(redirect: { request, handler in
      for task in tasks.exchanged([]) { task.cancel() }
      handler(request)
    })
    try await withSession(delegate) { session in
      for _ in 0..<StressLevel.current.cancelledFetches / 10 {
        let task = Task { try await session.fetch(url) }
        tasks.append(task)
        _ = await task.result
      }
      tasks.set([])
      let data = try await session.fetch(url)
      #expect(data == Data("/next".utf8))
    }
  }
}
