import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The default limit of a fetch, 64 MB.
  public static let defaultFetchLimit = 64 << 20

  /// Loads a URL's data, as for a `URLRequest`.
  public func fetch(_ url: URL, limit: Int = defaultFetchLimit) async throws -> Data {
    try await fetch(URLRequest(url: url), limit: limit)
  }

  /// Loads a request's data over HTTP, and ends the request when the awaiting task is cancelled.
  ///
  /// Like `response(for:limit:)`, with a check of the status.
  ///
  /// **Errors**: a status other than 2xx is an ``HTTPStatusError`` with the header and the
  /// beginning of the body, and so are 304 and a redirect that is not followed. Others as for the
  /// response.
  ///
  /// - Returns: The decoded body. It is empty for status 204 and for the method `HEAD`.
  public func fetch(_ request: URLRequest, limit: Int = defaultFetchLimit) async throws -> Data {
    try await Fetch(request, over: self, limit: limit).run().data
  }

  /// Loads a request over HTTP, whatever its status, and ends it when the awaiting task is
  /// cancelled.
  ///
  /// ```swift
  /// let (data, response) = try await URLSession.shared.response(for: URLRequest(url: url))
  /// print(response.statusCode, data.count)
  /// ```
  ///
  /// Unlike `data(from:)` and `data(for:)`, it cannot deadlock on Linux when its task is cancelled,
  /// and limits the body. <doc:HTTPOnLinux> has the differences between the systems.
  ///
  /// **Threading**: any thread; none blocks while it waits.
  ///
  /// **Cancellation**: a cancel throws `CancellationError` at once, even if the session never calls
  /// back. The request ends a moment later, on another thread.
  ///
  /// **Errors**:
  /// - A body over the limit is an ``OperationError`` with the code `tooLarge`, as soon as it
  ///   arrives or is announced.
  /// - A scheme other than `http` and `https` is `URLError.unsupportedURL`, before any connection.
  /// - Other failures are the system's `URLError`, with `httpStatus` if there was a response.
  ///
  /// **Cost**: it keeps at most `limit` bytes and one chunk. The length that a server announces
  /// reserves no memory.
  ///
  /// **Delegates**: the session's delegate decides redirects and challenges, but receives neither
  /// the response nor the data nor the end. Background sessions cannot fetch.
  ///
  /// - Returns: The decoded body, of at most `limit` bytes, and the response after redirects.
  public func response(
    for request: URLRequest, limit: Int = defaultFetchLimit
  ) async throws -> (Data, HTTPURLResponse) {
    try await Fetch(request, over: self, limit: limit, checksStatus: false).run()
  }
}
