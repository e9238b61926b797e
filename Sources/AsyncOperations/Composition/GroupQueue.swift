import Foundation

// Sendable: all that changes is behind a lock.
final class GroupQueue: AsyncOperationQueue, @unchecked Sendable {
  /// The children that wait for dependencies outside the system's queue.
  ///
  /// On Linux that queue goes through all its waiting operations whenever one of them becomes ready
  /// or ends. If it starts every operation that is ready, a child loses nothing by waiting here.
  private let parked = Lock<[ObjectIdentifier: AsyncOperation]>([:])

  /// Adds claimed operations, except those that another caller has started.
  func enqueueUnstarted(_ operations: [Operation]) {
    var batch = QueueBatch()
    for operation in operations
    where operation is AsyncOperation || !operation.isExecuting && !operation.isFinished {
      // Calls observers of the app, so not during a hold.
      _ = batch.enter(operation, self, reportsStarted: false)
    }
    Unnested.beforeTurns {
      beginHold()
      batch.add(to: self, unless: park)
      endHold()
    }
  }

  private func park(_ operation: Operation) -> Bool {
    guard parks, let own = operation as? AsyncOperation, !own.isReady else { return false }
    parked.withLock { $0[ObjectIdentifier(own)] = own }
    // Its last dependency may have ended meanwhile.
    if own.isReady { operationBecameReady(own) }
    return true
  }

  /// Whether the system's queue starts every operation that is ready, and is slow if others wait.
  private var parks: Bool {
    #if canImport(ObjectiveC)
      false
    #else
      maxConcurrentOperationCount == OperationQueue.defaultMaxConcurrentOperationCount
    #endif
  }

  override func operationBecameReady(_ operation: AsyncOperation) {
    let own = parked.withLock { $0.removeValue(forKey: ObjectIdentifier(operation)) }
    guard let own else { return }
    addBatch([own])
    own.announceReadinessIfNeeded()
  }

  override func cancelAllOperations() {
    CancelSweep.cancel(parked.withLock { Array($0.values) }, in: self)
    super.cancelAllOperations()
  }
}
