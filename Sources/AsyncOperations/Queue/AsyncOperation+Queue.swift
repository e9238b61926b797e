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

  /// Notes that a queue gets a private operation, which enters nothing.
  func noteAdd(to queue: OperationQueue) {
    guarded.withLock { guarded in
      _ = guarded.membership.addRequested(
        by: ObjectIdentifier(queue), isOnlyStarter: queue.isKnownToStart)
    }
  }

  /// The outcome of the preparation for a queue.
  struct QueueEntry {
    let hasDependents: Bool
    /// The gate that it enters next.
    let gate: (any OperationGate)?
  }

  /// Prepares the operation for its queue, and calls its observers.
  ///
  /// - Parameter reportsStarted: Whether an operation that was started before is a mistake.
  /// - Returns: `nil` if it is refused, which is reported.
  func enter(_ queue: OperationQueue, reportsStarted: Bool = true) -> QueueEntry? {
    let quality = queue.qualityOfService
    var (wasStarted, hasDependents) = (false, false)
    let (isToAdd, observers, gate) = guarded.withLock {
      guarded -> (Bool, [OperationObserver]?, (any OperationGate)?) in
      (wasStarted, hasDependents) = (guarded.machine.wasStarted, guarded.hasDependents)
      guard !wasStarted else { return (false, nil, nil) }
      let isToAdd = guarded.membership.addRequested(
        by: ObjectIdentifier(queue), isOnlyStarter: queue.isKnownToStart)
      if isToAdd { guarded.membership.qualityOfService = quality }
      return (isToAdd, guarded.observers, guarded.extras?.gate)
    }
    guard isToAdd else {
      if reportsStarted || !wasStarted { reportSecondEnqueue() }
      return nil
    }
    for observer in observers ?? [] { observer.willEnqueue?(self) }
    return QueueEntry(hasDependents: hasDependents, gate: gate)
  }

  /// Begins the way through the gate, right before the queue adds the operation.
  ///
  /// - Returns: A private operation to add before it.
  func enter(_ gate: any OperationGate, in queue: OperationQueue) -> PrivateOperation? {
    let entry = gate.enter(self, in: queue, isHeldUp: queue.isHeldUp)
    if let door = entry.door { startWaiting(for: door) }
    return entry.starter
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

extension OperationQueue {
  /// Whether an operation that is ready may not start soon.
  fileprivate var isHeldUp: Bool {
    isSuspended || (self as? AsyncOperationQueue)?.hasBarrier == true
  }
}
