import Foundation

extension Operation {
  /// Calls `body` once when the operation has finished; at once if it has.
  ///
  /// **Threading**: any thread. `body` runs on the thread that finishes the operation. For
  /// operations that are not of this library, it may run on a thread of a private queue.
  ///
  /// - Returns: For an operation that is not of this library, the private operation that waits for
  ///   it and retains it until it has finished. Cancelling the private operation ends the wait and
  ///   calls `body`.
  @discardableResult
  func whenFinished(_ body: @escaping @Sendable () -> Void) -> AsyncOperation? {
    if let operation = self as? AsyncOperation {
      operation.addObserver(OperationObserver(didFinish: { _ in body() }))
      return nil
    }
    let follower = Follower()
    follower.addDependency(self)
    // A queue of its own, as a queue goes through all its waiting operations whenever one ends.
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

/// Depends on an operation of the app or the system, to notice its end.
private final class Follower: AsyncOperation, @unchecked Sendable {
  // Sendable: it has no mutable state.
  override func main() { finish() }
}
