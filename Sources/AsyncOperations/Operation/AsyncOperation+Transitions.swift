import Foundation

/// Feeds events to the machine under the lock, and performs the actions outside it.
extension AsyncOperation {
  enum Key {
    // Strings: key paths fail on some Apple systems and cost three times as much on Linux.
    static let isExecuting = "isExecuting"
    static let isFinished = "isFinished"
    static let isReady = "isReady"
  }

  struct Transition {
    let action: StateMachine.Action
    let observers: [OperationObserver]
  }

  func transition(_ event: (inout Guarded) -> StateMachine.Action) -> Transition {
    guarded.withLock { guarded in
      let action = event(&guarded)
      if guarded.machine.isDecided { decideResult() }
      if action == .runBody { guarded.work += 1 }
      let observers = guarded.observers
      // Observers that are added while `willFinish` is called still get `didFinish`.
      if action.publishes { guarded.observers = [] }
      return Transition(action: action, observers: observers)
    }
  }

  func perform(_ transition: Transition) {
    switch transition.action {
    case .none, .ignoreLate, .record:
      break
    case .announce:
      publishExecuting()
      for observer in transition.observers { observer.started?(self) }
      perform(self.transition { $0.machine.startCallbacksReturned() })
    case .runBody:
      runBody()
      workEnded()
    case .deliver:
      endWaiting()
    case .leaveQueue, .cancel:
      publishCancel(transition.action)
      endCancel(transition)
    case .publish:
      publish(transition.observers)
    case .reportSecondStart:
      OperationDiagnostics.report(
        .secondStart, self,
        "It was started a second time, which was ignored. Leave start() to the queue.")
    case .reportSecondFinish:
      OperationDiagnostics.report(
        .secondFinish, self,
        "It was finished a second time, which was ignored. Call finish() once, on one path.")
    }
  }

  // MARK: Cancelling

  /// - Returns: For ``endCancel(_:)``.
  func beginCancel() -> Transition {
    let transition = transition { $0.machine.cancelRequested() }
    publishCancel(transition.action)
    return transition
  }

  private func publishCancel(_ action: StateMachine.Action) {
    if action == .leaveQueue { leaveQueue() }
    if case .cancel(let moment) = action { publishCancelled(isPending: moment == .pending) }
  }

  /// Calls the app's code of a cancel, and all that follows.
  func endCancel(_ transition: Transition) {
    guard case .cancel(let moment) = transition.action else { return }
    for observer in transition.observers { observer.cancelled?(self) }
    let (children, queue) = childrenToCancel()
    if !children.isEmpty { CancelSweep.cancel(children, in: queue) }
    if moment == .pending { endWaiting() }
    if moment == .bodyAndPublish { publish(transition.observers) }
    guard moment == .body || moment == .bodyAndPublish else { return }
    hook?.cancelWork(of: self)
    didCancel()
  }

  private func endWaiting() {
    gate?.operationDecided(self)
    deliverResult()
    resumeWaiters()
    perform(transition { $0.machine.resultDelivered() })
  }

  // MARK: Ending

  private func publish(_ observers: [OperationObserver]) {
    deliverResult()
    for observer in observers { observer.willFinish?(self) }
    let late = publishFlip()
    for observer in observers + late { observer.didFinish?(self) }
    let (gate, watchers) = guarded.withLock { guarded in
      defer { (guarded.home, guarded.endWatchers) = (nil, []) }
      return (guarded.gate, guarded.endWatchers)
    }
    gate?.operationFinished(self)
    for body in watchers { body() }
    resumeWaiters()
    hook?.finished(self)
    endWork { _ in }
  }

  /// - Returns: Whether `isExecuting` changed, and observers that were added during `willFinish`.
  func flip() -> (isExecutingChanged: Bool, late: [OperationObserver]) {
    guarded.withLock { guarded in
      defer { guarded.observers = [] }
      return (guarded.machine.finishPublished(), guarded.observers)
    }
  }

  // MARK: The work

  /// A body in a task begins, or a child of a group that has ended.
  func workBegan() { guarded.withLock { $0.work += 1 } }

  func workEnded() { endWork { $0.work -= 1 } }

  private func endWork(_ change: (inout Guarded) -> Void) {
    var watchers: [@Sendable () -> Void] = []
    let overstay = guarded.withLock { guarded in
      change(&guarded)
      if !guarded.worksOn { swap(&watchers, &guarded.workWatchers) }
      guard guarded.work == 0 else { return nil as Timekeeper.Ticket? }
      defer { guarded.overstay = nil }
      return guarded.overstay
    }
    overstay?.cancel()
    for body in watchers { body() }
  }

  var worksOn: Bool { guarded.withLock { $0.machine.wasStarted && $0.worksOn } }

  /// Calls `body` once the operation has finished and its code has returned, as far as that is
  /// known.
  func whenWorkEnds(_ body: @escaping @Sendable () -> Void) {
    let goesOn = guarded.withLock { guarded in
      if guarded.worksOn { guarded.workWatchers.append(body) }
      return guarded.worksOn
    }
    if !goesOn { body() }
  }
}

extension AsyncOperation.Guarded {
  fileprivate var worksOn: Bool { !machine.isFinished || work > 0 }
}
