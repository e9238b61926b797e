import Foundation

extension Operation {
  /// Calls `body` once when the operation has finished; at once if it has.
  ///
  /// **Threading**: any thread. `body` runs on the thread that finishes the operation, or on one of a
  /// private queue for operations that are not of this library.
  ///
  /// - Returns: What waits for an operation that is not of this library, and keeps it until it has
  ///   finished. Cancelling it ends the wait and calls `body`.
  @discardableResult
  func whenFinished(_ body: @escaping @Sendable () -> Void) -> AsyncOperation? {
    if let operation = self as? AsyncOperation {
      operation.addObserver(OperationObserver(didFinish: { _ in body() }))
      return nil
    }
    let follower = Follower()
    follower.addDependency(self)
    // A queue of its own, as a queue goes through all that waits in it whenever something ends.
    let queue = OperationQueue()
    follower.addObserver(
      OperationObserver(didFinish: { [queue = ThreadSafe(queue)] _ in
        withExtendedLifetime(queue) {}
        body()
      }))
    queue.enqueue(follower)
    return follower
  }
}

/// Depends on an operation of the app's or the system's, to notice its end.
private final class Follower: AsyncOperation, @unchecked Sendable {
  // Sendable: it has nothing that changes.
  override func main() { finish() }
}
