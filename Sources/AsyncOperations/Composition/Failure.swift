import Foundation

extension Operation {
  /// The error that it ended with, if any; cancelled without a result counts as a failure.
  var failure: (any Error)? {
    if let own = self as? AsyncOperation { return own.endError }
    return isCancelled ? CancellationError() : nil
  }
}
