import Foundation

extension AsyncOperation {
  /// The quality of service of an operation's task: the operation's own, else that of its queue.
  package final var effectiveQualityOfService: QualityOfService {
    let own = qualityOfService
    return own == .default ? guarded.withLock { $0.membership.qualityOfService } : own
  }

  /// - Parameter evenIfStarted: Whether to accept an operation that has started, in any queue; it
  ///   stays where it is.
  /// - Returns: Whether the queue holds the operation now, to add it later; a refusal is reported.
  func claim(by queue: OperationQueue, evenIfStarted: Bool = false) -> Bool {
    let isClaimed = guarded.withLock { guarded in
      guard guarded.machine.wasStarted else {
        return guarded.membership.claimRequested(by: ObjectIdentifier(queue))
      }
      return evenIfStarted
    }
    if !isClaimed { reportSecondEnqueue() }
    return isClaimed
  }

  func disclaim(by queue: OperationQueue) {
    guarded.withLock { $0.membership.claimReturned(by: ObjectIdentifier(queue)) }
  }

  /// - Parameter reportsStarted: Whether an operation that was started before is a mistake.
  /// - Returns: Whether the caller must add the operation to the queue; a refusal is reported.
  func enter(_ queue: OperationQueue, reportsStarted: Bool = true) -> Bool {
    let quality = queue.qualityOfService
    var wasStarted = false
    let (isToAdd, observers) = guarded.withLock { guarded -> (Bool, [OperationObserver]?) in
      wasStarted = guarded.machine.wasStarted
      guard !wasStarted else { return (false, nil) }
      let isToAdd = guarded.membership.addRequested(
        by: ObjectIdentifier(queue), isOnlyStarter: queue.isKnownToStart)
      if isToAdd { guarded.membership.qualityOfService = quality }
      return (isToAdd, guarded.observers)
    }
    guard isToAdd else {
      if reportsStarted || !wasStarted { reportSecondEnqueue() }
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
      A queue or a group already has it, or it has started, so adding it was ignored. Make a new \
      operation for each queue and group.
      """)
  }
}
