import Foundation

extension FailureCause {
  init(_ error: any Error, isRetryable: Bool, retryAfter: Duration? = nil) {
    let (domain, code) = ((error as NSError).domain, (error as NSError).code)
    var hasher = Hasher()
    hasher.combine(domain)
    hasher.combine(code)
    self.init(
      kind: hasher.finalize(), isRetryable: isRetryable, isConnectivity: error.isOfConnectivity,
      retryAfter: retryAfter)
  }
}

extension TrackerConfiguration {
  @MainActor
  func allowsRetry(after error: any Error) -> Bool {
    if let shouldRetry { return shouldRetry(error) }
    guard case .backoff = retry else { return true }
    return RetryStrategy.isTransient(error)
  }
}

extension Error {
  fileprivate var isOfConnectivity: Bool {
    if let error = self as? OperationError { return error.code == .timedOut }
    guard let error = self as? URLError else { return false }
    switch error.code {
    case .notConnectedToInternet, .networkConnectionLost, .cannotFindHost, .cannotConnectToHost,
      .dnsLookupFailed, .timedOut, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      return true
    default: return false
    }
  }
}
