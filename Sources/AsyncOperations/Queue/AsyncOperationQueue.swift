import Foundation

/// A queue whose `addOperation` is ``Foundation/OperationQueue/enqueue(_:)-(Operation)``.
///
/// Code that knows only `OperationQueue` then gets everything that `enqueue` does: no lost wake-up,
/// conditions, exclusion, and refused operations instead of a crash.
///
/// ```swift
/// let queue = AsyncOperationQueue()
/// queue.addOperation(download)
/// ```
///
/// **Threading**: any thread. **Cost**: that of `enqueue`.
open class AsyncOperationQueue: OperationQueue, @unchecked Sendable {
  // Sendable: it adds nothing that changes.

  /// The operations that this thread is adding: the system may add them one by one.
  private static var adding: [ObjectIdentifier] {
    get { Thread.current.threadDictionary[key] as? [ObjectIdentifier] ?? [] }
    set { Thread.current.threadDictionary[key] = newValue.isEmpty ? nil : newValue }
  }

  private static let key = "AsyncOperations.AsyncOperationQueue.adding"

  /// Adds an operation as `enqueue` does.
  open override func addOperation(_ operation: Operation) {
    if Self.adding.contains(ObjectIdentifier(operation)) {
      super.addOperation(operation)
    } else {
      enqueue(operation)
    }
  }

  /// Adds operations as `enqueue` does.
  ///
  /// - Parameters:
  ///   - operations: What to add.
  ///   - wait: Whether to block the thread until all that the queue took have finished; never pass
  ///     `true` on the main thread or in an operation.
  open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
    let isAdding = operations.contains { Self.adding.contains(ObjectIdentifier($0)) }
    if isAdding { return super.addOperations(operations, waitUntilFinished: wait) }
    let taken = enqueueTaken(operations)
    if wait { for operation in taken { operation.waitUntilFinished() } }
  }

  final func addToSystem(_ operations: [Operation]) {
    let outer = Self.adding
    Self.adding = outer + operations.map(ObjectIdentifier.init)
    super.addOperations(operations, waitUntilFinished: false)
    Self.adding = outer
  }
}
