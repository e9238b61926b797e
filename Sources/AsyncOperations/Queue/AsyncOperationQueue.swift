import Foundation

/// A queue that adds operations by ``Foundation/OperationQueue/enqueue(_:)-(Operation)``.
///
/// So code that knows only `OperationQueue` gets all that `enqueue` does.
///
/// ```swift
/// let queue = AsyncOperationQueue()
/// queue.addOperation(operation)
/// ```
///
/// **Threading**: any thread. **Cost**: that of `enqueue`. `cancelAllOperations()` takes
/// O(operations), on Linux too, where that of a plain queue takes O(operations²).
open class AsyncOperationQueue: OperationQueue, @unchecked Sendable {
  // Sendable: all that changes is behind a lock.
  private let barriers = Lock(0)

  /// Held while operations enter their gates and are added, and while a barrier is added.
  ///
  /// - Thread A lets an operation enter its gate, where it gets its turn at once. Thread B adds
  ///   another one, which waits behind it in line, and then a barrier. If A added its operation
  ///   now, it would wait for the barrier, the barrier for the other one, and that for the turn.
  ///
  /// Recursive, as an add reads properties that an app may have overridden. No observer and no
  /// report runs inside.
  fileprivate let order = NSRecursiveLock()

  let holds = Lock(QueueHolds())

  /// Whether the queue starts no operations.
  ///
  /// Operations with a turn that have not started give it back, and get in line again, in their
  /// order, when the queue goes on.
  open override var isSuspended: Bool {
    get { holds.withLock { $0.isSuspended } }
    set {
      changeHolds { $0.suspended(newValue) }
      for case let operation as AsyncOperation in operations {
        if newValue { operation.gate?.returnTurn() } else { operation.gate?.queueResumed() }
      }
    }
  }

  var hasBarrier: Bool { barriers.withLock { $0 > 0 } }

  /// Those that this thread is adding: the system may add them one by one.
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
  ///   - wait: Whether to block the thread until they have finished; never on the main thread.
  open override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
    guard !operations.contains(where: { Self.adding.contains(ObjectIdentifier($0)) }) else {
      return super.addOperations(operations, waitUntilFinished: wait)
    }
    let taken = enqueueTaken(operations)
    if wait { for operation in taken { operation.waitUntilFinished() } }
  }

  #if !canImport(Darwin) || canImport(_Concurrency, _version: 5.9)
    /// Adds a closure that runs alone, after all operations before it and before all after it.
    open override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
      add(ThreadSafe(barrier))
    }
  #else
    /// Adds a closure that runs alone.
    open override func addBarrierBlock(_ barrier: @escaping () -> Void) {
      add(ThreadSafe(barrier))
    }
  #endif

  private func add(_ barrier: ThreadSafe<() -> Void>) {
    inOrder {
      barriers.withLock { $0 += 1 }
      super.addBarrierBlock {
        barrier.object()
        self.barriers.withLock { $0 -= 1 }
      }
    }
  }

  /// Cancels all operations.
  ///
  /// Observers and `didCancel()` are called when all of them are cancelled.
  open override func cancelAllOperations() {
    CancelSweep.cancel(operations, in: self)
    super.cancelAllOperations()
  }

  /// The system's queue starts nothing until ``endHold()``.
  ///
  /// Holds are counted. No code of the app runs during one.
  func beginHold() { changeHolds { $0.held() } }

  func endHold() { changeHolds { $0.released() } }

  private func changeHolds(_ change: (inout QueueHolds) -> Void) {
    var outcome = holds.withLock { holds in
      change(&holds)
      return holds.next()
    }
    while let isSuspended = outcome {
      super.isSuspended = isSuspended
      outcome = holds.withLock { $0.passed() }
    }
  }

  /// For an operation that the queue has, or will add when it is ready.
  func operationBecameReady(_ operation: AsyncOperation) {}

  final func addToSystem(_ operations: [Operation]) {
    let outer = Self.adding
    Self.adding = outer + operations.map(ObjectIdentifier.init)
    super.addOperations(operations, waitUntilFinished: false)
    Self.adding = outer
  }
}

extension OperationQueue {
  /// Runs `body` while no other thread adds a barrier, or operations that pass gates.
  ///
  /// A plain queue reveals no barrier, so there is nothing to wait for.
  func inOrder<Output>(_ body: () -> Output) -> Output {
    let order = (self as? AsyncOperationQueue)?.order
    order?.lock()
    defer { order?.unlock() }
    return body()
  }
}
