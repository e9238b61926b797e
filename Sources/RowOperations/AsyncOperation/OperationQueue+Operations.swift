import Foundation

extension OperationQueue {
  /// Adds an operation, and makes sure that the queue notices when it becomes ready.
  ///
  /// Where there is no Objective-C runtime, a queue can miss that an operation's last dependency
  /// finished in the moment of adding, and then never starts it. This announces readiness again
  /// until it has stayed the same over an announcement: a single one can be lost in the same way.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies) on Linux.
  public func enqueue(_ operation: Operation) {
    addOperation(operation)
    #if !canImport(ObjectiveC)
      guard !operation.dependencies.isEmpty else { return }
      var before: Bool
      repeat {
        before = operation.isReady
        operation.didChangeValue(forKey: AsyncOperation.Key.isReady)
      } while operation.isReady != before
    #endif
  }

  /// Adds an operation and waits for its value.
  ///
  /// Suspends; never blocks a thread.
  ///
  /// **Cancellation**: cancelling the calling task cancels the operation as well. The caller gets
  /// `CancellationError` at once; the operation finishes when the queue starts it, or when its body
  /// has noticed.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public func value<Value>(of operation: ResultOperation<Value>) async throws -> Value {
    enqueue(operation)
    return try await withTaskCancellationHandler {
      try await operation.value
    } onCancel: {
      operation.cancel()
    }
  }
}
