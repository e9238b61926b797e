import AsyncOperations
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Errors that another attempt may cure")
struct TransientErrorTests {
  private struct Unknown: Error {}

  private static func decoding() -> any Error {
    do {
      _ = try JSONDecoder().decode(Int.self, from: Data("{}".utf8))
      return Unknown()
    } catch {
      return error
    }
  }

  private static func under(_ error: any Error, _ key: String = NSUnderlyingErrorKey) -> any Error {
    let value: Any = key == NSUnderlyingErrorKey ? error : [Unknown(), error] as [any Error]
    return NSError(domain: "App", code: 1, userInfo: [key: value])
  }

  @Test("Errors of the network, unknown ones, and most others are transient")
  func transient() {
    let errors: [any Error] = [
      URLError(.timedOut), URLError(.networkConnectionLost), URLError(.unknown),
      URLError(.badServerResponse), URLError(.secureConnectionFailed), Unknown(),
      OperationError(code: .timedOut, description: ""), CocoaError(.fileReadUnknown),
      NSError(domain: "App", code: 404), Self.under(Unknown()), Self.under(URLError(.timedOut)),
      NSError(domain: "App", code: URLError.Code.badURL.rawValue), POSIXError(.ECONNRESET),
    ]
    for error in errors { #expect(RetryStrategy.isTransient(error), "\(error)") }
  }

  @Test("Cancellation, certificates, malformed requests and decoding are not")
  func final() {
    // As Linux describes it.
    let certificate = [NSLocalizedDescriptionKey: "SSL certificate problem: self-signed"]
    let errors: [any Error] = [
      CancellationError(), URLError(.cancelled), CocoaError(.userCancelled),
      URLError(.serverCertificateUntrusted), URLError(.serverCertificateHasBadDate),
      URLError(.clientCertificateRequired), URLError(.unknown, userInfo: certificate),
      URLError(.badURL), URLError(.unsupportedURL), URLError(.requestBodyStreamExhausted),
      // A GET with a body.
      URLError(.dataLengthExceedsMaximum),
      Self.decoding(), URLError(.cannotDecodeContentData), CocoaError(.coderValueNotFound),
      CocoaError(.propertyListReadCorrupt), CocoaError(.coderInvalidValue),
      CocoaError(.fileReadInapplicableStringEncoding), CocoaError(.fileReadUnknownStringEncoding),
      EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "")),
      POSIXError(.ECANCELED),
      NSError(domain: NSURLErrorDomain, code: URLError.Code.badURL.rawValue),
    ]
    for error in errors {
      #expect(!RetryStrategy.isTransient(error), "\(error)")
      #expect(!RetryStrategy.isTransient(Self.under(Self.under(error))), "below: \(error)")
      #expect(
        !RetryStrategy.isTransient(Self.under(error, "NSMultipleUnderlyingErrorsKey")),
        "among others below: \(error)")
    }
  }

  @Test("Of statuses, 4xx are final but for 408 and 429")
  func statuses() {
    let final = (100..<600).filter { !RetryStrategy.isTransient(HTTPStatusError(status: $0)) }
    #expect(final == (400..<500).filter { $0 != 408 && $0 != 429 })
    #expect(!RetryStrategy.isTransient(HTTPStatusError(status: 404) as NSError))
    #expect(!RetryStrategy.isTransient(Self.under(HTTPStatusError(status: 404))))
  }

  @Test("An error that is many times below itself ends, and is as final as the others below it")
  func circle() {
    let final = Circle(others: [URLError(.badURL)])
    #expect(RetryStrategy.isTransient(Circle()) && !RetryStrategy.isTransient(final))
  }

  private struct Circle: CustomNSError {
    var others: [any Error] = []
    var errorUserInfo: [String: Any] {
      ["NSMultipleUnderlyingErrorsKey": others + Array(repeating: self as any Error, count: 10)]
    }
  }
}
