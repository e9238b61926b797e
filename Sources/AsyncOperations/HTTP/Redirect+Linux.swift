#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The request that follows a redirect, as a value: each hop is built from the one before.
  ///
  /// The system would send 307 and 308 without the body, and all headers to any server (Swift 6.3).
  /// The rules are those of RFC 9110, section 15.4, and of the Fetch standard.
  enum Redirect {
    enum Outcome {
      /// The response is no redirect that can be followed.
      case stay
      case follow(URLRequest)
      /// The body is a stream, which cannot be sent again.
      case streamIsSpent
    }

    /// The headers that speak for the user to one origin.
    private static let personal = ["Authorization", "Cookie", "Proxy-Authorization"]

    static func outcome(of response: HTTPURLResponse, to request: URLRequest) -> Outcome {
      guard let body = body(after: response.statusCode, request.httpMethod ?? "GET"),
        let source = request.url, let location = response.value(forHTTPHeaderField: "Location"),
        let target = URL(string: location, relativeTo: source)?.absoluteURL.withLowercaseScheme,
        ["http", "https"].contains(target.scheme), target.host != nil
      else { return .stay }
      var next = request
      next.url = target
      switch body {
      case .dropped(let method):
        next.httpMethod = method
        next.dropBody()
      case .kept:
        if request.httpBodyStream != nil { return .streamIsSpent }
      }
      if target.origin != source.origin {
        for name in personal { next.setValue(nil, forHTTPHeaderField: name) }
      }
      return .follow(next)
    }

    private enum Body {
      case kept
      case dropped(method: String)
    }

    /// - Returns: `nil` if the status is not that of a redirect.
    private static func body(after status: Int, _ method: String) -> Body? {
      switch (status, method) {
      case (301, "POST"), (302, "POST"): .dropped(method: "GET")
      case (303, "HEAD"): .dropped(method: "HEAD")
      case (303, _): .dropped(method: "GET")
      case (301, _), (302, _), (307, _), (308, _): .kept
      default: nil
      }
    }
  }

  extension URLRequest {
    /// Removes the body, and the headers that describe it.
    fileprivate mutating func dropBody() {
      (httpBody, httpBodyStream) = (nil, nil)
      for name in (allHTTPHeaderFields ?? [:]).keys
      where name.lowercased().hasPrefix("content-") || name.lowercased() == "transfer-encoding" {
        setValue(nil, forHTTPHeaderField: name)
      }
    }
  }

  extension URL {
    /// The same address, with a scheme that the system knows: it refuses `HTTP`.
    fileprivate var withLowercaseScheme: URL {
      guard let scheme, scheme != scheme.lowercased() else { return self }
      var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
      components?.scheme = scheme.lowercased()
      return components?.url ?? self
    }

    /// The scheme, the host and the port in use.
    fileprivate var origin: [String] {
      let scheme = scheme?.lowercased() ?? ""
      let port = port ?? (scheme == "https" ? 443 : 80)
      return [scheme, host?.lowercased() ?? "", "\(port)"]
    }
  }
#endif
