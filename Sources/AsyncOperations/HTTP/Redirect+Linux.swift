#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// The request that follows a redirect, built from the one before.
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
        let target = URL(string: location.legal, relativeTo: source)?.absoluteURL,
        target.isHTTP, target.host != nil
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

  extension String {
    /// The same address, with only the characters escaped that an address must not have.
    ///
    /// The system would escape the escapes too, if it finds such a character.
    fileprivate var legal: String {
      let legal = CharacterSet.urlQueryAllowed.union(CharacterSet(charactersIn: "%#[]"))
      return addingPercentEncoding(withAllowedCharacters: legal) ?? self
    }
  }

  extension URL {
    fileprivate var origin: [String] {
      let scheme = scheme?.lowercased() ?? ""
      let port = port ?? (scheme == "https" ? 443 : 80)
      return [scheme, host?.lowercased() ?? "", "\(port)"]
    }
  }
#endif
