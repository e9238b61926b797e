import Foundation

extension OperationQueue {
  /// Adds an operation as `addOperation` does, and guards it against the faults of the system's queue.
  ///
  /// Where there is no Objective-C runtime,
  ///
  /// - a queue can miss that an operation's last dependency finished in the moment of adding, and
  ///   then never starts it; so readiness is announced until the queue must have noticed;
  /// - starting an operation by hand that is in a queue makes the queue miscount or crash; so an
  ///   ``AsyncOperation`` refuses that.
  ///
  /// On all systems, the observers of an ``AsyncOperation`` are told before it is added, so that they
  /// can add what it has to wait for. One that has started, or that this or another queue has been
  /// given by `enqueue`, or that a group has, is not added, which is reported to
  /// ``OperationDiagnostics/onMisuse``; what a plain `addOperation` has done cannot be known.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies) on Linux.
  /// - Returns: Whether the queue took the operation.
  @discardableResult
  public func enqueue(_ operation: Operation) -> Bool {
    if let operation = operation as? AsyncOperation, !operation.enter(self) { return false }
    addOperation(operation)
    #if !canImport(ObjectiveC)
      if !operation.dependencies.isEmpty { operation.announceReadiness() }
    #endif
    return true
  }

  /// Takes an operation for this queue, to be enqueued later.
  ///
  /// For those who hold operations back, as a group does. Until `enqueue` is called, the operation can
  /// neither be given to another queue by `enqueue` nor be started by hand: both are ignored and
  /// reported.
  ///
  /// **Threading**: any thread.
  ///
  /// - Returns: `false`, which is reported to ``OperationDiagnostics/onMisuse``, if the operation has
  ///   started, or was given to this or another queue before.
  package func claim(_ operation: AsyncOperation) -> Bool { operation.claim(by: self) }

  /// Gives back an operation that was claimed for this queue and not enqueued.
  ///
  /// **Threading**: any thread.
  package func disclaim(_ operation: AsyncOperation) { operation.disclaim(by: self) }

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
