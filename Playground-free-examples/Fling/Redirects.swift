import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate of a session that follows all redirects, and notes the last one.
final class Redirects: NSObject, URLSessionTaskDelegate {
  private let target = Locked<URL?>(nil)

  /// The address that the last redirect leads to; `nil` if there was none.
  var last: URL? { target.value }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    target.change { $0 = request.url }
    completionHandler(request)
  }
}

extension Complaint {
  /// - Parameter target: The address of the last request, if the server redirected the first one.
  static func noReply(
    from url: URL, redirectedTo target: URL?, within timeout: Duration
  ) -> Complaint {
    let seconds = String(format: "%g", timeout / .seconds(1))
    // A part of a reply may have come.
    let reply = "no complete reply within \(seconds) s; --timeout allows more."
    guard let target else { return Complaint("\(url.printable): \(reply)") }
    return Complaint("\(url.printable) redirects to \(target.printable): \(reply)")
  }

  /// - Parameter target: The address of the last request, if the server redirected the first one.
  static func cannotLoad(_ url: URL, redirectedTo target: URL?, _ error: URLError) -> Complaint {
    let reason = FailureReason(error)
    let sentence = reason.sentence(about: target ?? url)
    let isDown = error.code == .cannotConnectToHost
    // A loop leads to no address in particular.
    guard let target, reason != .tooManyRedirects else {
      let question = isDown ? " Is the server running?" : ""
      return Complaint("\(url.printable) cannot be loaded: \(sentence).\(question)")
    }
    let question = isDown ? " Is that server running?" : ""
    return Complaint(
      "\(url.printable) redirects to \(target.printable), which cannot be loaded: \(sentence)."
        + question)
  }
}

extension URL {
  /// The address without a user and a password.
  var printable: String { absoluteString.withoutUser }
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
