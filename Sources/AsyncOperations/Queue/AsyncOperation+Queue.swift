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

  /// What an operation needs to know of its queue, which the system's queue reveals under a lock.
  struct QueueTraits {
    let id: QueueMembership.Queue
    let qualityOfService: QualityOfService
    let isKnownToStart: Bool

    init(_ queue: OperationQueue) {
      id = ObjectIdentifier(queue)
      qualityOfService = queue.qualityOfService
      isKnownToStart = queue.isKnownToStart
    }
  }

  /// The outcome of the preparation for a queue.
  struct QueueEntry {
    let hasDependents: Bool
    /// The gate that it enters next.
    let gate: (any OperationGate)?
    /// Whether a start waits for no dependency and calls no code of the app.
    ///
    /// The end of a cancelled or finished operation calls such code.
    let isFree: Bool
  }

  /// Prepares the operation for its queue, and calls its observers.
  ///
  /// - Parameter reportsStarted: Whether an operation that was started before is a mistake.
  /// - Returns: `nil` if it is refused, which is reported.
  func enter(_ queue: QueueTraits, reportsStarted: Bool = true) -> QueueEntry? {
    var wasStarted = false
    var observers: [OperationObserver]?
    let entry = guarded.withLock { guarded -> QueueEntry? in
      wasStarted = guarded.machine.wasStarted
      guard !wasStarted,
        guarded.membership.addRequested(by: queue.id, isOnlyStarter: queue.isKnownToStart)
      else { return nil }
      guarded.membership.qualityOfService = queue.qualityOfService
      observers = guarded.observers
      return QueueEntry(
        hasDependents: guarded.hasDependents, gate: guarded.extras?.gate,
        isFree: !guarded.extras.hasDependencies && !guarded.machine.isDecided
          && !guarded.machine.isCancelled && observers?.contains(where: \.isForStarts) != true)
    }
    guard let entry else {
      if reportsStarted || !wasStarted { reportSecondEnqueue() }
      return nil
    }
    for observer in observers ?? [] { observer.willEnqueue?(self) }
    return entry
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
