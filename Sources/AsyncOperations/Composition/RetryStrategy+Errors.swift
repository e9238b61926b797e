import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension RetryStrategy {
  /// Whether another attempt may succeed after an error.
  ///
  /// `false` for a cancellation, a certificate that is not accepted, a malformed request, data that
  /// cannot be coded, and an ``HTTPStatusError`` with 400 to 499, but for 408 and 429. `true` for
  /// all others. An error is as final as its underlying errors.
  ///
  /// **Threading**: any thread. **Cost**: O(underlying errors), of which it looks at 100.
  public static func isTransient(_ error: any Error) -> Bool {
    // An app may make an error that is below itself.
    var (errors, seen) = ([error], 0)
    while seen < min(errors.count, 100) {
      let error = errors[seen]
      seen += 1
      if error is CancellationError || error is DecodingError || error is EncodingError {
        return false
      }
      // An error of another type may have the domain and the code of one of these.
      let plain = error as NSError
      guard !plain.isFinal else { return false }
      if let below = plain.userInfo[NSUnderlyingErrorKey] as? any Error { errors.append(below) }
      errors += plain.userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error] ?? []
    }
    return true
  }
}

extension NSError {
  fileprivate var isFinal: Bool {
    switch domain {
    case HTTPStatusError.errorDomain:
      400..<500 ~= code && code != 408 && code != 429
    case NSURLErrorDomain:
      Self.finalCodes.contains { $0.rawValue == code } || isOfCertificate
    case NSCocoaErrorDomain:
      Self.finalCocoaCodes.contains { $0.rawValue == code }
    case NSPOSIXErrorDomain:
      code == Int(POSIXErrorCode.ECANCELED.rawValue)
    default:
      false
    }
  }

  private static let finalCodes: [URLError.Code] = [
    .cancelled, .userCancelledAuthentication, .userAuthenticationRequired,
    .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
    .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
    .appTransportSecurityRequiresSecureConnection, .badURL, .unsupportedURL,
    .requestBodyStreamExhausted, .cannotDecodeRawData, .cannotDecodeContentData,
    .dataLengthExceedsMaximum,
  ]

  private static let finalCocoaCodes: [CocoaError.Code] = [
    .userCancelled, .fileReadCorruptFile, .propertyListReadCorrupt, .coderReadCorrupt,
    .coderValueNotFound, .coderInvalidValue, .fileReadInapplicableStringEncoding,
    .fileReadUnknownStringEncoding,
  ]

  /// Linux has one code for failures of certificates and many others (Swift 6.3).
  private var isOfCertificate: Bool {
    code == URLError.Code.unknown.rawValue && localizedDescription.contains("certificate")
  }
}
