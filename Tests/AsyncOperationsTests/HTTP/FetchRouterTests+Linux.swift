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
      let session: URLSession
      let privateSession: URLSession
      let router: FetchRouter
      let fetch: Fetch
      let result: Task<Fetch.Answer, any Error>
      let task: URLSessionDataTask
      private let server: Server

      init(_ delegate: SessionDelegate? = nil, checksStatus: Bool = true) async throws {
        session = .testing(delegate)
        let arrived = Gate()
        server = try Server {
          arrived.open()
          $0.waitForClose()
        }
        (privateSession, router) = FetchSessions.shared.session(for: session)
        let fetch = Fetch(
          URLRequest(url: try server.url()), over: session, limit: 100, checksStatus: checksStatus)
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

      /// Challenges the request, and proposes a credential.
      func challenge(failures: Int = 0) {
        let credential = URLCredential(user: "me", password: "right", persistence: .none)
        let space = URLProtectionSpace(
          host: "127.0.0.1", port: 80, protocol: "http", realm: "a",
          authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let challenge = URLAuthenticationChallenge(
          protectionSpace: space, proposedCredential: credential, previousFailureCount: failures,
          failureResponse: nil, error: nil, sender: Sender())
        router.urlSession(privateSession, task: task, didReceive: challenge) { _, _ in
          Issue.record("The request is made anew.")
        }
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

    @Test(
      "A redirect that is not followed is answered, and one that is followed ends with its task",
      arguments: [[:], ["Location": "/next"]])
    func redirect(header: [String: String]) async throws {
      let running = try await Running()
      let answers = Log<URLRequest?>([])
      running.router.urlSession(
        running.privateSession, task: running.task,
        willPerformHTTPRedirection: try running.response(302, header),
        newRequest: running.fetch.request
      ) { answers.append($0) }
      // The end comes before the next hop.
      for _ in 0..<2 { await running.passed() }
      #expect(answers.value == (header.isEmpty ? [nil] : []))
      if !header.isEmpty { await until { running.task.state != .running } }
      await running.end()
    }

    @Test(
      "A redirect can be decided after the request's time limit", arguments: [true, false],
      [true, false])
    func lateRedirect(isFollowed: Bool, checksStatus: Bool) async {
      // In a process of its own: the system ends one that answers late.
      await #expect(processExitsWith: .success) {
        [isFollowed = isFollowed as Bool, checksStatus = checksStatus as Bool] in
        Watchdog.start(Watchdog.patient)
        let server = try Server.redirecting()
        let decide = Box<(@Sendable () -> Void)?>(nil)
        let delegate = SessionDelegate(redirect: { request, answer in
          decide.set { answer(isFollowed ? request : nil) }
        })
        var request = URLRequest(url: try server.url())
        request.timeoutInterval = 2
        let fetch = Fetch(
          request, over: .testing(delegate), limit: 100, checksStatus: checksStatus)
        let result = Task { try await fetch.run() }
        // The system notes the response when the time is over.
        await until { fetch.task?.response != nil }
        decide.value?()
        switch await result.result {
        case .success(let answer) where isFollowed: #expect(answer.data == Data("/next".utf8))
        case .success(let answer): #expect(!checksStatus && answer.response.statusCode == 302)
        case .failure(let error):
          #expect(!isFollowed && (error as? HTTPStatusError)?.status == 302)
        }
      }
    }

    @Test(
      "Without a delegate, the credential that the system proposes meets the first challenge alone",
      arguments: [0, 1])
    func proposed(failures: Int) async throws {
      let running = try await Running()
      running.challenge(failures: failures)
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
