import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Cancelling a fetch", .timeLimit(.minutes(20)))
struct FetchCancelTests {
  private let session = URLSession.testing()

  /// A server that sends some bytes and then nothing, and reports requests and their ends.
  private struct SilentServer {
    let arrived = Gate()
    /// Whether the client has closed the connection; `nil` while it is open.
    let wasClosed = Box<Bool?>(nil)
    let server: Server

    init(_ response: String) throws {
      let (arrived, wasClosed) = (arrived, wasClosed)
      server = try Server {
        $0.send(response)
        arrived.open()
        wasClosed.set($0.waitForClose())
      }
    }
  }

  @Test(
    "A cancel ends a fetch and its connection",
    arguments: [
      "", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello",
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 500\r\n\r\nhello",
    ])
  func silence(response: String) async throws {
    let silent = try SilentServer(response)
    let url = try silent.server.url()
    let task = Task {
      // The test does not wait for a fetch that has ended early.
      defer { silent.arrived.open() }
      // A fetch would end at a 401 that stalls.
      return try await session.response(for: URLRequest(url: url)).0
    }
    await silent.arrived.opened()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await until { silent.wasClosed.value != nil }
    #expect(silent.wasClosed.value == true)
  }

  @Test("A task that was cancelled before makes no request")
  func before() async throws {
    let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let url = try server.url()
    let task = Task {
      await untilCancelled()
      return try await session.fetch(url)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.value == 0)
  }

  @Test("A cancel between two bytes ends a fetch")
  func drips() async throws {
    let (received, isCancelled) = (DispatchSemaphore(value: 0), Gate())
    let server = try Server {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
      while $0.send("a") { received.wait() }
    }
    let request = URLRequest(url: try server.url())
    let task = Task {
      defer {
        // Neither the server nor the test waits for a fetch that has ended.
        received.signal()
        isCancelled.open()
      }
      return try await session.fetch(request) { progress in
        if progress > 0.00001 { isCancelled.open() }
        received.signal()
      }
    }
    await isCancelled.opened()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A cancel from the main actor returns, and ends the fetch, while the session is blocked")
  func blockedSession() async {
    // In a process of its own: on Linux a blocked session blocks all others.
    await #expect(processExitsWith: .success) {
      Watchdog.start(Watchdog.patient)
      let (isBlocked, mayGoOn) = (Gate(), Gate())
      let server = try Server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
      let request = URLRequest(url: try server.url())
      let task = Task.detached {
        defer { isBlocked.open() }
        return try await URLSession.testing().fetch(request) { _ in
          isBlocked.open()
          mayGoOn.wait()
        }
      }
      await isBlocked.opened()
      await MainActor.run { task.cancel() }
      await #expect(throws: CancellationError.self) { try await task.value }
      mayGoOn.open()
    }
  }

  private enum Moment: CaseIterable {
    case atOnce, onRequest, onBody, never
  }

  @Test("Thousands of cancels at any moment neither hang nor break a session (fact 1)")
  func stress() async throws {
    let count = StressLevel.current.cancelledFetches
    let canceller = Box<[String: @Sendable () -> Void]>([:])
    let server = try Server { connection in
      let path = connection.path
      canceller.change { $0.removeValue(forKey: path) }?()
      connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\na")
      connection.send("b")
    }
    let outcomes = Box<[Moment: Int]>([:])
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        if index >= 64 { await group.next() }
        group.addTask {
          let moment = Moment.allCases[index % Moment.allCases.count]
          guard let url = try? server.url("/\(index)") else { return }
          var request = URLRequest(url: url)
          // On Linux each POST has a session of its own.
          if index / Moment.allCases.count % 2 == 1 { request.httpMethod = "POST" }
          let data = await self.fetch(request, cancelling: moment, canceller)
          if let data { #expect(data == Data("ab".utf8)) }
          if data == nil { #expect(moment != .never) }
          outcomes.change { $0[moment, default: 0] += 1 }
        }
      }
    }
    #expect(outcomes.value.values.reduce(0, +) == count)
    #expect(try await session.fetch(server.url()) == Data("ab".utf8))
  }

  /// - Returns: The data, or `nil` if the fetch was cancelled.
  private func fetch(
    _ request: URLRequest, cancelling moment: Moment,
    _ canceller: Box<[String: @Sendable () -> Void]>
  ) async -> Data? {
    let current = Box<Task<Data, any Error>?>(nil)
    let cancel: @Sendable () -> Void = { current.value?.cancel() }
    if moment == .onRequest { canceller.change { $0[request.url?.path ?? ""] = cancel } }
    let task = Task { [session] in
      try await session.fetch(request) { _ in
        if moment == .onBody { cancel() }
      }
    }
    current.set(task)
    if moment == .atOnce { task.cancel() }
    do {
      return try await task.value
    } catch is CancellationError {
      return nil
    } catch {
      Issue.record("\(moment): \(error)")
      return nil
    }
  }
}
