import Foundation

extension Operation {
  /// Calls `body` once when the operation has finished; at once if it has.
  ///
  /// **Threading**: any thread. `body` runs on the thread that finishes the operation, or on one of a
  /// private queue for operations that are not of this library.
  func whenFinished(_ body: @escaping @Sendable () -> Void) {
    if let operation = self as? AsyncOperation {
      operation.addObserver(OperationObserver(didFinish: { _ in body() }))
      return
    }
    let follower = Follower(body)
    follower.addDependency(self)
    // A queue of its own, as a queue goes through all that waits in it whenever something ends.
    let queue = OperationQueue()
    follower.addObserver(
      OperationObserver(didFinish: { [queue = ThreadSafe(queue)] _ in
        withExtendedLifetime(queue) {}
      }))
    queue.enqueue(follower)
  }
}

/// Depends on an operation of the app's or the system's, to notice its end.
private final class Follower: AsyncOperation, @unchecked Sendable {
  // Sendable: it never changes.
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init()
  }

  override func main() {
    finish()
    body()
  }
}
