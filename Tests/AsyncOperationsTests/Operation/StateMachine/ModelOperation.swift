@testable import AsyncOperations
@testable import TestSupport

/// What is known of an operation, a fact a line, and the rules of its life as one would tell them.
///
/// It is to agree with the state machine and shares nothing with it but the names of the answers.
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

  private var isSettled = false
  private var endWaitsForCanceller = false
  private var endWaitsForBody = false
  private var hasEnded = false

  var isCancelled: Bool { wasCancelled }
  var isExecuting: Bool { readsExecuting }
  var isFinished: Bool { hasEnded }
  var isDecided: Bool { isSettled }
  /// Settled, and neither still to be started nor to be waited for.
  var isEnding: Bool {
    isSettled && wasStarted && !isAnnouncing && !endWaitsForCanceller && !endWaitsForBody
  }

  /// All facts as one number, to look up what they were seen with.
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
    add(isSettled)
    add(endWaitsForCanceller)
    add(endWaitsForBody)
    add(hasEnded)
    return number
  }

  // MARK: Starting

  // Only the first start counts. Whoever was cancelled or finished before has no body to run and
  // comes to its end here, or when the thread that is still telling of the cancel has done so.
  mutating func startRequested() -> Machine.Action {
    if wasStarted { return .reportSecondStart }
    wasStarted = true
    if !isSettled && !wasCancelled {
      isAnnouncing = true
      return .announce
    }
    isSettled = true
    endWaitsForCanceller = cancelIsBeingTold || leavesQueue
    return endWaitsForCanceller ? .none : .publish
  }

  mutating func executingPublished() {
    if isAnnouncing { readsExecuting = true }
  }

  // The body runs, unless somebody has cancelled or finished in the meantime. Such a cancel is told
  // by whoever starts, as nobody else has.
  mutating func startCallbacksReturned() -> Machine.Action {
    if !isAnnouncing { return .none }
    isAnnouncing = false
    readsExecuting = true
    if !isSettled && !wasCancelled {
      bodyRuns = true
      return .runBody
    }
    isSettled = true
    if wasCancelled && !cancelWasTold {
      cancelWasTold = true
      return .announceCancelAndPublish
    }
    return .publish
  }

  // MARK: Cancelling

  // Only the first cancel counts, and only before the end is settled. While it is being started the
  // starting thread tells of it. Of one that is settled and waits, nothing is told: it is only to be
  // let out of its queue.
  mutating func cancelRequested() -> Machine.Action {
    if wasCancelled { return .none }
    if isSettled {
      if wasStarted || leavesQueue { return .none }
      leavesQueue = true
      return .leaveQueue
    }
    wasCancelled = true
    if isAnnouncing { return .none }
    cancelIsBeingTold = true
    return .announceCancel(isPending: !wasStarted)
  }

  // An end that has waited for this comes now. A body that runs is woken up; so is one that ran when
  // the end was settled, as it need not be what has settled it.
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

  // The first to settle it wins. Before the body runs, the start brings the end; while a cancel is
  // being told, whoever tells does; otherwise it comes here. Losing is no fault after a cancel.
  mutating func finishRequested() -> Machine.Action {
    if isSettled { return wasCancelled ? .ignoreLate : .reportSecondFinish }
    isSettled = true
    if !bodyRuns { return .record }
    bodyRuns = false
    endWaitsForCanceller = cancelIsBeingTold
    return endWaitsForCanceller ? .record : .publish
  }

  // One that nobody has cancelled, and whose body runs, may be settled by its body, which brings the
  // end a little later.
  mutating func finishRequestedByBody() -> Bool {
    if !bodyRuns || wasCancelled { return false }
    bodyRuns = false
    isSettled = true
    endWaitsForBody = true
    return true
  }

  mutating func bodyReturned() -> Machine.Action {
    if !endWaitsForBody { return .none }
    endWaitsForBody = false
    return .publish
  }

  // A cancel and a finish that nothing can come between. One that is settled already is left alone.
  mutating func cancelAndFinishRequested() -> (action: Machine.Action, decides: Bool) {
    if isSettled { return (.none, false) }
    let cancel = cancelRequested()
    let finish = finishRequested()
    return (finish == .publish ? .publish : cancel, true)
  }

  // Ends what is settled and past its start; says whether it read as executing until now.
  mutating func finishPublished() -> Bool {
    if hasEnded || !isSettled || !wasStarted || isAnnouncing { return false }
    hasEnded = true
    endWaitsForCanceller = false
    endWaitsForBody = false
    defer { readsExecuting = false }
    return readsExecuting
  }
}
