import Foundation
import Testing

@testable import AsyncOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The error of a refused status")
struct HTTPStatusErrorTests {
  @Test("Its code is the status, so equal statuses are equal failures")
  func code() {
    let error = HTTPStatusError(status: 404, url: URL(string: "http://a/1")) as NSError
    let other = HTTPStatusError(status: 404, url: URL(string: "http://a/2")) as NSError
    #expect(error.domain == HTTPStatusError.errorDomain)
    #expect((error.domain, error.code) == (other.domain, other.code))
    #expect(error.code == 404)
    #expect(error.userInfo[NSURLErrorFailingURLErrorKey] as? URL == URL(string: "http://a/1"))
  }

  @Test("Its body and its header take no part in its equality and its description")
  func body() {
    let plain = HTTPStatusError(status: 422, url: URL(string: "http://a/1"))
    let full = HTTPStatusError(
      status: 422, url: URL(string: "http://a/1"), body: Data("secret".utf8),
      headers: ["x-token": "secret"])
    #expect(plain == full && plain.hashValue == full.hashValue)
    #expect("\(full)" == "\(plain)" && String(reflecting: full) == String(reflecting: plain))
    #expect(!"\((full as NSError).userInfo)".contains("secret"))
    #expect(plain != HTTPStatusError(status: 422, retryAfter: .seconds(1)))
  }

  @Test("Errors of different statuses or URLs have different hashes")
  func hashes() {
    #expect(Set((400..<500).map { HTTPStatusError(status: $0).hashValue }).count > 1)
    let errors = (0..<100).map { HTTPStatusError(status: 404, url: URL(string: "http://a/\($0)")) }
    #expect(Set(errors.map(\.hashValue)).count > 1)
  }

  @Test("Values of names that differ in case are joined in the order of the names")
  func headers() throws {
    let url = try #require(URL(string: "http://a/1"))
    let fields = ["x-a": "3", "X-A": "1", "X-a": "2", "X-B": "4"]
    let response = try #require(
      HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: fields))
    let error = HTTPStatusError(response, body: Data())
    #expect(error.headers == ["x-a": "1, 2, 3", "x-b": "4"])
  }

  @Test("Its description has the host and the status, and no path that may hold a secret")
  func description() {
    let url = URL(string: "https://example.com/secret?token=1")
    // The words differ between systems.
    let reason = HTTPURLResponse.localizedString(forStatusCode: 404)
    let error = HTTPStatusError(status: 404, url: url)
    #expect(error.description == "The response from example.com has status 404 (\(reason)).")
    #expect(error.localizedDescription == error.description)
    let later = HTTPStatusError(status: 429, retryAfter: .seconds(30))
    #expect(later.description.hasSuffix("Try again after 30.0 seconds."))
  }

  @Test(
    "Retry-After is a number of seconds or a date",
    arguments: [
      ("30", Duration.seconds(30)), (" 0 ", .zero), ("-1", nil), ("", nil), ("soon", nil),
      ("99999999999999999999", .seconds(Int64.max)), ("9223372036854775807", .seconds(Int64.max)),
      ("+5", nil), ("1.5", nil), ("٣", nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(10)),
      ("Sunday, 06-Nov-94 08:49:37 GMT", .seconds(10)),
      ("Sun Nov  6 08:49:37 1994", .seconds(10)),
      ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ] as [(String, Duration?)])
  func retryAfter(value: String, expected: Duration?) throws {
    let now = try #require(RetryAfter.date("Sun, 06 Nov 1994 08:49:27 GMT"))
    #expect(now.timeIntervalSince1970 == 784_111_767)
    #expect(RetryAfter.duration(value, now: now) == expected)
  }
}
