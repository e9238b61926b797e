import Foundation

extension Operation {
  /// Calls `body` once when the operation has finished, unless the watch is cancelled before.
  ///
  /// **Threading**: any thread. `body` runs on the thread that finishes the operation. For
  /// operations that are not of this library, it may run on a thread of a private queue.
  ///
  /// - Returns: `nil` if the operation has finished; `body` is then not called.
  func whenFinished(_ body: @escaping @Sendable () -> Void) -> EndWatch? {
    if let operation = self as? AsyncOperation {
      return operation.watchEnd(body).map { .own(operation, $0) }
    }
    if isFinished { return nil }
    let follower = PrivateOperation(serving: self)
    follower.addDependency(self)
    let wanted = Lock(true)
    // A queue of its own, as a queue goes through all its waiting operations whenever one ends.
    let queue = ThreadSafe(OperationQueue())
    _ = follower.watchEnd {
      withExtendedLifetime(queue) {}
      if wanted.exchange(false) { body() }
    }
    queue.object.enqueue(follower)
    return .follower(follower) { wanted.exchange(false) }
  }
}

/// The wait for the end of an operation.
enum EndWatch: Sendable {
  case own(AsyncOperation, AsyncOperation.Watchers.Number)
  /// A private operation that waits for one that is not of this library, and retains it until it
  /// has finished.
  case follower(PrivateOperation, forget: @Sendable () -> Void)

  /// Forgets the closure, unless it was called.
  func cancel() {
    switch self {
    case .own(let operation, let number):
      operation.unwatchEnd(number)
    case .follower(let follower, let forget):
      forget()
      follower.cancel()
    }
  }
}
