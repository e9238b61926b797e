#if !canImport(FoundationNetworking)
  import Foundation

  extension Fetch {
    func makeTask(_ request: URLRequest) -> URLSessionDataTask {
      let task = session.object.dataTask(with: request)
      task.delegate = FetchDelegate(self)
      return task
    }
  }

  /// The system calls the session's delegate for methods that are not here, such as redirects.
  ///
  /// A 401 arrives here after its challenge.
  private final class FetchDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let fetch: Fetch

    init(_ fetch: Fetch) { self.fetch = fetch }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse { fetch.received(response) }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      fetch.received(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      fetch.completed(error, task.response as? HTTPURLResponse)
    }
  }
#endif
