import Foundation
import Testing

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The delegate of a session that fetches", .timeLimit(.minutes(10)))
struct FetchSessionTests {
  // MARK: Redirects

  @Test("A redirect is followed, with and without a delegate", arguments: [true, false])
  func followed(hasDelegate: Bool) async throws {
    let server = try Server.redirecting()
    let data = try await withSession(hasDelegate ? SessionDelegate() : nil) { session in
      try await session.fetch(server.url())
    }
    #expect(data == Data("/next".utf8))
  }

  @Test("The delegate can refuse a redirect, and change its request")
  func decided() async throws {
    let server = try Server.redirecting()
    let url = try server.url()
    let error = await withSession(SessionDelegate(redirect: { $1(nil) })) {
      await $0.failure(of: url)
    }
    #expect((error as? HTTPStatusError)?.status == 302)
    let other = URLRequest(url: try server.url("/other"))
    let data = try await withSession(SessionDelegate(redirect: { $1(other) })) { session in
      try await session.fetch(server.url())
    }
    #expect(data == Data("/other".utf8))
  }

  @Test("A cancel ends a fetch whose redirect waits for the delegate; a late answer does nothing")
  func cancelledRedirect() async throws {
    let server = try Server.redirecting()
    let url = try server.url()
    let answer = Box<(@Sendable () -> Void)?>(nil)
    let isAsked = Gate()
    let delegate = SessionDelegate(redirect: { request, handler in
      answer.set {
        handler(request)
        handler(request)
      }
      isAsked.open()
    })
    try await withSession(delegate) { session in
      let task = Task {
        // The test does not wait for a fetch that has ended early.
        defer { isAsked.open() }
        return try await session.fetch(url)
      }
      await isAsked.opened()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      answer.exchanged(nil)?()
      let data = try await session.fetch(server.url("/next"))
      #expect(data == Data("/next".utf8))
    }
    #expect(server.requests.value == 2)
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

  private static let right: SessionDelegate.Challenge = {
    $1(.useCredential, URLCredential(user: "me", password: "right", persistence: .none))
  }

  @Test("The delegate's credential meets a challenge")
  func met() async throws {
    let server = try guardedServer()
    let delegate = SessionDelegate(challenge: Self.right)
    let data = try await withSession(delegate) { try await $0.anyBody(of: server.url()) }
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
    let delegate = SessionDelegate(challenge: { $1(disposition, nil) })
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

  #if canImport(FoundationNetworking)
    @Test("After a redirect, the challenges are counted anew")
    func countedAnew() async throws {
      let server = try Server {
        let isIn = $0.header("Authorization") != nil
        let status =
          switch $0.path {
          case "/" where isIn: "302 Found\r\nLocation: /next"
          case "/next" where $0.header("Authorization")?.hasSuffix("Mg==") == true: "200 OK"
          default: "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\""
          }
        $0.send("HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 2\r\n\r\nin")
      }
      let failures = Log<Int>([])
      let delegate = SessionDelegate(challenge: { challenge, answer in
        failures.append(challenge.previousFailureCount)
        let number = "\(failures.value.count)"
        answer(.useCredential, URLCredential(user: "me", password: number, persistence: .none))
      })
      let data = try await withSession(delegate) { try await $0.anyBody(of: server.url()) }
      #expect(data == Data("in".utf8) && failures.value == [0, 0])
    }

    @Test("A hop that breaks off has no status of the response before")
    func brokenHop() async throws {
      let server = try Server {
        guard $0.header("Authorization") == nil else { return }
        $0.send(
          "HTTP/1.1 401 No\r\nConnection: close\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
            + "Content-Length: 2\r\n\r\nno")
      }
      let url = try server.url()
      let error = await withSession(SessionDelegate(challenge: Self.right)) {
        await $0.failure(of: url)
      }
      #expect(error is URLError && (error as? URLError)?.httpStatus == nil)
    }
  #endif

  @Test("A wrong credential is followed by another challenge")
  func wrong() async throws {
    let server = try guardedServer()
    let url = try server.url()
    let delegate = SessionDelegate(challenge: { challenge, answer in
      guard challenge.previousFailureCount == 0 else { return answer(.rejectProtectionSpace, nil) }
      answer(.useCredential, URLCredential(user: "me", password: "wrong", persistence: .none))
    })
    let data = try await withSession(delegate) { try await $0.anyBody(of: url) }
    #expect(data == Data("out".utf8))
    #expect(delegate.challenges.value == 2)
  }

  #if canImport(FoundationNetworking)
    @Test("A credential for a challenge that Linux cannot meet ends with status 401")
    func unsupported() async throws {
      let server = try guardedServer("Digest realm=\"a\", nonce=\"b\"")
      let url = try server.url()
      let error = await withSession(SessionDelegate(challenge: Self.right)) {
        await $0.failure(of: url)
      }
      #expect((error as? HTTPStatusError)?.status == 401)
    }
  #endif
}
