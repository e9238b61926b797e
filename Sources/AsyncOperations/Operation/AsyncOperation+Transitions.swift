import Foundation

/// Feeds each event to the machine under the lock, then performs the action with the lock released.
extension AsyncOperation {
  /// The action that an event led to, and the data that the action needs from under the lock.
  struct Transition {
    let action: StateMachine.Action
    var observers: [OperationObserver]?
    /// Set if the flag flipped at once, because nothing has to happen before it flips.
    var flip: Flip?
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
    case .leaveQueue:
      leaveQueue()
      perform(self.transition { $0.machine.cancelCallbacksReturned() })
    case .announceCancel(let isPending):
      publishCancelled(isPending: isPending)
      for observer in transition.observers ?? [] { observer.cancelled?(self) }
      perform(self.transition { $0.machine.cancelCallbacksReturned() })
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

  private func wakeBody() {
    hook?.cancelWork(of: self)
    didCancel()
  }

  // MARK: Starting

  private enum Refusal {
    case byHand, tooEarly
  }

  private static let notEnqueued = OperationError(
    code: .notEnqueued,
    description: """
      The operation has conditions or exclusive categories, which only enqueue applies. Add it with \
      enqueue, or use an AsyncOperationQueue.
      """)

  /// Starts the operation, unless the start is certainly not its queue's.
  ///
  /// - Parameter starter: `nil` if it is not known. That is enough for the many operations that
  ///   have neither a dependency nor a queue that alone may start them.
  /// - Returns: `nil` if the starter must be known first, or if the start is refused, which is
  ///   reported.
  func startTransition(by starter: Starter?) -> Transition? {
    var refusal: Refusal?
    var isUnknown = false
    var isNotEnqueued = false
    let transition = transition { guarded in
      if !guarded.machine.wasStarted {
        if let starter {
          refusal = self.refusal(of: starter, guarded)
        } else {
          isUnknown = guarded.membership.starter != nil || guarded.platform.hasDependencies
        }
        if refusal != nil || isUnknown { return .none }
        if case .closed = guarded.gate, !guarded.machine.isDecided, !guarded.machine.isCancelled {
          isNotEnqueued = true
          return startFailing(&guarded)
        }
      }
      return beginStart(&guarded)
    }
    switch refusal {
    case nil:
      if isNotEnqueued {
        OperationDiagnostics.report(.notEnqueued, self, Self.notEnqueued.description)
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
  private func startFailing(_ guarded: inout Guarded) -> StateMachine.Action {
    let action = guarded.machine.cancelAndFinishRequested().action
    decideResult(throwing: Self.notEnqueued)
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
