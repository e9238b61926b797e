import Foundation

/// Feeds each event to the machine under the lock, then performs the action with the lock released.
extension AsyncOperation {
  /// The action that an event led to, and the data that the action needs from under the lock.
  struct Transition {
    let action: StateMachine.Action
    var observers: [OperationObserver]?
    /// Set if the flag flipped at once, because nothing has to happen before it flips.
    var flip: Flip?
    var tracksMain = false
  }

  /// The context in which a thread starts the operation.
  struct Starter {
    /// `nil` outside every queue.
    let queue: QueueMembership.Queue?
    let isReady: Bool
  }

  /// Feeds one event to the machine.
  func transition(_ event: (inout Guarded) -> StateMachine.Action) -> Transition {
    guarded.withLock { guarded in
      let action = event(&guarded)
      var transition = Transition(action: action)
      if action.publishes {
        beginEnd(&guarded, &transition)
      } else if action == .runBody {
        transition.tracksMain = guarded.tracksMain
        if guarded.tracksMain { guarded.mainThread = ThreadIdentity.current }
      } else {
        transition.observers = guarded.observers
      }
      return transition
    }
  }

  func perform(_ transition: Transition) {
    switch transition.action {
    case .none, .record, .ignoreLate:
      break
    case .announce:
      publishExecuting()
      if let observers = transition.observers {
        for observer in observers { observer.started?(self) }
      }
      perform(self.transition { $0.machine.startCallbacksReturned() })
    case .runBody:
      runBody()
      if transition.tracksMain { mainReturned() }
    case .leaveQueue, .announceCancel:
      publishCancel(transition.action)
      endCancel(transition)
    case .announceCancelAndPublish:
      publishCancelled(isPending: false)
      for observer in transition.observers ?? [] { observer.cancelled?(self) }
      publish(transition)
    case .publish:
      publish(transition)
    case .publishAndWakeBody:
      publish(transition)
      wakeBody()
    case .wakeBody:
      wakeBody()
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

  /// Takes the library's own steps of a cancel.
  ///
  /// - Returns: What ``endCancel(_:)`` goes on with.
  func beginCancel() -> Transition {
    let transition = transition { $0.machine.cancelRequested() }
    publishCancel(transition.action)
    return transition
  }

  private func publishCancel(_ action: StateMachine.Action) {
    if case .announceCancel(let isPending) = action { publishCancelled(isPending: isPending) }
    if action == .leaveQueue { leaveQueue() }
  }

  /// Calls the app's code of a cancel, and all that follows.
  func endCancel(_ transition: Transition) {
    if case .announceCancel = transition.action {
      guarded.withLock({ $0.extras?.gate })?.operationCancelled(self)
      for observer in transition.observers ?? [] { observer.cancelled?(self) }
    }
    if transition.action != .none {
      perform(self.transition { $0.machine.cancelCallbacksReturned() })
    }
    publishRecordedCancel()
  }

  private func wakeBody() {
    hook?.cancelWork(of: self)
    didCancel()
  }

  // MARK: Starting

  private enum Refusal {
    case byHand, tooEarly
  }

  /// Starts the operation, unless the start is certainly not its queue's.
  ///
  /// - Parameter starter: `nil` if it is not known. That is enough for the many operations that
  ///   have neither a dependency nor a queue that alone may start them.
  /// - Returns: `nil` if the starter must be known first, or if the start is refused, which is
  ///   reported.
  func startTransition(by starter: Starter?) -> Transition? {
    var refusal: Refusal?
    var isUnknown = false
    var notEnqueued: OperationError?
    let transition = transition { guarded in
      if !guarded.machine.wasStarted {
        if let starter {
          refusal = self.refusal(of: starter, guarded)
        } else {
          isUnknown = guarded.membership.starter != nil || guarded.extras.hasDependencies
        }
        if refusal != nil || isUnknown { return .none }
        if let extras = guarded.extras, let gate = extras.gate, !extras.isGatePassed,
          !guarded.machine.isDecided, !guarded.machine.isCancelled
        {
          let error = gate.notEnqueued
          notEnqueued = error
          return startFailing(&guarded, with: error)
        }
      }
      return beginStart(&guarded)
    }
    switch refusal {
    case nil:
      if let notEnqueued {
        OperationDiagnostics.report(.notEnqueued, self, notEnqueued.description)
      }
      return isUnknown ? nil : transition
    case .byHand:
      OperationDiagnostics.report(
        .startedByHand, self,
        "It was started by hand while in a queue, which was ignored. Leave the start to the queue.")
    case .tooEarly:
      OperationDiagnostics.report(
        .startedTooEarly, self,
        """
        It was started by hand before its dependencies had finished, which was ignored. Add it to a \
        queue, or start it when isReady is true.
        """)
    }
    return nil
  }

  /// Cancels, ends and starts an operation in one step.
  private func startFailing(
    _ guarded: inout Guarded, with error: OperationError
  ) -> StateMachine.Action {
    let action = guarded.machine.cancelAndFinishRequested().action
    decideResult(throwing: error)
    // The thread that calls the observers of the cancel, which is this one, publishes the end.
    _ = guarded.machine.startRequested()
    return action
  }

  private func refusal(of starter: Starter, _ guarded: Guarded) -> Refusal? {
    if let queue = guarded.membership.starter, queue != starter.queue {
      return .byHand
    }
    // A cancelled operation waits for nothing, though the system may not have noticed yet.
    let isTooEarly =
      starter.queue == nil && !starter.isReady && !guarded.machine.wasCancelRequested
    return isTooEarly ? .tooEarly : nil
  }
}
