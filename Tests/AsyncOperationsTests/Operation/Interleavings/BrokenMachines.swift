@testable import AsyncOperations
@testable import TestSupport

/// Machines with one fault each, to prove that the explorer sees it.

/// Changes state under the lock and emits after it, as the advice goes, and no more than that: a
/// finish does not mind that the emission of the start is still on its way.
struct LiteralMachine: LifeMachine {
  private enum State { case pending, executing, finished }
  private var state = State.pending
  private(set) var isCancelled = false
  private var wasExecuting = false

  var isExecuting: Bool { state == .executing }
  var isFinished: Bool { state == .finished }

  mutating func startRequested() -> AsyncOperation.StateMachine.StartAction {
    guard state == .pending else { return .reportSecondStart }
    if isCancelled { return .publish }
    state = .executing
    wasExecuting = true
    return .announce
  }

  mutating func executingPublished() {}

  mutating func startCallbacksReturned() -> AsyncOperation.StateMachine.StartedAction {
    state == .executing ? .runBody : .none
  }

  mutating func cancelRequested() -> AsyncOperation.StateMachine.CancelAction {
    guard !isCancelled, state != .finished else { return .none }
    isCancelled = true
    return .tell(isPending: state == .pending)
  }

  mutating func cancelCallbacksReturned() -> AsyncOperation.StateMachine.CancelledAction {
    state == .executing ? .wakeBody : .none
  }

  mutating func finishRequested() -> AsyncOperation.StateMachine.FinishAction {
    switch state {
    case .pending: return .reportSecondFinish
    case .executing: return .publish
    case .finished: return .reportSecondFinish
    }
  }

  mutating func finishPublished() -> Bool {
    state = .finished
    return wasExecuting
  }
}

/// The real machine with one of its steps replaced.
struct AlteredMachine<Fault: MachineFault>: LifeMachine {
  var machine = AsyncOperation.StateMachine()

  var isCancelled: Bool { machine.isCancelled }
  var isExecuting: Bool { machine.isExecuting }
  var isFinished: Bool { machine.isFinished }

  mutating func startRequested() -> AsyncOperation.StateMachine.StartAction {
    Fault.alter(machine.startRequested())
  }

  mutating func executingPublished() { machine.executingPublished() }

  mutating func startCallbacksReturned() -> AsyncOperation.StateMachine.StartedAction {
    Fault.alter(machine.startCallbacksReturned())
  }

  mutating func cancelRequested() -> AsyncOperation.StateMachine.CancelAction {
    machine.cancelRequested()
  }

  mutating func cancelCallbacksReturned() -> AsyncOperation.StateMachine.CancelledAction {
    Fault.alter(machine.cancelCallbacksReturned())
  }

  mutating func finishRequested() -> AsyncOperation.StateMachine.FinishAction {
    Fault.alter(machine.finishRequested())
  }

  mutating func finishPublished() -> Bool { machine.finishPublished() }
}

protocol MachineFault: Hashable {
  static func alter(
    _ action: AsyncOperation.StateMachine.StartAction
  ) -> AsyncOperation.StateMachine.StartAction
  static func alter(
    _ action: AsyncOperation.StateMachine.StartedAction
  ) -> AsyncOperation.StateMachine.StartedAction
  static func alter(
    _ action: AsyncOperation.StateMachine.CancelledAction
  ) -> AsyncOperation.StateMachine.CancelledAction
  static func alter(
    _ action: AsyncOperation.StateMachine.FinishAction
  ) -> AsyncOperation.StateMachine.FinishAction
}

extension MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.StartAction
  ) -> AsyncOperation.StateMachine.StartAction { action }
  static func alter(
    _ action: AsyncOperation.StateMachine.StartedAction
  ) -> AsyncOperation.StateMachine.StartedAction { action }
  static func alter(
    _ action: AsyncOperation.StateMachine.CancelledAction
  ) -> AsyncOperation.StateMachine.CancelledAction { action }
  static func alter(
    _ action: AsyncOperation.StateMachine.FinishAction
  ) -> AsyncOperation.StateMachine.FinishAction { action }
}

/// Does not look again when the start's callbacks are back.
enum RunsTheBodyAnyway: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.StartedAction
  ) -> AsyncOperation.StateMachine.StartedAction {
    action == .none ? .none : .runBody
  }
}

/// Publishes from the finish although another thread is in the middle of its callbacks.
enum PublishesAtOnce: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.FinishAction
  ) -> AsyncOperation.StateMachine.FinishAction {
    action == .record ? .publish : action
  }
}

/// Forgets the end that was left to the cancelling thread.
enum ForgetsTheEnd: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.CancelledAction
  ) -> AsyncOperation.StateMachine.CancelledAction {
    switch action {
    case .none, .publish: .none
    case .wakeBody, .publishAndWakeBody: .wakeBody
    }
  }
}

/// Does not wake a body up whose end was decided by somebody else.
enum LetsTheBodySleep: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.CancelledAction
  ) -> AsyncOperation.StateMachine.CancelledAction {
    action == .publishAndWakeBody ? .publish : action
  }
}

/// Lets every finish decide.
enum EveryFinishWins: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.FinishAction
  ) -> AsyncOperation.StateMachine.FinishAction {
    .publish
  }
}

/// Does not tell of a cancel that came while it was starting.
enum KeepsTheCancelToItself: MachineFault {
  static func alter(
    _ action: AsyncOperation.StateMachine.StartedAction
  ) -> AsyncOperation.StateMachine.StartedAction {
    action == .tellCancelledAndPublish ? .publish : action
  }
}
