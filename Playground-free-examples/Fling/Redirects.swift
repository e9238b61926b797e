import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate of a session that follows all redirects, and records where they lead.
///
/// Another origin gets none of the command line's headers.
final class Redirects: NSObject, URLSessionTaskDelegate {
  private let base: URL
  private let headers: [RequestHeader]
  /// The next address of each one.
  private let targets = Locked<[String: URL]>([:])

  init(from base: URL, _ headers: [RequestHeader]) {
    self.base = base
    self.headers = headers
  }

  /// The address that the redirects of a request lead to; `nil` if there were none.
  func target(of url: URL) -> URL? {
    targets.change { targets in
      var last: URL?
      // A loop has no end.
      for _ in 0..<20 {
        guard let next = targets[(last ?? url).printable] else { break }
        last = next
      }
      return last
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    if let source = response.url, let target = request.url {
      targets.change { $0[source.printable] = target }
    }
    var request = request
    if request.url?.origin != base.origin {
      for header in headers { request.setValue(nil, forHTTPHeaderField: header.name) }
    }
    completionHandler(request)
  }
}

extension Complaint {
  /// - Parameters:
  ///   - target: The address of the last request, if the server redirected the first one.
  ///   - rows: For how many rows, up to three, one after the other.
  static func noReply(
    from url: URL, redirectedTo target: URL?, within timeout: Duration, rows: Int
  ) -> Complaint {
    let seconds = String(format: "%g", timeout / .seconds(1))
    let rows = rows == 1 ? "" : rows == 2 ? " for two rows" : " for three rows"
    // A part of a reply may have come.
    let reply = "no complete reply within \(seconds) s\(rows); --timeout allows more."
    guard let target else { return Complaint("\(url.printable): \(reply)") }
    return Complaint("\(url.printable) redirects to \(target.printable): \(reply)")
  }

  /// - Parameters:
  ///   - target: The address of the last request, if the server redirected the first one.
  ///   - hasCookies: Whether the client has cookies of the server.
  static func cannotLoad(
    _ url: URL, redirectedTo target: URL?, _ error: URLError, hasCookies: Bool = false
  ) -> Complaint {
    let reason = FailureReason(error, hasCookies: hasCookies)
    let sentence = reason.sentence(about: target ?? url)
    let isDown = error.code == .cannotConnectToHost
    // A loop leads to no address in particular.
    guard let target, reason != .tooManyRedirects else {
      return Complaint(
        "\(url.printable) cannot be loaded: \(sentence)."
          + (isDown ? " Is the server running?" : advice(about: reason, error, at: url))
          + (Proxy.sentence(about: url).map { " \($0)" } ?? ""))
    }
    return Complaint(
      "\(url.printable) redirects to \(target.printable), which cannot be loaded: \(sentence)."
        + (isDown ? " Is that server running?" : advice(about: reason, error, at: target)))
  }

  private static func advice(
    about reason: FailureReason, _ error: URLError, at url: URL
  ) -> String {
    switch reason {
    case .notTLS: " Try http://."
    case .unknownIssuer: " \(Remedy.certificate)"
    default: url.scheme == "http" && error.isCutBeforeReply ? " Does it need https?" : ""
    }
  }
}

extension URL {
  /// The address without a user and a password.
  var printable: String { absoluteString.withoutUser }

  /// The scheme, the host and the port, as `http://127.0.0.1:8000`.
  var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme)://\(host?.lowercased() ?? ""):\(port ?? (scheme == "https" ? 443 : 80))"
  }

  /// Where a redirect leads, the same for all rows that it leads to alike.
  ///
  /// - Parameter number: The row's number, which may be a part of the address.
  func place(from base: URL, number: Int) -> String {
    let names = path.components(separatedBy: "/").map { name in
      name == "\(number)" || name.hasPrefix("\(number).")
        ? "{row}" + name.dropFirst("\(number)".count) : name
    }
    let path = names.joined(separator: "/")
    return origin == base.origin ? path : origin + path
  }
}

extension String {
  /// An address without a user and a password, however malformed it is.
  var withoutUser: String {
    guard let start = range(of: "//")?.upperBound else { return self }
    let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
    guard let at = self[start..<end].lastIndex(of: "@") else { return self }
    return String(self[..<start] + self[index(after: at)...])
  }
}
