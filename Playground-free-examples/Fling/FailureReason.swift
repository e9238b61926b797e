import Foundation
import RowOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a load failed, the same for loads that failed alike.
enum FailureReason: Hashable, Sendable {
  case status(Int)
  /// The response has a `Retry-After`.
  case refusedForNow(status: Int)
  /// - Parameters:
  ///   - isForNow: Whether the response has a `Retry-After`.
  ///   - place: Where a redirect led before.
  case redirectedStatus(status: Int, isForNow: Bool, place: String)
  /// The response is a redirect that names no address of HTTP.
  case strayRedirect(status: Int)
  case timedOut
  /// - Parameter limit: In bytes, if it is known.
  case tooLarge(limit: Int?)
  case content(DocumentFault)
  /// - Parameter place: Where a redirect led before.
  case redirectedContent(DocumentFault, place: String)
  /// The reply broke off.
  case cut
  /// The reply says that it is compressed, and cannot be unpacked.
  case notUnpacked
  /// The reply is compressed in a way that the system does not know.
  case unknownCompression
  case tooManyRedirects
  /// The header is longer than the system reads.
  ///
  /// - Parameter hasCookies: Whether the client has cookies of the server, which a header then
  ///   often repeats.
  case headerTooLarge(hasCookies: Bool)
  /// The cookies of the server fill the header of the request.
  case cookiesTooLarge
  case malformedChunks
  case notHTTP
  /// The address has `https`, and the server speaks something else.
  case notTLS
  /// The system knows no issuer of the certificate that it trusts.
  ///
  /// - Parameter words: Those of the system, which say more.
  case unknownIssuer(words: String)
  case badStatusLine
  case badHeaderLine
  case badAddress
  /// The error's own words, without a period at their end.
  case other(String)

  /// - Parameter hasCookies: Whether the client has cookies of the server.
  init(_ error: any Error, hasCookies: Bool = false) {
    switch error {
    case let error as RedirectedStatus:
      let isForNow = error.error.retryAfter != nil
      self = .redirectedStatus(
        status: error.error.status, isForNow: isForNow, place: error.place)
    case let error as HTTPStatusError where error.isRedirect:
      self = .strayRedirect(status: error.status)
    case let error as HTTPStatusError:
      let isForNow = error.retryAfter != nil
      self = isForNow ? .refusedForNow(status: error.status) : .status(error.status)
    case let fault as DocumentFault: self = .content(fault)
    case let error as RedirectedFault:
      self = .redirectedContent(error.fault, place: error.place)
    case let error as ReplyTooLarge: self = .tooLarge(limit: error.limit)
    case is CookiesTooLarge: self = .cookiesTooLarge
    case let error as HeaderTooLarge: self = .headerTooLarge(hasCookies: error.hasCookies)
    case let error as OperationError where error.code == .timedOut: self = .timedOut
    case let error as OperationError where error.code == .tooLarge: self = .tooLarge(limit: nil)
    case let error as URLError: self.init(error, hasCookies)
    default: self = .other(error.localizedDescription.asClause)
    }
  }

  private init(_ error: URLError, _ hasCookies: Bool) {
    switch error.code {
    case .timedOut: self = .timedOut
    case .badURL: self = .badAddress
    case .networkConnectionLost: self = .cut
    case .cannotDecodeContentData, .cannotDecodeRawData: self = .notUnpacked
    case .httpTooManyRedirects: self = .tooManyRedirects
    default:
      let words = error.localizedDescription.asClause
      if Self.wordsForLongHeaders.contains(where: words.contains) {
        self = .headerTooLarge(hasCookies: hasCookies)
      } else if Self.wordsForUnknownIssuers.contains(where: words.contains) {
        self = .unknownIssuer(words: words)
      } else {
        self = Self.words.first { words.contains($0.part) }?.reason ?? .other(words.withoutTime)
      }
    }
  }

  /// Libcurl calls a line of the header that is longer than its limit out of memory.
  private static let wordsForLongHeaders = ["Out of memory", "Too large response headers"]

  /// Of a certificate that the system has no reason to trust.
  private static let wordsForUnknownIssuers = [
    "certificate problem: self", "certificate problem: unable to get",
  ]

  /// Parts of the words of libcurl, which on Linux are all that tells these apart.
  ///
  /// Others of its words name a number that differs from load to load.
  private static let words: [(part: String, reason: FailureReason)] = [
    ("transfer closed", .cut), ("Empty reply", .cut), ("Connection reset", .cut),
    ("content unencoding", .notUnpacked), ("content encoding", .unknownCompression),
    // Of brotli and zstd.
    ("bad HTTP Content or Transfer-Encoding", .notUnpacked),
    ("chunk", .malformedChunks), ("HTTP/0.9", .notHTTP),
    // Of OpenSSL.
    ("wrong version number", .notTLS), ("packet length too long", .notTLS),
    ("Unsupported HTTP version", .badStatusLine),
    ("Unsupported response code", .badStatusLine),
    // A line that ends without a carriage return, or has bytes that are not UTF-8.
    ("Failed writing header", .badHeaderLine), ("Header without colon", .badHeaderLine),
    ("Nul byte in header", .badHeaderLine),
  ]
}

extension HTTPStatusError {
  /// The error of a load with such a status, also after a redirect; `nil` for others.
  init?(_ error: any Error) {
    guard let error = error as? HTTPStatusError ?? (error as? RedirectedStatus)?.error else {
      return nil
    }
    self = error
  }

  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension URLError {
  /// Whether the server has cut the connection before it sent anything, by the words of libcurl.
  var isCutBeforeReply: Bool {
    ["Empty reply", "Connection reset"].contains(where: localizedDescription.contains)
  }
}

extension FailureReason: CustomStringConvertible {
  var description: String {
    switch self {
    case .status(let status): "HTTP \(status)"
    case .refusedForNow(let status): "HTTP \(status) with Retry-After, which fling does not obey"
    case .redirectedStatus(let status, let isForNow, let place):
      "\(isForNow ? FailureReason.refusedForNow(status: status) : .status(status))"
        + " after a redirect to \(place)"
    case .strayRedirect(let status): "HTTP \(status) without an HTTP address to follow"
    case .timedOut: "timed out"
    case .tooLarge(nil): "too large"
    case .tooLarge(let limit?):
      "too large, over \(String(format: "%.3g", Double(limit) / Double(1 << 20))) MB"
    case .content(let fault): fault.description
    case .redirectedContent(let fault, let place):
      "\(fault) after a redirect to \(place)"
    case .cut: "connection cut"
    case .notUnpacked: "malformed compression"
    case .unknownCompression: "unknown compression"
    case .tooManyRedirects: "too many redirects"
    case .headerTooLarge(let hasCookies):
      "header too large" + (hasCookies ? ", probably by cookies" : "")
    case .cookiesTooLarge: "HTTP 431, probably by cookies"
    case .malformedChunks: "malformed chunks"
    case .notHTTP: "not HTTP"
    case .notTLS: "no TLS on this port"
    case .unknownIssuer(let words): words
    case .badStatusLine: "unreadable status line"
    case .badHeaderLine: "unreadable line in the header"
    case .badAddress: "address refused by the system"
    case .other(let words): words
    }
  }
}

extension FailureReason {
  /// The reason as a clause, for a request that nothing else is known about.
  ///
  /// - Parameter url: The address of the request, after redirects.
  func sentence(about url: URL) -> String {
    switch self {
    case .tooManyRedirects: "the server redirected the request too often"
    case .cut: "the server cut the connection"
    case .notUnpacked: "the reply cannot be unpacked"
    case .unknownCompression: "the reply is compressed in a way that the system does not know"
    case .headerTooLarge(let hasCookies):
      "the header of the reply is too large"
        + (hasCookies ? ", probably by cookies, which the client keeps" : "")
    case .malformedChunks: "the reply has malformed chunks"
    case .notHTTP: "the reply is not HTTP"
    case .notTLS: "the server does not speak TLS on this port"
    case .badStatusLine: "the status line of the reply is unreadable"
    case .badHeaderLine: "the header has a line that the system cannot read"
    case .badAddress:
      "the system refuses this address"
        + (url.host?.contains(":") == true ? "; on Linux it refuses each IPv6 literal" : "")
    case .status, .refusedForNow, .redirectedStatus, .strayRedirect, .timedOut, .tooLarge, .content,
      .redirectedContent, .cookiesTooLarge, .unknownIssuer, .other:
      description
    }
  }
}

extension DocumentFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .empty: "empty reply"
    case .notJSON: "not JSON"
    case .html: "not JSON, but HTML"
    case .noObject: "JSON, but not an object"
    case .tooDeep: "nested too deeply to decode"
    }
  }
}

extension String {
  /// The words of libcurl about a connection without their time, and without their repetition:
  /// “Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server”.
  fileprivate var withoutTime: String {
    var text = replacingOccurrences(
      of: " after [0-9]+ ms", with: "", options: .regularExpression)
    for end in [": Couldn't connect to server", ": Could not connect to server"]
    where text.hasPrefix("Failed to connect") && text.hasSuffix(end) {
      text.removeLast(end.count)
    }
    return text
  }

  /// The text without a period at its end, as a part of a longer sentence.
  var asClause: String { hasSuffix(".") ? String(dropLast()) : self }
}
