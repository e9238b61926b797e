import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension FetchState.Failure {
  func error(
    limit: Int, _ response: HTTPURLResponse?, _ body: Data, _ error: (any Error)?
  ) -> any Error {
    switch self {
    case .cancelled:
      return CancellationError()
    case .refused:
      guard let response else { return URLError(.badServerResponse) }
      return HTTPStatusError(response, body: body)
    case .tooLarge:
      return OperationError(
        code: .tooLarge,
        description: """
          The response has more than \(limit) bytes. Fetch it with a higher limit, or in parts.
          """)
    case .cutShort:
      return URLError(
        .networkConnectionLost,
        "The body is shorter than its announced length. Make the request again.", response)
    case .noResponse:
      return URLError(
        .badServerResponse,
        "There is no HTTP response. Check that the server of the URL uses HTTP.", response)
    case .tooManyHops:
      return URLError(
        .httpTooManyRedirects,
        """
        The server redirected or challenged the request more than \(FetchState.hopLimit) times. Make \
        the request at its final URL, with its credential.
        """, response)
    case .bodyIsSent:
      return URLError(
        .requestBodyStreamExhausted,
        """
        The server requested the same request again, and a body is not sent twice. Make the request \
        at the redirect's own URL, or with its credential.
        """, response)
    case .system:
      guard let error else { return URLError(.unknown) }
      return (error as? URLError)?.with(response) ?? error
    }
  }
}

extension URL {
  var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }
}

extension URLError {
  /// The status of the response that broke off, in an error of `URLSession.fetch(_:limit:)`.
  ///
  /// `nil` if there was no response. The system's own error is under `NSUnderlyingErrorKey`. On
  /// Linux many causes share the code `unknown`, such as a cut body or a malformed header; the
  /// underlying error names the cause.
  public var httpStatus: Int? { userInfo[Self.httpStatusKey] as? Int }

  private static let httpStatusKey = "AsyncOperations.httpStatus"

  init(_ code: Code, _ description: String, _ response: HTTPURLResponse? = nil, url: URL? = nil) {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    info[NSURLErrorFailingURLErrorKey] = response?.url ?? url
    info[Self.httpStatusKey] = response?.statusCode
    self.init(code, userInfo: info)
  }

  fileprivate func with(_ response: HTTPURLResponse?) -> URLError {
    var info = userInfo
    info[NSUnderlyingErrorKey] = info[NSUnderlyingErrorKey] ?? self
    info[Self.httpStatusKey] = response?.statusCode
    return URLError(code, userInfo: info)
  }
}
