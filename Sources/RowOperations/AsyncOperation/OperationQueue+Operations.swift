import Foundation

extension OperationQueue {
  /// Adds an operation as `addOperation` does, and guards it against the faults of the system's queue.
  ///
  /// Where there is no Objective-C runtime,
  ///
  /// - a queue can miss that an operation's last dependency finished in the moment of adding, and
  ///   then never starts it; so readiness is announced until the queue must have noticed;
  /// - adding a cancelled operation while a barrier is pending can block the caller for good; so one
  ///   that is cancelled already is started by a stand-in, which is what `operations` then shows;
  /// - starting an operation by hand that is in a queue makes the queue miscount or crash; so an
  ///   ``AsyncOperation`` refuses that.
  ///
  /// On all systems, the observers of an ``AsyncOperation`` are told before it is added, so that they
  /// can add what it has to wait for.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies) on Linux.
  public func enqueue(_ operation: Operation) {
    (operation as? AsyncOperation)?.tellWillEnqueue()
    #if canImport(ObjectiveC)
      addOperation(operation)
    #else
      if let operation = operation as? AsyncOperation {
        addOperation(operation.willEnter(self))
        operation.didEnter()
      } else {
        addOperation(operation)
        if !operation.dependencies.isEmpty { operation.announceReadiness() }
      }
    #endif
  }

  /// Adds an operation and waits for its value.
  ///
  /// Suspends; never blocks a thread.
  ///
  /// **Threading**: any task.
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
