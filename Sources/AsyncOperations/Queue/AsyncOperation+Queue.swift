import Foundation

extension AsyncOperation {
  /// - Returns: Whether the queue has it now, to be added later; reported if it has not.
  func claim(by queue: OperationQueue) -> Bool {
    let isClaimed = guarded.withLock { guarded in
      !guarded.machine.wasStarted && guarded.place.claimRequested(by: ObjectIdentifier(queue))
    }
    if !isClaimed { reportSecondEnqueue() }
    return isClaimed
  }

  func disclaim(by queue: OperationQueue) {
    guarded.withLock { $0.place.claimReturned(by: ObjectIdentifier(queue)) }
  }

  /// - Returns: Whether the queue is to add it; reported if it is not.
  func enter(_ queue: OperationQueue) -> Bool {
    // Only of a queue of its own threads is it known that it starts operations on those.
    #if canImport(ObjectiveC)
      let isOnlyStarter = false
    #else
      let isOnlyStarter = queue.underlyingQueue == nil
    #endif
    let (isToAdd, observers) = guarded.withLock { guarded -> (Bool, [OperationObserver]?) in
      guard !guarded.machine.wasStarted else { return (false, nil) }
      let isToAdd = guarded.place.addRequested(
        by: ObjectIdentifier(queue), isOnlyStarter: isOnlyStarter)
      return (isToAdd, guarded.observers)
    }
    guard isToAdd else {
      reportSecondEnqueue()
      return false
    }
    for observer in observers ?? [] { observer.willEnqueue?(self) }
    enterGate()
    return true
  }

  private func reportSecondEnqueue() {
    OperationDiagnostics.report(
      .secondEnqueue, self,
      """
      It was to be given to a queue or a group, but one has it already, or it has started; that was \
      ignored. Make an operation of its own for each.
      """)
  }
}
