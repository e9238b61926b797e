import Foundation

@testable import AsyncOperations
@testable import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate that answers redirects and challenges with closures.
final class SessionDelegate: NSObject, URLSessionTaskDelegate, Sendable {
  typealias Redirect =
    @Sendable (URLRequest, @escaping @Sendable (URLRequest?) -> Void) ->
    Void
  typealias Challenge =
    @Sendable (
      URLAuthenticationChallenge,
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Void

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

/// Runs a body with a session, and invalidates the session, which retains its delegate until then.
func withSession<Output>(
  _ delegate: SessionDelegate?, _ body: (URLSession) async throws -> Output
) async rethrows -> Output {
  let session = URLSession.testing(delegate)
  defer { session.finishTasksAndInvalidate() }
  return try await body(session)
}

extension Server {
  /// Redirects "/" to "/next", and answers other paths with the path.
  static func redirecting() throws -> Server {
    try Server {
      let response =
        $0.path == "/"
        ? "302 Found\r\nConnection: close\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
        : "200 OK\r\nConnection: close\r\nContent-Length: \($0.path.utf8.count)\r\n\r\n\($0.path)"
      $0.send("HTTP/1.1 \(response)")
    }
  }
}
