#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The request that follows a redirect, as a value: each hop is built from the one before.
  ///
  /// The system would send 307 and 308 without the body, and all headers to any server (Swift 6.3).
  enum Redirect {
    /// The response is no redirect that can be followed.
    case stay
    case follow(URLRequest)
    case bodyIsSent

    /// The headers that speak for the user to one origin.
    private static let personal = ["Authorization", "Cookie", "Proxy-Authorization"]

    init(_ response: HTTPURLResponse, to request: URLRequest) {
      guard let source = request.url,
        let location = response.value(forHTTPHeaderField: "Location"),
        let target = URL(string: location, relativeTo: source)?.absoluteURL.withLowercaseScheme,
        ["http", "https"].contains(target.scheme), target.host != nil
      else {
        self = .stay
        return
      }
      var next = request
      next.url = target
      switch (response.statusCode, request.httpMethod) {
      case (301, "POST"), (302, "POST"), (303, _):
        next.httpMethod = request.httpMethod == "HEAD" ? "HEAD" : "GET"
        next.dropBody()
      case (301, _), (302, _), (307, _), (308, _):
        guard !request.hasBody else {
          self = .bodyIsSent
          return
        }
      default:
        self = .stay
        return
      }
      if target.origin != source.origin {
        for name in Self.personal { next.setValue(nil, forHTTPHeaderField: name) }
      }
      self = .follow(next)
    }
  }

  extension URLRequest {
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

    fileprivate var origin: [String] {
      let scheme = scheme?.lowercased() ?? ""
      let port = port ?? (scheme == "https" ? 443 : 80)
      return [scheme, host?.lowercased() ?? "", "\(port)"]
    }
  }
#endif
