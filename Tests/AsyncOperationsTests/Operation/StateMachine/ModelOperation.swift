@testable import AsyncOperations
@testable import TestSupport

/// A naive model of an operation: one fact per property, and the plain rules of its life.
///
/// The tests compare it with the state machine. It shares only the names of the actions.
struct ModelOperation: Hashable {
  typealias Machine = AsyncOperation.StateMachine

  private var wasStarted = false
  private var isAnnouncing = false
  private var readsExecuting = false
  private var bodyRuns = false

  private var wasCancelled = false
  private var cancelIsBeingTold = false
  private var cancelWasTold = false
  private var leavesQueue = false

  private var endIsDecided = false
  private var endWaitsForCanceller = false
  private var endWaitsForBody = false
  private var hasEnded = false

  var isCancelled: Bool { wasCancelled }
  var isExecuting: Bool { readsExecuting }
  var isFinished: Bool { hasEnded }
  var isDecided: Bool { endIsDecided }
  /// Settled, started, and not waiting for another thread.
  var isEnding: Bool {
    endIsDecided && wasStarted && !isAnnouncing && !endWaitsForCanceller && !endWaitsForBody
  }

  /// All facts as one number, as a key for the states seen with them.
  var number: Int {
    var number = 0
    func add(_ fact: Bool) { number = number * 2 + (fact ? 1 : 0) }
    add(wasStarted)
    add(isAnnouncing)
    add(readsExecuting)
    add(bodyRuns)
    add(wasCancelled)
    add(cancelIsBeingTold)
    add(cancelWasTold)
    add(leavesQueue)
    add(endIsDecided)
    add(endWaitsForCanceller)
    add(endWaitsForBody)
    add(hasEnded)
    return number
  }

  // MARK: Starting

  // Only the first start counts. An operation that was cancelled or finished before runs no body.
  // It ends here, or when the cancelling thread has made its callbacks.
  mutating func startRequested() -> Machine.Action {
    if wasStarted { return .reportSecondStart }
    wasStarted = true
    if !endIsDecided && !wasCancelled {
      isAnnouncing = true
      return .announce
    }
    endIsDecided = true
    endWaitsForCanceller = cancelIsBeingTold || leavesQueue
    return endWaitsForCanceller ? .none : .publish
  }

  mutating func executingPublished() {
    if isAnnouncing { readsExecuting = true }
  }

  // The body runs unless a cancel or a finish came in the meantime. The starting thread reports
  // such a cancel, because no other thread has.
  mutating func startCallbacksReturned() -> Machine.Action {
    if !isAnnouncing { return .none }
    isAnnouncing = false
    readsExecuting = true
    if !endIsDecided && !wasCancelled {
      bodyRuns = true
      return .runBody
    }
    endIsDecided = true
    if wasCancelled && !cancelWasTold {
      cancelWasTold = true
      return .announceCancelAndPublish
    }
    return .publish
  }

  // MARK: Cancelling

  // Only the first cancel counts, and only before the end is settled. During the start the starting
  // thread reports it. A settled operation that waits reports no cancel and only leaves its queue.
  mutating func cancelRequested() -> Machine.Action {
    if wasCancelled { return .none }
    if endIsDecided {
      if wasStarted || leavesQueue { return .none }
      leavesQueue = true
      return .leaveQueue
    }
    wasCancelled = true
    if isAnnouncing { return .none }
    cancelIsBeingTold = true
    return .announceCancel(isPending: !wasStarted)
  }

  // An end that has waited for the cancel comes now. A running body is woken. So is one
  // with a settled end, because another thread may have settled it.
  mutating func cancelCallbacksReturned() -> Machine.Action {
    if !cancelIsBeingTold && !leavesQueue { return .none }
    if cancelIsBeingTold { cancelWasTold = true }
    cancelIsBeingTold = false
    leavesQueue = false
    if endWaitsForCanceller {
      endWaitsForCanceller = false
      return readsExecuting ? .publishAndWakeBody : .publish
    }
    return bodyRuns ? .wakeBody : .none
  }

  // MARK: Finishing

  // The first call that settles the end wins. Before the body the start publishes the end. During a
  // cancel the cancelling thread does. Otherwise this call does. A late finish after a cancel is no
  // misuse.
  mutating func finishRequested() -> Machine.Action {
    if endIsDecided { return wasCancelled ? .ignoreLate : .reportSecondFinish }
    endIsDecided = true
    if !bodyRuns { return .record }
    bodyRuns = false
    endWaitsForCanceller = cancelIsBeingTold
    return endWaitsForCanceller ? .record : .publish
  }

  // The body of an operation that is not cancelled may settle its end and publish it later.
  mutating func finishRequestedByBody() -> Bool {
    if !bodyRuns || wasCancelled { return false }
    bodyRuns = false
    endIsDecided = true
    endWaitsForBody = true
    return true
  }

  mutating func bodyReturned() -> Machine.Action {
    if !endWaitsForBody { return .none }
    endWaitsForBody = false
    return .publish
  }

  // A cancel and a finish in one step. A settled operation does not change.
  mutating func cancelAndFinishRequested() -> (action: Machine.Action, decides: Bool) {
    if endIsDecided { return (.none, false) }
    let cancel = cancelRequested()
    let finish = finishRequested()
    return (finish == .publish ? .publish : cancel, true)
  }

  // Ends a settled, started operation; returns whether it read as executing until now.
  mutating func finishPublished() -> Bool {
    if hasEnded || !endIsDecided || !wasStarted || isAnnouncing { return false }
    hasEnded = true
    endWaitsForCanceller = false
    endWaitsForBody = false
    defer { readsExecuting = false }
    return readsExecuting
  }
}
