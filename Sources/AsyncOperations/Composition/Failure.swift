import Foundation

/// The error of an operation, independent of the type of its value.
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
  /// The error that it ended with, if any; cancelled without a result counts as a failure.
  var failure: (any Error)? {
    if let failing = self as? any Failing { return failing.error }
    return isCancelled ? CancellationError() : nil
  }
}
