import Foundation

extension AsyncOperation {
  /// Whether a start may come at the wrong moment, so that it is worth asking who makes it.
  func isToBeVetted(_ guarded: Guarded) -> Bool {
    #if canImport(ObjectiveC)
      hasDependencies
    #else
      hasDependencies || guarded.owner != nil
    #endif
  }

  /// Whether a start is in order; reports it if it surely is not.
  func mayStart() -> Bool {
    let current = OperationQueue.current
    #if !canImport(ObjectiveC)
      // A start by hand would end an operation that the queue still has in its books, and the queue
      // would count it twice, or follow a pointer to what is gone.
      if let owner = guarded.withLock({ $0.owner }), current.map(ObjectIdentifier.init) != owner {
        OperationDiagnostics.report(
          .startedByHand, self,
          "It was started by hand while it waits in a queue, which was ignored. Leave that to it.")
        return false
      }
    #endif
    guard current == nil, !isReady else { return true }
    OperationDiagnostics.report(
      .startedTooEarly, self,
      """
      It was started by hand before its dependencies had finished, which was ignored. Add it to a \
      queue, or start it when isReady is true.
      """)
    return false
  }
}

#if !canImport(ObjectiveC)
  extension AsyncOperation {
    /// To be called before `queue` adds the operation, with a call of `didEnter` after it.
    ///
    /// - Returns: What is to be added.
    func willEnter(_ queue: OperationQueue) -> Operation {
      // A queue on top of a dispatch queue, as the main queue is, may start it on any thread.
      let owner = queue.underlyingQueue == nil ? ObjectIdentifier(queue) : nil
      let isCancelled = guarded.withLock { guarded in
        guarded.owner = owner
        guarded.isEntering = true
        return guarded.machine.isCancelled
      }
      return isCancelled ? StandIn(for: self) : self
    }

    func didEnter() {
      let maySettle = guarded.withLock { guarded in
        guarded.isEntering = false
        return hasDependencies || guarded.machine.isCancelled
      }
      if maySettle { settleReadiness() }
    }
  }

  /// Stands in a queue for an operation that was cancelled before it was added, and starts it.
  ///
  /// The system remembers a cancelled operation, and adding a remembered one to a queue with a
  /// pending barrier deadlocks the adder.
  private final class StandIn: Operation, @unchecked Sendable {
    // Sendable: it never changes.
    private let operation: AsyncOperation

    init(for operation: AsyncOperation) {
      self.operation = operation
      super.init()
      queuePriority = operation.queuePriority
    }

    override func start() {
      operation.start()
      super.start()
    }
  }
#endif
