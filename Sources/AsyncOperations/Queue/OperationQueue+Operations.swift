import Foundation

extension OperationQueue {
  /// Adds an operation as `addOperation` does, and guards it against the faults of the system's
  /// queue.
  ///
  /// On Linux, a queue can miss the end of the last dependency at the moment of adding, and then
  /// never start the operation. This announces readiness until the queue has noticed.
  ///
  /// The `willEnqueue` observers come first, then conditions and exclusion. An operation that has
  /// started, or that `enqueue` or a group took before, is refused and reported. An earlier plain
  /// `addOperation` goes unnoticed.
  ///
  /// **Threading**: any thread. **Cost**: O(dependencies).
  ///
  /// - Returns: Whether the queue took the operation.
  @discardableResult
  public func enqueue(_ operation: Operation) -> Bool {
    !enqueueTaken([operation]).isEmpty
  }

  /// Adds operations together, so that the one with the highest priority starts first.
  ///
  /// Otherwise like ``enqueue(_:)-(Operation)``.
  ///
  /// **Threading**: any thread. **Cost**: O(operations and their dependencies).
  ///
  /// - Returns: Whether the queue took all of them.
  @discardableResult
  public func enqueue(_ operations: [Operation]) -> Bool {
    enqueueTaken(operations).count == operations.count
  }

  func enqueueTaken(_ operations: [Operation]) -> [Operation] {
    var batch = QueueBatch()
    let taken = operations.filter { batch.enter($0, self) }
    batch.add(to: self)
    return taken
  }

  /// Adds an operation that runs an `async` closure.
  ///
  /// ```swift
  /// let feed = queue.enqueue { try await fetchFeed() }
  /// print(try await feed.value)
  /// ```
  ///
  /// **Threading**: any thread. **Cancellation**: cancel the returned operation.
  ///
  /// - Parameters:
  ///   - name: A name for debugging.
  ///   - body: The work.
  /// - Returns: The operation.
  @discardableResult
  public func enqueue<Value: Sendable>(
    name: String? = nil, _ body: @escaping @Sendable () async throws -> Value
  ) -> TaskOperation<Value> {
    let operation = TaskOperation(name: name, body)
    enqueue(operation)
    return operation
  }

  /// Waits until every operation has finished, including later additions.
  ///
  /// Suspends; never blocks a thread. An operation that never starts keeps it waiting. Completion
  /// blocks may still run when it returns.
  ///
  /// **Cancellation**: a cancelled task continues to wait.
  ///
  /// **Cost**: O(operations), and again for each batch that is added meanwhile.
  public func drained() async {
    while true {
      let unfinished = operations.filter { !$0.isFinished }
      if unfinished.isEmpty { return }
      for operation in unfinished where !operation.isFinished {
        await withCheckedContinuation { continuation in
          if !operation.whenFinished({ continuation.resume() }) { continuation.resume() }
        }
      }
    }
  }

  /// Adds to the system's queue; no subclass can turn this into an `enqueue`.
  func addBatch(_ operations: [Operation]) {
    if let own = self as? AsyncOperationQueue {
      own.addToSystem(operations)
    } else {
      addOperations(operations, waitUntilFinished: false)
    }
  }

  /// Adds an operation and waits for its value.
  ///
  /// Suspends; never blocks a thread. It also waits for an operation that the queue refuses.
  ///
  /// **Threading**: any task. **Cost**: that of `enqueue`.
  ///
  /// **Cancellation**: cancelling the calling task cancels the operation as well, and throws
  /// `CancellationError` at once. The operation finishes when the queue starts it, or when its body
  /// notices the cancel. In a cancelled task, the body does not run.
  ///
  /// - Throws: The error that the operation ended with, or `CancellationError`.
  public func value<Value>(of operation: ResultOperation<Value>) async throws -> Value {
    try await withTaskCancellationHandler {
      enqueue(operation)
      return try await operation.value
    } onCancel: {
      operation.cancel()
    }
  }
}

struct QueueBatch {
  private var entries: [(operation: Operation, entry: AsyncOperation.QueueEntry?)] = []

  /// - Returns: `false` if the operation is refused, which is reported.
  mutating func enter(
    _ operation: Operation, _ queue: OperationQueue, reportsStarted: Bool = true
  ) -> Bool {
    let own = operation as? AsyncOperation
    let entry = own?.enter(queue, reportsStarted: reportsStarted)
    if own != nil, entry == nil { return false }
    add(operation, entry)
    return true
  }

  mutating func add(_ operation: Operation, _ entry: AsyncOperation.QueueEntry?) {
    entries.append((operation, entry))
  }

  /// Adds the operations with their private ones.
  ///
  /// - Parameter parks: Whether an operation is not to be added now.
  func add(to queue: OperationQueue, unless parks: (Operation) -> Bool = { _ in false }) {
    let added =
      entries.contains { $0.entry?.gate != nil }
      ? Unnested.beforeTurns {
        let added = queue.inOrder { addAll(to: queue, unless: parks) }
        // A suspend may have come between a turn and the addition.
        for (_, entry) in entries { entry?.gate?.returnTurn() }
        return added
      }
      : addAll(to: queue, unless: parks)
    for operation in added { operation.announceReadinessIfNeeded() }
  }

  private func addAll(to queue: OperationQueue, unless parks: (Operation) -> Bool) -> [Operation] {
    var operations: [Operation] = []
    for (operation, entry) in entries {
      if let starter = entry?.gate?.enter(queue) { operations.append(starter) }
      operations.append(operation)
    }
    operations.removeAll(where: parks)
    queue.addBatch(operations)
    return operations
  }
}
