import Foundation

extension AsyncOperation {
  /// The operation's own quality of service, else that of its queue.
  package final var effectiveQualityOfService: QualityOfService {
    let own = qualityOfService
    return own == .default ? guarded.withLock { $0.membership.qualityOfService } : own
  }

  /// Claims the operation for a queue, which enqueues it later; others refuse it.
  ///
  /// - Parameter evenIfStarted: Whether to accept an operation that has started.
  /// - Returns: Whether the queue has the claim now; a refusal is reported.
  package final func claim(by queue: OperationQueue, evenIfStarted: Bool = false) -> Bool {
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

  struct QueueEntry {
    let gate: StartGate?
    /// A start waits for no dependency and calls no code of the app.
    ///
    /// The end of a cancelled or finished operation calls such code.
    let isFree: Bool
  }

  /// Prepares the operation for its queue, and calls its observers.
  ///
  /// - Parameter reportsStarted: Whether an operation that was started before is a mistake.
  /// - Returns: `nil` if it is refused, which is reported.
  func enter(_ queue: OperationQueue, reportsStarted: Bool = true) -> QueueEntry? {
    let quality = queue.qualityOfService
    var wasStarted = false
    var observers: [OperationObserver] = []
    let entry = guarded.withLock { guarded -> QueueEntry? in
      wasStarted = guarded.machine.wasStarted
      guard !wasStarted,
        guarded.membership.addRequested(by: ObjectIdentifier(queue))
      else { return nil }
      guarded.membership.qualityOfService = quality
      observers = guarded.observers
      return QueueEntry(
        gate: guarded.gate,
        isFree: guarded.gate == nil && !guarded.hasDependencies && !guarded.machine.isDecided
          && observers.isEmpty)
    }
    guard let entry else {
      if reportsStarted || !wasStarted { reportSecondEnqueue() }
      return nil
    }
    for observer in observers { observer.willEnqueue?(self) }
    return entry
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
