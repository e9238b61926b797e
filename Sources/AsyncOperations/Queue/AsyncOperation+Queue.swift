import Foundation

extension AsyncOperation {
  /// Whether a start may come at the wrong moment, so that it is worth asking who makes it.
  func isToBeVetted(_ guarded: Guarded) -> Bool { hasDependencies || !guarded.place.isFree }

  /// Whether a start is in order; reports it if it surely is not.
  func mayStart() -> Bool {
    let current = OperationQueue.current
    if guarded.withLock({ isHeldBack($0.place, from: current) }) {
      OperationDiagnostics.report(
        .startedByHand, self,
        "It was started by hand while a queue has it, which was ignored. Leave that to the queue.")
      return false
    }
    // Who is being cancelled waits for nothing, though the system may yet have to notice.
    guard current == nil, !isReady, !guarded.withLock({ $0.machine.wasCancelRequested }) else {
      return true
    }
    OperationDiagnostics.report(
      .startedTooEarly, self,
      """
      It was started by hand before its dependencies had finished, which was ignored. Add it to a \
      queue, or start it when isReady is true.
      """)
    return false
  }

  private func isHeldBack(_ place: QueuePlace, from current: OperationQueue?) -> Bool {
    if place.isClaimed { return true }
    #if canImport(ObjectiveC)
      return false
    #else
      // A start by hand would end an operation that the queue still has in its books, and the queue
      // would count it twice, or follow a pointer to what is gone.
      return place.starter.map { $0 != current.map(ObjectIdentifier.init) } ?? false
    #endif
  }

  // MARK: Adding

  /// - Returns: Whether it is the queue's now, to be added later; reported if it is not.
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

  func enter(_ queue: OperationQueue) {
    // A queue on top of a dispatch queue, as the main queue is, may start it on any thread.
    let isOnlyStarter = queue.underlyingQueue == nil
    let (action, observers) = guarded.withLock {
      guarded -> (QueuePlace.EnteringAction, [OperationObserver]?) in
      if guarded.machine.wasStarted { return (.refuse, nil) }
      let action = guarded.place.enteringRequested(
        by: ObjectIdentifier(queue), isOnlyStarter: isOnlyStarter)
      return (action, guarded.observers)
    }
    if action == .refuse { return reportSecondEnqueue() }
    for observer in observers ?? [] { observer.willEnqueue?(self) }
    switch action {
    case .add: queue.addOperation(self)
    case .addStandIn: queue.addOperation(standIn())
    case .refuse: break
    }
    let maySettle = guarded.withLock { guarded in
      guarded.place.entered()
      return hasDependencies || guarded.place.isLeaving
    }
    if maySettle { settleReadiness() }
  }

  private func reportSecondEnqueue() {
    OperationDiagnostics.report(
      .secondEnqueue, self,
      """
      It was to be given to a queue or a group, but one has it already, or it has started; that was \
      ignored. Make an operation of its own for each.
      """)
  }

  /// Stands for an operation that the system remembers as cancelled: adding that to a queue with a
  /// pending barrier deadlocks the adder.
  private func standIn() -> Operation {
    // Whoever ends the stand-in: a cancel of the whole queue may come as the queue starts it.
    let standIn = Place { self.start(isVetted: true) }
    standIn.queuePriority = queuePriority
    return standIn
  }
}

/// A place in a queue for an operation that is not in it: not yet, or not any more.
final class Place: AsyncOperation, @unchecked Sendable {
  // Sendable: it has nothing of its own.

  /// - Parameter end: Runs when the queue has come to it, also if it was cancelled.
  init(end: @escaping @Sendable () -> Void) {
    super.init()
    addObserver(OperationObserver(willFinish: { _ in end() }))
  }

  override func main() { finish() }
}
