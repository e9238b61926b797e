#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import Testing

  @testable import AsyncOperations
  @testable import TestSupport

  @Suite("The delegate of a private session", .timeLimit(.minutes(10)))
  struct FetchRouterTests {
    /// A fetch whose server is silent, so that all responses come from the test.
    private struct Running {
      let session = URLSession.testing()
      let privateSession: URLSession
      let router: FetchRouter
      let fetch: Fetch
      let result: Task<Fetch.Answer, any Error>
      let task: URLSessionDataTask
      private let server: Server

      init() async throws {
        let arrived = Gate()
        server = try Server {
          arrived.open()
          $0.waitForClose()
        }
        (privateSession, router) = FetchSessions.shared.session(for: session)
        let fetch = Fetch(URLRequest(url: try server.url()), over: session, limit: 100)
        self.fetch = fetch
        result = Task { try await fetch.run() }
        await arrived.opened()
        task = try #require(fetch.task)
      }

      func response(_ status: Int, _ header: [String: String] = [:]) throws -> HTTPURLResponse {
        let url = try #require(fetch.request.url)
        return try #require(
          HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: header))
      }

      /// Waits until the calls of the system that were requested before have been made.
      func passed() async {
        let passed = Gate()
        Fetch(fetch.request, over: session, limit: 1).answer { passed.open() }
        await passed.opened()
      }

      /// Whether the fetch has ended: no answer comes any more.
      func hasEnded() async -> Bool {
        let answers = Box()
        fetch.answer { answers.add() }
        await passed()
        return answers.value == 0
      }

      func end() async {
        result.cancel()
        _ = try? await result.value
        await passed()
        task.cancel()
      }
    }

    @Test("Every response is allowed, and a refused one waits for its end")
    func refused() async throws {
      let running = try await Running()
      let dispositions = Log<URLSession.ResponseDisposition>([])
      running.router.urlSession(
        running.privateSession, dataTask: running.task,
        didReceive: try running.response(404, ["Content-Length": "9"])
      ) { dispositions.append($0) }
      #expect(dispositions.value == [.allow])
      #expect(await !running.hasEnded())
      running.router.urlSession(
        running.privateSession, task: running.task, didCompleteWithError: nil)
      await #expect(throws: HTTPStatusError.self) { try await running.result.value }
      // The connection lives on.
      await running.passed()
      #expect(running.task.state == .running)
      await running.end()
    }

    @Test(
      "A redirect is answered with no request, followed or not, so that its task ends",
      arguments: [[:], ["Location": "/next"]])
    func redirect(header: [String: String]) async throws {
      let running = try await Running()
      let answers = Log<URLRequest?>([])
      running.router.urlSession(
        running.privateSession, task: running.task,
        willPerformHTTPRedirection: try running.response(302, header),
        newRequest: running.fetch.request
      ) { answers.append($0) }
      // The answer comes before the next hop.
      for _ in 0..<2 { await running.passed() }
      #expect(answers.value == [nil])
      await running.end()
    }

    @Test(
      "Without a delegate, the credential that the system proposes meets the first challenge alone",
      arguments: [0, 1])
    func proposed(failures: Int) async throws {
      let running = try await Running()
      let credential = URLCredential(user: "me", password: "right", persistence: .none)
      let space = URLProtectionSpace(
        host: "127.0.0.1", port: 80, protocol: "http", realm: "a",
        authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
      let challenge = URLAuthenticationChallenge(
        protectionSpace: space, proposedCredential: credential, previousFailureCount: failures,
        failureResponse: nil, error: nil, sender: Sender())
      running.router.urlSession(
        running.privateSession, task: running.task, didReceive: challenge
      ) { _, _ in Issue.record("The request is made anew.") }
      await running.passed()
      let header = running.fetch.request.value(forHTTPHeaderField: "Authorization")
      #expect(header == (failures == 0 ? "Basic bWU6cmlnaHQ=" : nil))
      #expect(await running.hasEnded() == (failures > 0))
      await running.end()
    }

    private final class Sender: NSObject, URLAuthenticationChallengeSender {
      func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
      func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
      func cancel(_ challenge: URLAuthenticationChallenge) {}
      func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
      func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
  }
#endif
