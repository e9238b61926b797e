import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The number of bytes that a fetch receives at most, unless it gets another limit: 64 MB.
  public static let defaultFetchLimit = 64 << 20

  /// Loads a URL's data over HTTP, and ends the request when the awaiting task is cancelled.
  ///
  /// The fetch of a `URLRequest` has the details.
  ///
  /// - Parameters:
  ///   - url: A URL with `http` or `https`.
  ///   - limit: The number of bytes that the decoded body may have.
  /// - Returns: The decoded body.
  public func fetch(_ url: URL, limit: Int = defaultFetchLimit) async throws -> Data {
    try await fetch(URLRequest(url: url), limit: limit)
  }

  /// Loads a request's data over HTTP, and ends the request when the awaiting task is cancelled.
  ///
  /// Use it instead of `data(from:)` and `data(for:)`. On Linux those can deadlock when their task
  /// is cancelled, and they collect a body of any length.
  ///
  /// **Threading**: any thread may call it. No thread blocks while it waits.
  ///
  /// **Cancellation**: a cancel throws `CancellationError` at once, even if the session never calls
  /// back. The request ends a moment later, on another thread.
  ///
  /// **Errors**:
  /// - A status other than 2xx is an ``HTTPStatusError``, and so are 304 and a redirect that is not
  ///   followed. The body of such a response is dropped.
  /// - A body over the limit is an ``OperationError`` with the code `tooLarge`. The fetch throws
  ///   when the first byte beyond the limit arrives, or when the response announces such a length.
  /// - A URL with a scheme other than `http` and `https` is `URLError.unsupportedURL`, before any
  ///   connection.
  /// - Other failures are the system's `URLError`, with `httpStatus` if there was a response.
  ///
  /// **Cost**: it keeps at most `limit` bytes and one chunk. The length that a server announces
  /// reserves no memory.
  ///
  /// **Delegates**: the session's delegate decides redirects and challenges, but receives neither
  /// the response nor the data nor the end. Background sessions cannot fetch.
  ///
  /// On Linux the request runs in a private session with the same configuration:
  /// - The connections of the private session count by themselves against the limit per host.
  /// - Redirects and challenges that a `URLSessionTaskDelegate` decides are forwarded. Metrics, the
  ///   progress of uploads and requests for a new body stream are not, and `getAllTasks` does not
  ///   list the request.
  /// - The session's `urlCache` is not used: with a cache, a cancel can end the process (Swift
  ///   6.3).
  /// - Each hop of a redirect is a request of its own, at most 20. 301 and 302 turn a POST into a
  ///   GET, and 303 all but HEAD. 307 and 308 send the method and the body again; a body that is a
  ///   stream then fails. Another origin gets no `Authorization`, `Cookie` and
  ///   `Proxy-Authorization` of the request. The `httpAdditionalHeaders` of the session go
  ///   everywhere. The delegate gets the request that would be sent, and decides. (The system sends
  ///   307 and 308 without the body, and all headers to any origin in Swift 6.3.)
  /// - Only a delegate receives challenges, since the system does not look for stored credentials
  ///   (Swift 6.3), and only `Basic` ones. Any other ends with status 401.
  /// - Invalidating the session does not end its fetches, and it can still fetch. If its delegate
  ///   is gone by then, redirects and challenges are refused. On Apple systems, a fetch in an
  ///   invalidated session is a fatal error, as any other task is.
  /// - The system reads a body without pause while bytes are there. A server that sends faster than
  ///   the system reads can hold up the end of the request, and with it all sessions. The fetch
  ///   itself has thrown by then, and keeps none of the bytes.
  /// - The first request over a connection keeps a thread of the system busy until it ends (Swift
  ///   6.3). Later requests over the connection do not. A cancelled request closes its connection.
  /// - A URL whose host is an IPv6 literal is refused with `URLError.badURL` (Swift 6.3).
  /// - Three kinds of responses end the process inside the system (Swift 6.3): one that announces
  ///   9,223,372,036,854,775,807 bytes, a header that breaks off after a whole line, and a chunked
  ///   body with trailers. Nothing outside the system can prevent that.
  /// - A gzip body that breaks off counts as complete: check your data.
  ///
  /// - Parameters:
  ///   - request: A request with a URL of `http` or `https`.
  ///   - limit: The number of bytes that the decoded body may have.
  /// - Returns: The decoded body. It is empty for status 204 and for the method `HEAD`.
  public func fetch(_ request: URLRequest, limit: Int = defaultFetchLimit) async throws -> Data {
    try await Fetch(request, limit: limit).run(over: self)
  }
}
