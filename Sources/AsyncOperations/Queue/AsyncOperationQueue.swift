import Foundation

/// A queue that adds operations by ``Foundation/OperationQueue/enqueue(_:)-(Operation)``.
///
/// Its `addOperation` gives code that knows only `OperationQueue` everything that `enqueue` does:
/// no lost wake-up, conditions, exclusion, and a refusal in place of a crash.
///
/// ```swift
/// let queue = AsyncOperationQueue()
/// queue.addOperation(download)
/// ```
///
/// **Threading**: any thread. **Cost**: that of `enqueue`.
open class AsyncOperationQueue: OperationQueue, @unchecked Sendable {
  // Sendable: it adds no mutable state.

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
  ///   - operations: The operations.
  ///   - wait: Whether to block the thread until all operations that the queue accepted have
  ///     finished; never pass `true` on the main thread or in an operation.
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
