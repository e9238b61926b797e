import Foundation

/// The error of an operation, whatever the type of its value.
private protocol Failing {
  var error: (any Error)? { get }
}

extension ResultOperation: Failing {
  fileprivate var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }
}

extension Operation {
  /// What it failed with, if it ended and did; a cancelled one without a result has failed too.
  var failure: (any Error)? {
    if let failing = self as? any Failing { return failing.error }
    return isCancelled ? CancellationError() : nil
  }
}
