import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response whose status is not 2xx.
///
/// As an `NSError` it has the status as its code. Headers and bodies do not count for equality.
public struct HTTPStatusError: Error, Sendable {
  /// The status, such as 404.
  public let status: Int
  /// The URL of the response, after redirects.
  public let url: URL?
  /// The duration of the header `Retry-After`.
  ///
  /// `nil` if it is missing or malformed; at most `Int64.max` seconds.
  public let retryAfter: Duration?
  /// The beginning of the body: at most 64 KiB, and only what arrives within a second of the
  /// header.
  ///
  /// A tracker drops the body once the row is off screen.
  public var body: Data
  /// The header, with lowercase names.
  ///
  /// Values whose names differ in case alone are joined with ", ".
  public var headers: [String: String]

  /// Makes an error, for your own loads and for tests.
  public init(
    status: Int, url: URL? = nil, retryAfter: Duration? = nil, body: Data = Data(),
    headers: [String: String] = [:]
  ) {
    self.status = status
    self.url = url
    self.retryAfter = retryAfter
    self.body = body
    self.headers = headers
  }
}

extension HTTPStatusError: Hashable {
  /// Whether both errors have the same status, URL and `retryAfter`.
  public static func == (a: HTTPStatusError, b: HTTPStatusError) -> Bool {
    (a.status, a.url, a.retryAfter) == (b.status, b.url, b.retryAfter)
  }

  /// Hashes the status and the URL.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(url)
  }
}

extension HTTPStatusError: CustomNSError {
  /// The domain of these errors as `NSError`.
  public static let errorDomain = "AsyncOperations.HTTPStatusError"

  /// The status.
  public var errorCode: Int { status }

  /// The description and the URL, under the keys of `URLError`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    info[NSURLErrorFailingURLErrorKey] = url
    return info
  }
}

extension HTTPStatusError: LocalizedError, CustomStringConvertible {
  /// The status and the host, in a sentence.
  ///
  /// The rest of the URL may hold secrets.
  public var description: String {
    let host = url?.host.map { " from \($0)" } ?? ""
    let reason = HTTPURLResponse.localizedString(forStatusCode: status)
    let wait = retryAfter.map { " Try again after \($0)." } ?? ""
    return "The response\(host) has status \(status) (\(reason)).\(wait)"
  }

  /// The description.
  public var errorDescription: String? { description }
}

extension HTTPStatusError {
  init(_ response: HTTPURLResponse, body: Data) {
    let fields = (response.allHeaderFields as? [String: String] ?? [:]).sorted { $0.key < $1.key }
    let headers = Dictionary(fields.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
    let now = headers["date"].flatMap(RetryAfter.date) ?? Date()
    self.init(
      status: response.statusCode, url: response.url,
      retryAfter: headers["retry-after"].flatMap { RetryAfter.duration($0, now: now) },
      body: body, headers: headers)
  }
}

enum RetryAfter {
  /// - Parameters:
  ///   - value: A number of seconds, or a date of HTTP.
  ///   - now: The server's time, if known.
  static func duration(_ value: String, now: Date) -> Duration? {
    let value = value.trimmingCharacters(in: .whitespaces)
    if !value.isEmpty, value.allSatisfy({ $0.isASCII && $0.isNumber }) {
      return .seconds(Int64(value) ?? .max)
    }
    return date(value).map { .seconds(max(0, $0.timeIntervalSince(now))) }
  }

  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in [
      "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
      "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
