import Foundation

extension Operation {
  /// Calls `body` once when the operation has finished.
  ///
  /// **Threading**: any thread. `body` runs on the finishing thread; for operations that are not of
  /// this library, in a private queue.
  ///
  /// - Returns: `false` if the operation has finished; `body` is then not called.
  func whenFinished(_ body: @escaping @Sendable () -> Void) -> Bool {
    if let operation = self as? AsyncOperation { return operation.watchEnd(body) }
    if isFinished { return false }
    let follower = PrivateOperation(serving: self)
    follower.addDependency(self)
    // A queue of its own, as a queue goes through all its waiting operations whenever one ends.
    let queue = ThreadSafe(OperationQueue())
    _ = follower.watchEnd { withExtendedLifetime(queue) { body() } }
    return queue.object.enqueue(follower)
  }
}
