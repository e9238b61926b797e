#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The delegate of a private session: routes events to fetches by their task's identifier, and
  /// forwards redirects and challenges to the delegate of the source session.
  final class FetchRouter: NSObject, URLSessionDataDelegate {
    private struct Source: Sendable {
      weak var session: URLSession?
      /// An invalidated session has none, but the app may still have it.
      weak var delegate: (any URLSessionTaskDelegate)?
    }

    let fetches = Lock<[Int: Fetch]>([:])
    private let source: Source
    private let hasDelegate: Bool

    init(_ session: URLSession) {
      let delegate = session.delegate as? any URLSessionTaskDelegate
      source = Source(session: session, delegate: delegate)
      hasDelegate = delegate != nil
    }

    /// The session for which this one fetches.
    var served: URLSession? { source.session }

    func route(_ task: URLSessionTask, to fetch: Fetch) {
      fetches.withLock { $0[task.taskIdentifier] = fetch }
    }

    private func fetch(of task: URLSessionTask) -> Fetch? {
      fetches.withLock { $0[task.taskIdentifier] }
    }

    // MARK: Events

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse { fetch(of: dataTask)?.received(response) }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      fetch(of: dataTask)?.received(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let fetch = fetches.withLock { $0.removeValue(forKey: task.taskIdentifier) }
      fetch?.completed(error, task.response as? HTTPURLResponse)
    }

    // MARK: Questions

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let fetch = fetch(of: task) else { return }
      let answer = Answer(fetch) { (next: URLRequest?) in
        if let next {
          fetch.hopped(to: next, after: response) { self.leave(task) }
        } else if task.response == nil {
          // The system ends the task with the redirect as its response, and its body.
          completionHandler(nil)
        } else {
          // The time of the request is over, and an answer would end the process.
          fetch.received(response)
          fetch.declined()
        }
      }
      switch Redirect(response, to: fetch.request) {
      case .stay: answer(nil)
      case .bodyIsSent: fetch.bodyIsSent(response)
      case .follow(let next): decide(next, of: task, after: response) { answer($0) }
      }
    }

    /// Cancels a task that waits for an answer.
    private func leave(_ task: URLSessionTask) {
      fetches.withLock { $0[task.taskIdentifier] = nil }
      task.cancel()
    }

    private func decide(
      _ request: URLRequest, of task: URLSessionTask, after response: HTTPURLResponse,
      _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard hasDelegate else { return answer(request) }
      guard let session = served, let delegate = source.delegate else { return answer(nil) }
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request,
          completionHandler: answer)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let fetch = fetch(of: task), let sender = challenge.sender else { return }
      fetch.challenged()
      // Each hop is a task of its own, and the system counts its challenges anew.
      let failures = challenge.previousFailureCount + fetch.credentials
      let challenge = URLAuthenticationChallenge(
        protectionSpace: challenge.protectionSpace,
        proposedCredential: failures == 0 ? challenge.proposedCredential : nil,
        previousFailureCount: failures, failureResponse: challenge.failureResponse,
        error: challenge.error, sender: sender)
      let answer = Answer(fetch) { (disposition, credential: URLCredential?) in
        guard let header = challenge.header(for: disposition, credential) else {
          return fetch.declined()
        }
        var next = fetch.request
        guard next.httpBodyStream == nil else { return fetch.bodyIsSent(challenge.failureResponse) }
        next.setValue(header, forHTTPHeaderField: "Authorization")
        fetch.hopped(to: next, after: challenge.failureResponse, withCredential: true) {
          self.leave(task)
        }
      }
      guard hasDelegate else { return answer((.performDefaultHandling, nil)) }
      guard let session = served, let delegate = source.delegate else {
        return answer((.cancelAuthenticationChallenge, nil))
      }
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task, didReceive: challenge) { answer(($0, $1)) }
      }
    }
  }

  /// The session gets the first answer, and none after the fetch has ended.
  ///
  /// Another answer ends the process.
  private final class Answer<Value: Sendable>: Sendable {
    private let fetch: Fetch
    private let handler: @Sendable (Value) -> Void
    private let isGiven = Lock(false)

    init(_ fetch: Fetch, _ handler: @escaping @Sendable (Value) -> Void) {
      self.fetch = fetch
      self.handler = handler
    }

    func callAsFunction(_ value: Value) {
      guard !isGiven.exchange(true) else { return }
      fetch.answer { [handler] in handler(value) }
    }
  }

  extension URLAuthenticationChallenge {
    /// The header that meets the challenge, if the session can handle it at all.
    fileprivate func header(
      for disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?
    ) -> String? {
      let isBasic = protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPBasic
      let used: URLCredential? =
        switch disposition {
        case .useCredential: credential
        case .performDefaultHandling: proposedCredential
        case .cancelAuthenticationChallenge, .rejectProtectionSpace: nil
        }
      guard isBasic, let used else { return nil }
      let words = "\(used.user ?? ""):\(used.password ?? "")"
      return "Basic \(Data(words.utf8).base64EncodedString())"
    }
  }
#endif
