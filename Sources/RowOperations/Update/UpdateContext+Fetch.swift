import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension UpdateContext {
  /// Loads a URL's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// See the fetch of a `URLRequest` for details.
  public func fetch(
    _ url: URL, from session: URLSession = .shared, limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await fetch(URLRequest(url: url), from: session, limit: limit)
  }

  /// Loads a request's data over HTTP, as the stage ``UpdateStage/fetch``.
  ///
  /// ```swift
  /// let tracker = DisplayTracker<URL, Thumbnail> { context in
  ///   try decode(await context.fetch(context.row))
  /// }
  /// ```
  ///
  /// It calls `URLSession.fetch(_:limit:)` of the module AsyncOperations. If the length of the body
  /// is known, the row's progress rises while bytes arrive in several pieces.
  ///
  /// The priority of the request follows ``claim``: high for a displayed row, the default for a
  /// landing one, low for a prefetched one. With HTTP/2 and HTTP/3 the server learns it. Linux
  /// ignores it.
  ///
  /// **Threading**: any thread; no thread blocks while it waits.
  ///
  /// **Cancellation**: a cancel ends the request and throws `CancellationError` at once.
  ///
  /// **Errors**: an `HTTPStatusError` for a status other than 2xx; an `OperationError` with the
  /// code `tooLarge` for a body over the limit, while it arrives; otherwise the system's
  /// `URLError`.
  ///
  /// - Parameters:
  ///   - request: A request with a URL of `http` or `https`.
  ///   - session: The session that makes the request.
  ///   - limit: The largest size of the decoded body, in bytes.
  /// - Returns: The decoded body.
  public func fetch(
    _ request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> Data {
    try await answer(request, from: session, limit: limit, checksStatus: true).data
  }

  /// Loads a request over HTTP, whatever its status, as the stage ``UpdateStage/fetch``.
  ///
  /// It calls `URLSession.response(for:limit:)` of the module AsyncOperations. All else is as for
  /// `fetch`.
  ///
  /// - Returns: The decoded body, and the response after redirects.
  public func response(
    for request: URLRequest, from session: URLSession = .shared,
    limit: Int = URLSession.defaultFetchLimit
  ) async throws -> (Data, HTTPURLResponse) {
    try await answer(request, from: session, limit: limit, checksStatus: false)
  }

  private func answer(
    _ request: URLRequest, from session: URLSession, limit: Int, checksStatus: Bool
  ) async throws -> Fetch.Answer {
    let isPartial = Lock(false)
    let body = host.tracked
    return try await stage(.fetch) {
      let fetch = Fetch(request, over: session, limit: limit, checksStatus: checksStatus) {
        body.claim.requestPriority
      } progress: { progress in
        // A body that arrives in one piece needs no render of its progress.
        let wasPartial = isPartial.exchange(true)
        if wasPartial || progress < 1 { report(progress: progress) }
      }
      let observer = body.observeClaim { fetch.priorityChanged() }
      defer { body.endObserving(observer) }
      return try await fetch.run()
    }
  }
}

extension RowClaim {
  fileprivate var requestPriority: Float {
    switch self {
    case .displayed: URLSessionTask.highPriority
    case .landing: URLSessionTask.defaultPriority
    case .prefetched: URLSessionTask.lowPriority
    }
  }
}
