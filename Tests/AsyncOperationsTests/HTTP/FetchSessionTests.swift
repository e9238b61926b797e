import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The delegate of a session that fetches", .timeLimit(.minutes(10)))
struct FetchSessionTests {
  private typealias Redirect =
    @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) ->
    Void
  private typealias Challenge =
    @Sendable (
      URLAuthenticationChallenge,
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Void

  private final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
    let challenges = Box()
    private let redirect: Redirect
    private let challenge: Challenge

    init(
      redirect: @escaping Redirect = { $1($0) },
      challenge: @escaping Challenge = { $1(.performDefaultHandling, nil) }
    ) {
      self.redirect = redirect
      self.challenge = challenge
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      redirect(request, completionHandler)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      challenges.add()
      self.challenge(challenge, completionHandler)
    }
  }

  private func withSession<Output>(
    _ delegate: Delegate?, _ body: (URLSession) async throws -> Output
  ) async rethrows -> Output {
    let session = URLSession.testing(delegate)
    // A session retains its delegate until then.
    defer { session.finishTasksAndInvalidate() }
    return try await body(session)
  }

  // MARK: Redirects

  private func redirectingServer() throws -> Server {
    try Server {
      let response =
        $0.path == "/"
        ? "302 Found\r\nConnection: close\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
        : "200 OK\r\nConnection: close\r\nContent-Length: \($0.path.utf8.count)\r\n\r\n\($0.path)"
      $0.send("HTTP/1.1 \(response)")
    }
  }

  @Test("A redirect is followed, with and without a delegate", arguments: [true, false])
  func followed(hasDelegate: Bool) async throws {
    let server = try redirectingServer()
    let data = try await withSession(hasDelegate ? Delegate() : nil) { session in
      try await session.fetch(server.url())
    }
    #expect(data == Data("/next".utf8))
  }

  @Test("The delegate can refuse a redirect, and change its request")
  func decided() async throws {
    let server = try redirectingServer()
    let url = try server.url()
    let error = await withSession(Delegate(redirect: { $1(nil) })) { await $0.failure(of: url) }
    #expect((error as? HTTPStatusError)?.status == 302)
    let other = URLRequest(url: try server.url("/other"))
    let data = try await withSession(Delegate(redirect: { $1(other) })) { session in
      try await session.fetch(server.url())
    }
    #expect(data == Data("/other".utf8))
  }

  @Test("A cancel ends a fetch whose redirect waits for the delegate; a late answer does nothing")
  func cancelledRedirect() async throws {
    let server = try redirectingServer()
    let url = try server.url()
    let answer = Box<(@Sendable () -> Void)?>(nil)
    let isAsked = Gate()
    let delegate = Delegate(redirect: { request, handler in
      answer.set {
        handler(request)
        handler(request)
      }
      isAsked.open()
    })
    try await withSession(delegate) { session in
      let task = Task { try await session.fetch(url) }
      await isAsked.opened()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      answer.exchanged(nil)?()
      let data = try await session.fetch(server.url("/next"))
      #expect(data == Data("/next".utf8))
    }
    #expect(server.requests.value == 2)
  }

  @Test("Cancels that meet redirects leave the session alive")
  func redirectsUnderStress() async throws {
    let server = try redirectingServer()
    let url = try server.url()
    let tasks = Log<Task<Data, any Error>>([])
    let delegate = Delegate(redirect: { request, handler in
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

  // MARK: Challenges

  private func guardedServer(_ challenge: String = "Basic realm=\"a\"") throws -> Server {
    try Server {
      // "me:right" in base 64.
      let response =
        $0.request.contains("Authorization: Basic bWU6cmlnaHQ=")
        ? "200 OK\r\nConnection: close\r\n\r\nin"
        : "401 Unauthorized\r\nConnection: close\r\nWWW-Authenticate: \(challenge)\r\n\r\nout"
      $0.send("HTTP/1.1 \(response)")
    }
  }

  private static let right: Challenge = {
    $1(.useCredential, URLCredential(user: "me", password: "right", persistence: .none))
  }

  @Test("The delegate's credential meets a challenge")
  func met() async throws {
    let server = try guardedServer()
    let delegate = Delegate(challenge: Self.right)
    let data = try await withSession(delegate) { try await $0.fetch(server.url()) }
    #expect(data == Data("in".utf8))
    #expect(delegate.challenges.value == 1)
  }

  @Test(
    "A challenge that is not met ends with status 401 (fact 5)",
    arguments: [
      .performDefaultHandling, .rejectProtectionSpace, .useCredential,
    ] as [URLSession.AuthChallengeDisposition])
  func declined(disposition: URLSession.AuthChallengeDisposition) async throws {
    let server = try guardedServer()
    let url = try server.url()
    let delegate = Delegate(challenge: { $1(disposition, nil) })
    let error = await withSession(delegate) { await $0.failure(of: url) }
    #expect((error as? HTTPStatusError)?.status == 401)
  }

  @Test(
    "Without a delegate, a 401 ends with its status, whatever the challenge (fact 5)",
    arguments: [
      "Basic realm=\"a\"", "Basic", "Bearer", "Digest realm=\"a\", nonce=\"b\"", "Negotiate", ",",
      "",
    ])
  func noDelegate(challenge: String) async throws {
    let server = try guardedServer(challenge)
    let url = try server.url()
    let error = await withSession(nil) { await $0.failure(of: url) }
    #expect((error as? HTTPStatusError)?.status == 401)
  }

  @Test("A wrong credential is followed by another challenge")
  func wrong() async throws {
    let server = try guardedServer()
    let url = try server.url()
    let delegate = Delegate(challenge: { challenge, answer in
      guard challenge.previousFailureCount == 0 else { return answer(.rejectProtectionSpace, nil) }
      answer(.useCredential, URLCredential(user: "me", password: "wrong", persistence: .none))
    })
    let error = await withSession(delegate) { await $0.failure(of: url) }
    #expect((error as? HTTPStatusError)?.status == 401)
    #expect(delegate.challenges.value == 2)
  }

  #if canImport(FoundationNetworking)
    @Test("A credential for a challenge that Linux cannot meet ends with status 401")
    func unsupported() async throws {
      let server = try guardedServer("Digest realm=\"a\", nonce=\"b\"")
      let url = try server.url()
      let error = await withSession(Delegate(challenge: Self.right)) { await $0.failure(of: url) }
      #expect((error as? HTTPStatusError)?.status == 401)
    }
  #endif
}
